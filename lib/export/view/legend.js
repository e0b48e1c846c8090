// legend.js - which color stands for which package

import { element, formatShare, shorten } from "./format.js";
import { PIECE } from "./work.js";

const PACKAGES_SHOWN = 14;

// Returns the packages in which most time was spent, with the color of the
// method that took most of it. Shares are of lower bounds, if times have such.
export function* makeLegend(page) {
	const { trace, sums: { tree }, measure, palette } = page;
	const packages = new Map();
	let total = 0, done = 0, { about } = page;
	for (const row of tree.profile().rows) {
		if (++done % PIECE === 0)
			yield 1;
		if (row.slack.exclusive[measure] > 0)
			about = "~";
		const name = trace.methods[row.method]?.package;
		const time = row.time("exclusive", measure);
		if (name === undefined || !(time > 0))
			continue;
		const one = packages.get(name) ??
			{ time: 0, most: 0, method: 0 };
		one.time += time;
		total += time;
		if (time > one.most)
			Object.assign(one, { most: time, method: row.method });
		packages.set(name, one);
	}
	const sorted = [...packages].sort(([, a], [, b]) => b.time - a.time);
	return element("section", { class: "legend" },
		element("h2", {}, "Packages"),
			element("ul", {}, ...sorted.slice(
			0, PACKAGES_SHOWN).map(([name, { time, method }]) =>
			element("li", {}, element("i", { class: "swatch", style:
				`background:${palette.css[method]}` }),
			element("span", { title: shorten(name, 500) },
				shorten(name || "(none)", 200)), element("span",
				{ class: "note" },
					`${about}${formatShare(time, total)} %`)))),
		sorted.length > PACKAGES_SHOWN ? element("p", { class: "note" },
			`and ${sorted.length - PACKAGES_SHOWN} more`) : null);
}
