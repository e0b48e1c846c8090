// page_work.js - how long the page works: pieces of it, and frames
"use strict";

const { openPage, settle, shownRows, stateOf, textOf,
	wantedRows } = require("./page_start.js");
const { claim, claimTime, same } = require("./web_cases.js");

const OPENING = 2.5, PIECE = 3, MILLION = 50, FRAME = 0.5;	// sorts

// A trace whose paths of calls are nearly all different.
async function checkPaths(browser, page) {
	const trace = page.replace(/\.html$/, ".trace");
	await claim("many paths: figures of the whole trace are exact",
		async () => {
			await openPage(browser, `file://${page}`);
			same(await shownRows(browser),
				wantedRows(trace, "wall"));
		});
	await claimTime(browser, "many paths: ranges are summed and shown in " +
		"pieces", PIECE, async () => {
		await openPage(browser, `file://${page}`);
		const { span } = await stateOf(browser);
		const work = workInPieces(browser);
		await showRange(browser, work,
			span.from + (span.to - span.from) / 5,
			span.from + (span.to - span.from) / 2);
		return work.longest();
	});
	await claim("many paths: a call that ends where a range begins is listed",
		() => browser.evaluate(() => {
			const { dmtrace: app } = window;
			const slowest = app.trace.methods.map((one, i) =>
				app.trace.durationsOf(i).slowest[0]);
			const method = slowest.findIndex((one) =>
				one !== undefined);
			const { thread, start, took } = slowest[method];
			app.setThread(thread);
			app.showCalls(method);
			const listed = [0, 1000].map((after) => {
				const from = start + took + after;
				app.setRange({ from, to: from + 1e6 }, true);
				app.panels.drawNow();
				return app.panels.calls.slowest().some((one) =>
					one.thread === thread &&
					one.start === start);
			});
			return listed[0] && !listed[1];
		}));
}

// Work whose pieces are measured: [what, CPU time in ms]. Time that passes would
// be that of other programs, too.
function workInPieces(browser) {
	const pieces = [];
	const timed = async (what, work, ...values) => {
		const before = await browser.work();
		const value = await browser.evaluate(work, ...values);
		pieces.push([what, await browser.work() - before]);
		return value;
	};
	const draw = async (what) => {
		while (!await timed(what, () => {
			const { panels } = window.dmtrace;
			clearTimeout(panels.drawing);
			panels.drawing = 0;
			return panels.drawFor(25);
		}));
	};
	const longest = () => {
		const [what, most] = pieces.reduce((a, b) => a[1] > b[1] ? a :
			b);
		console.log(`# the longest of ${pieces.length} pieces: ${
			what}`);
		return pieces.length > 5 ? most : Infinity;
	};
	return { timed, draw, longest };
}

// Sums a range, and shows it in each way.
async function showRange(browser, { timed, draw }, from, to) {
	await timed("the choice", (a, b) => {
		const { dmtrace: app } = window;
		app.setRange({ from: a, to: b }, true);
		clearTimeout(app.panels.drawing);
	}, from, to);
	await draw("summing");
	for (const [tab, direction] of [["profile", "down"], ["flame", "down"],
		["tree", "down"], ["flame", "up"], ["tree", "up"],
		["flame", "around"], ["tree", "around"]]) {
		await timed(`to ${tab} ${direction}`, (one, other) => {
			const { dmtrace: app } = window;
			if (app.method < 0)
				app.chooseMethod(app.trace.same[0]);
			app.setDirection(other);
			app.setTab(one);
			clearTimeout(app.panels.drawing);
		}, tab, direction);
		await draw(`${tab} ${direction}`);
	}
}

async function claimOpening(browser, name, page) {
	await claimTime(browser, `${name}: the page opens in pieces`, OPENING,
		() => browser.longestPiece(() => openPage(browser,
			`file://${page}`)));
}

async function checkDeepest(browser, page) {
	await claimOpening(browser, "deep calls", page);
}

async function checkMany(browser, page) {
	await claimOpening(browser, "many methods", page);
	await claimTime(browser, "many methods: they are sorted, filtered and " +
		"found in pieces", PIECE, async () => {
		await openPage(browser, `file://${page}`);
		const work = workInPieces(browser), { timed, draw } = work;
		for (const key of ["name", "calls"]) {
			await timed(`to sort by ${key}`, (one) => {
				const { panels } = window.dmtrace;
				panels.profile.sortBy(one);
				clearTimeout(panels.drawing);
			}, key);
			await draw(`sorting by ${key}`);
		}
		await timed("to filter", () => {
			const { panels } = window.dmtrace;
			panels.profile.setFilter("Parse");
			panels.draw();
			clearTimeout(panels.drawing);
		});
		await draw("filtering");
		await timed("to search", () =>
			window.dmtrace.search.set("Parse"));
		while (!await timed("searching", () => {
			const { search } = window.dmtrace;
			clearTimeout(search.waiting);
			search.goOn();
			clearTimeout(search.waiting);
			return search.waiting === 0;
		}));
		await settle(browser);
		return work.longest();
	});
	await claim("many methods: what was found is counted", async () =>
		/^[\d,]+ calls of [\d,]+ methods$/.test(
			await textOf(browser, ".found")));
}

// Opens a page in the CPU time that is returned.
async function workToOpen(browser, page) {
	await browser.open("about:blank");
	const before = await browser.work();
	await openPage(browser, `file://${page}`);
	const took = await browser.work() - before;
	const usable = await browser.evaluate(() => Math.max(...["usable",
		"first-contentful-paint"].map((name) =>
		performance.getEntriesByName(name)[0].startTime)));
	console.log(`# usable after ${usable.toFixed(0)} ms`);
	return took;
}

// Returns the CPU time of a frame while it moves and zooms, that of 95 % at
// most.
async function workOfFrames(browser) {
	await browser.evaluate(() =>
		window.dmtrace.timeline.threads.foldAll(false));
	await settle(browser);
	const work = [], passed = [];
	for (let n = 0; n < 200; n++) {
		const before = await browser.work();
		passed.push(await browser.evaluate(async (at) => {
			const { timeline, view: { from, to } } = window.dmtrace;
			const begin = performance.now();
			if (at % 100 < 60)
				timeline.zoom(at < 100 ? 0.9 : 1.1);
			else
				window.dmtrace.setView({
					from: from + (to - from) / 30,
					to: to + (to - from) / 30 });
			await new Promise((resolve) =>
				requestAnimationFrame(() =>
					setTimeout(resolve)));
			return performance.now() - begin;
		}, n));
		work.push(await browser.work() - before);
	}
	const [most, slowest] = [work, passed].map((all) =>
		all.sort((a, b) => a - b)[190]);
	console.log(`# 95 % of frames: ${slowest.toFixed(1)} ms passed`);
	return most;
}

async function checkMillion(browser, page) {
	await claimTime(browser, "a million events are ready", MILLION,
		() => workToOpen(browser, page));
	await claimTime(browser, "95 % of frames", FRAME,
		() => workOfFrames(browser));
}

module.exports = { checkDeepest, checkMany, checkMillion, checkPaths };
