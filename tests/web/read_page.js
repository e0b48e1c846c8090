// read_page.js - a trace of a page, as the page's own script reads it
"use strict";

const fs = require("fs");

// Returns the trace at a place, and the page's functions.
function readPage(page, at) {
	const html = fs.readFileSync(page, "utf8");
	const script = html.match(
		/<script type="module">\n([^]*?)<\/script>/)[1];
	const view = new Function(`${script}
		return { Trace, Transform, boundsShown, buildTree, complete,
			formatDuration, makeLane, stackAround, stackDown,
			stackUp, stepOfDuration, transformTree };`)();
	const texts = new Map();
	for (const [, id, text] of html.matchAll(
		/<script type="text\/plain" id="([^"]*)">([^<]*)<\/script>/g))
		texts.set(id, text);
	const jsons = [...html.matchAll(
		/<script type="application\/json" class="trace">([^<]*)</g)];
	const trace = new view.Trace(JSON.parse(jsons[at][1]),
		(what) => texts.get(`${what}-${at}`) ?? "");
	view.complete(trace.describeMethods());
	return { ...view, trace };
}

module.exports = { readPage };
