// page_work.js - how long the page works: pieces of it, and frames
"use strict";

const { openPage, settle, shownRows, stateOf, textOf,
	wantedRows } = require("./page_start.js");
const { claim, median, same } = require("./web_cases.js");

// A trace whose paths of calls are nearly all different.
async function checkPaths(browser, page) {
	const trace = page.replace(/\.html$/, ".trace");
	await claim("many paths: figures of the whole trace are exact",
		async () => {
			await openPage(browser, `file://${page}`);
			same(await shownRows(browser),
				wantedRows(trace, "wall"));
		});
	await claim("many paths: ranges are summed and shown in short pieces",
		async () => {
			await openPage(browser, `file://${page}`);
			const { span } = await stateOf(browser);
			const work = workInPieces(browser);
			await showRange(browser, work,
				span.from + (span.to - span.from) / 5,
				span.from + (span.to - span.from) / 2);
			return work.claimShort();
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
	const claimShort = () => {
		const [what, most] = pieces.reduce((a, b) => a[1] > b[1] ? a :
			b);
		console.log(`# the longest of ${pieces.length} pieces, ${
			what}, took ${most.toFixed(0)} ms`);
		return pieces.length > 5 && most <= 100;
	};
	return { timed, draw, claimShort };
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

// Opens a page, all of whose work is in short pieces.
async function openInPieces(browser, page) {
	const longest = await browser.longestPiece(() => openPage(browser,
		`file://${page}`));
	console.log(`# the longest piece took ${longest.toFixed(0)} ms`);
	return longest > 0 && longest <= 80;
}

async function checkDeepest(browser, page) {
	await claim("deep calls: the page opens in short pieces", () =>
		openInPieces(browser, page));
}

async function checkMany(browser, page) {
	await claim("many methods: the page opens in short pieces", () =>
		openInPieces(browser, page));
	await claim("many methods: they are sorted, filtered and found in short " +
		"pieces", async () => {
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
		return work.claimShort() && /^[\d,]+ calls of [\d,]+ methods$/
			.test(await textOf(browser, ".found"));
	});
}

// Work of a frame while it moves and zooms, and until it can be used; of
// DMTRACE_RUNS runs the median. Times pass on a busy machine, too, so they are
// printed alone.
async function measure(browser, page) {
	const usable = [], ready = [], frames = [], passed = [];
	for (let i = Number(process.env.DMTRACE_RUNS ?? 1); i > 0; i--) {
		await browser.open("about:blank");
		const start = await browser.work();
		await openPage(browser, `file://${page}`);
		ready.push(await browser.work() - start);
		usable.push(await browser.evaluate(() => Math.max(
			performance.getEntriesByName("usable")[0].startTime,
			performance.getEntriesByName(
				"first-contentful-paint")[0]
				.startTime)));
		await browser.evaluate(() =>
			window.dmtrace.timeline.threads.foldAll(false));
		await settle(browser);
		const work = [], times = [];
		for (let n = 0; n < 200; n++) {
			const before = await browser.work();
			times.push(await browser.evaluate(async (at) => {
				const { timeline, view: { from, to } } =
					window.dmtrace;
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
		for (const [all, one] of [[frames, work], [passed, times]])
			all.push(one.sort((a, b) => a - b)[190]);
	}
	const show = (all) => median(all).toFixed(1);
	console.log(`# usable after ${show(usable)} ms, all of it ready with ${
		show(ready)} ms of work; 95 % of frames: ${
		show(frames)} ms of work, ${show(passed)} ms passed`);
	await claim("a million events are ready with 2 s of work", () =>
		median(ready) <= 2000);
	await claim("a frame has 16 ms of work at most, of 95 %", () =>
		median(frames) <= 16);
}

module.exports = { checkDeepest, checkPaths, checkMany, measure };
