// web_view.js - the page of "dmtrace view", as a person uses it in Chromium
//
//	node web_view.js FIRST PAGE...
//
// prints a case for each claim, numbered from FIRST. A PAGE is TRACE.html of
// TRACE.trace; the figures on it are compared with those of "dmtrace report".
"use strict";

const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { Browser } = require("./browser.js");

let number = Number(process.argv[2]);
let failures = 0;

async function claim(label, check) {
	let why = "";
	try {
		const result = await check();
		if (result === false)
			why = "it is not so";
	} catch (error) {
		why = error.stack;
	}
	console.log(`${why === "" ? "ok" : "not ok"} ${number++} - ${label}`);
	if (why !== "") {
		failures++;
		console.log(why.replace(/^/gm, "# "));
	}
}

function same(found, wanted) {
	const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
	if (a === b)
		return;
	let at = 0;
	while (a[at] === b[at])
		at++;
	throw new Error(`at ${at}: found ...${a.slice(Math.max(0, at - 80),
		at + 80)}, not ...${b.slice(Math.max(0, at - 80), at + 80)}`);
}

const us = (ns) => String(Math.trunc(Number(ns) / 1000));

// Rows of "dmtrace report -f tsv": objects.
function report(trace, ...options) {
	const lines = execFileSync("dmtrace", ["report", "-q", "-f", "tsv",
		...options, trace], { encoding: "utf8",
		maxBuffer: 1 << 28 }).trimEnd().split("\n")
		.map((line) => line.split("\t"));
	const names = lines.shift();
	return lines.map((line) => Object.fromEntries(
		names.map((name, i) => [name, line[i]])));
}

function nameOf(row) {
	return (row.class + (row.class && row.name ? "." : "") + row.name +
		(row.signature && ` ${row.signature}`)).slice(0, 200);
}

function rowOf(row, clock) {
	return [nameOf(row), us(row[`inclusive_${clock}_ns`]),
		us(row[`exclusive_${clock}_ns`]),
		String(Number(row.calls) + Number(row.recursive_calls)),
		String(Number(row.recursive_calls))];
}

const sorted = (rows) => rows.map(String).sort();

function wantedRows(trace, clock, ...options) {
	return sorted(report(trace, ...options).filter((row) =>
		row.kind === "top" || row.kind === "method").map((row) =>
		rowOf(row, clock)));
}

// The same rows, as the page shows them.
async function shownRows(browser) {
	await browser.until(() => window.dmtrace.tree !== null &&
		document.querySelector("table.methods") !== null);
	await browser.evaluate(() => {
		window.dmtrace.profileTable.shown = Infinity;
		window.dmtrace.profileTable.draw();
	});
	const rows = await browser.evaluate(() => [...document
		.querySelectorAll("table.methods tr[data-method]")].map((row) => {
		const cell = (name) => row.querySelector(`td.${name}`)
			.textContent.replace(/\s/g, "");
		return [row.querySelector(".method").title.slice(0, 200) ||
			"(toplevel)", cell("inclusive"), cell("exclusive"),
		cell("calls"), cell("recursive")];
	}));
	return sorted(rows);
}

const settle = (browser) => browser.evaluate(() =>
	new Promise((resolve) => setTimeout(resolve, 450)));

async function checkTrace(browser, page, name) {
	const trace = page.replace(/\.html$/, ".trace");
	const state = () => browser.evaluate(() => {
		const { clock, view, range, thread, method, selected, span } =
			window.dmtrace;
		return { clock, view, range, thread, method, selected, span };
	});
	const boxOf = (selector) => browser.evaluate((wanted) => {
		const { x, y, width, height } = document.querySelector(wanted)
			.getBoundingClientRect();
		return { x, y, width, height };
	}, selector);
	const choose = (label, value) => browser.evaluate((one, other) => {
		const select = document.querySelector(
			`select[aria-label^="${one}"]`);
		select.value = other;
		select.dispatchEvent(new Event("change"));
	}, label, value);

	await claim(`${name}: it is shown`, async () => {
		await browser.open(`file://${page}`);
		same(await shownRows(browser), wantedRows(trace, "wall"));
	});
	await claim(`${name}: the figures of each clock`, async () => {
		await choose("Clock", "cpu");
		same(await shownRows(browser), wantedRows(trace, "cpu"));
		await choose("Clock", "wall");
	});
	await claim(`${name}: of one thread`, async () => {
		const thread = await browser.evaluate(() => {
			const { trace: { order, threads } } = window.dmtrace;
			return threads[order[0]];
		});
		await choose("Threads", thread.index);
		same(await shownRows(browser), wantedRows(trace, "wall",
			`-t${thread.number}`));
		await choose("Threads", -1);
	});
	await claim(`${name}: of a range, by a drag on the ruler`, async () => {
		const box = await boxOf(".ruler");
		await browser.drag(box.x + box.width * 0.21,
			box.x + box.width * 0.64, box.y + 10);
		const { range } = await state();
		same(await shownRows(browser), wantedRows(trace, "wall",
			`--from=${us(range.from)}us`, `--to=${us(range.to)}us`));
	});
	await claim(`${name}: its end by a click`, async () => {
		const box = await boxOf(".ruler");
		await browser.click(box.x + 200, box.y + 10);
		same((await state()).range, null);
	});
	await claim(`${name}: the wheel zooms at the pointer`, async () => {
		const box = await boxOf(".lanes"), before = await state();
		await browser.mouse("mouseWheel", box.x + 300, box.y + 60,
			{ deltaX: 0, deltaY: -300, modifiers: 2 });
		await settle(browser);
		const { view } = await state();
		const at = (one) => one.from + 300 / box.width *
			(one.to - one.from);
		return view.to - view.from < before.view.to -
			before.view.from && Math.abs(at(view) -
			at(before.view)) < (view.to - view.from) * 0.05;
	});
	await claim(`${name}: a drag moves`, async () => {
		const box = await boxOf(".lanes"), before = await state();
		await browser.drag(box.x + 500, box.x + 400, box.y + 60);
		const { view } = await state();
		const moved = (view.from - before.view.from) /
			(view.to - view.from) * box.width;
		return Math.abs(moved - 100) < 20;
	});
	await claim(`${name}: keys move and zoom`, async () => {
		await browser.key("0");
		await browser.send("Input.dispatchKeyEvent",
			{ type: "keyDown", key: "w", text: "w" });
		await settle(browser);
		await browser.send("Input.dispatchKeyEvent",
			{ type: "keyUp", key: "w" });
		const { view, span } = await state();
		await browser.key("0");
		return view.to - view.from < (span.to - span.from) * 0.9;
	});
	await claim(`${name}: a click selects a call`, async () => {
		const lane = await boxOf(".lanes");
		await browser.evaluate(() => {
			window.dmtrace.timeline.scroller.scrollTop = 0;
		});
		await browser.click(lane.x + lane.width / 2, lane.y + 30);
		const { selected } = await state();
		return selected !== null && selected.depth === 0;
	});
	await claim(`${name}: arrows go to a callee and back`, async () => {
		const before = (await state()).selected;
		await browser.key("ArrowDown");
		const below = (await state()).selected;
		await browser.key("ArrowUp");
		same((await state()).selected, before);
		const text = await browser.evaluate(() => document
			.querySelector("[aria-live]").textContent);
		return below.depth === 1 && /depth 1/.test(text);
	});
	await claim(`${name}: its range has its time`, async () => {
		await browser.key("m");
		const { range } = await state();
		await browser.key("Escape");
		return range !== null && (await state()).range === null;
	});

	const rows = report(trace, "--callers", "--callees");
	const methods = rows.filter((row) => row.kind === "method");
	// Some method with callers and callees of its own.
	const chosen = methods.find((row) => rows.some((one) =>
		one.kind === "callee" && one.of === row.index)) ?? methods[0];
	await claim(`${name}: a method unfolds to callers`, async () => {
		const sum = new Map();
		for (const row of rows)
			if (/^callers?/.test(row.kind) && row.of === chosen.index)
				sum.set(nameOf(row), (sum.get(nameOf(row)) ?? 0) +
					Number(row.calls));
		const found = await browser.evaluate((wanted) => {
			const button = [...document.querySelectorAll(
				"tr[data-method] button.method")].find((one) =>
				one.title.slice(0, 200) === wanted);
			button.click();
			const callers = [];
			let row = button.closest("tr").nextElementSibling;
			while (!(row = row.nextElementSibling).classList
				.contains("kind"))
				callers.push(`${row.querySelector(".method").title
					.slice(0, 200) || "(toplevel)"},${row
					.querySelector("td.calls").textContent
					.replace(/\s/g, "")}`);
			return callers;
		}, nameOf(chosen));
		same(found.sort(), sorted([...sum]));
	});
	await claim(`${name}: the longest call is first in the list`,
		async () => {
			await browser.evaluate(() => [...document.querySelectorAll(
				".detail button")].find((one) => /longest/.test(
				one.textContent)).click());
			await browser.until(() => document.querySelector(
				"table.calls") !== null);
			const { count, took } = await browser.evaluate(() => {
				const cells = document.querySelectorAll(
					"table.calls td:nth-child(2)");
				return { count: document.querySelector(
					"#panel .status:not([hidden])") && [...document
					.querySelectorAll("#panel .status")].pop().value
					.match(/: (\S+) call/)[1].replace(/\s/g, ""),
				took: [...cells].map((one) => Number(one.textContent
					.replace(/\s/g, ""))) };
			});
			same(count, String(Number(chosen.calls) +
				Number(chosen.recursive_calls)));
			same(took, [...took].sort((a, b) => b - a));
		});
	await claim(`${name}: it jumps to the timeline`, async () => {
		await browser.evaluate(() => document.querySelector(
			"table.calls tbody button").click());
		return browser.evaluate(() => {
			const { selected, view } = window.dmtrace;
			const level = window.dmtrace.lane(selected.thread)
				.levels[selected.depth];
			return level.start[selected.at] >= view.from &&
				level.end[selected.at] <= view.to;
		});
	});
	await claim(`${name}: a search counts and finds calls`, async () => {
		const word = chosen.name.toLowerCase();
		await browser.evaluate((text) => {
			const box = document.querySelector(
				"input[aria-label='Search methods']");
			box.value = text;
			box.dispatchEvent(new Event("input"));
		}, word);
		await settle(browser);
		let calls = 0, count = 0;
		for (const row of methods)
			if (nameOf(row).toLowerCase().includes(word)) {
				calls += Number(row.calls) +
					Number(row.recursive_calls);
				count++;
			}
		const found = await browser.evaluate(() => {
			window.dmtrace.nextHit(1);
			const { selected } = window.dmtrace;
			return { text: document.querySelector(".found").value
				.replace(/\s/g, ""), hit: selected !== null &&
				window.dmtrace.hits[window.dmtrace.method] };
		});
		same(found, { text: `${calls}call${calls === 1 ? "" : "s"}of${
			count}method${count === 1 ? "" : "s"}`, hit: 1 });
	});
	await claim(`${name}: a frame of the flame graph zooms`, async () => {
		await browser.evaluate(() => document.getElementById("tab-flame")
			.click());
		await settle(browser);
		return browser.evaluate(() => {
			const { flame } = window.dmtrace;
			flame.zoomTo(1);
			const [wide] = flame.frames.slice(-1);
			return flame.frames[1].node === 1 && wide.width > 0 &&
				flame.frames[1].width === flame.frames[0].width;
		});
	});
	await claim(`${name}: the address has it all`, async () => {
		await settle(browser);
		const url = await browser.evaluate(() => location.href);
		const before = await state();
		await browser.open(url);
		await settle(browser);
		const after = await state();
		same({ ...after, view: null }, { ...before, view: null });
		same([us(after.view.from), us(after.view.to)],
			[us(before.view.from), us(before.view.to)]);
		same(await browser.evaluate(() => window.dmtrace.tab), "flame");
	});
	await claim(`${name}: a copy that was saved works`, async () => {
		await browser.open(`file://${page}`);
		const shown = await shownRows(browser);
		fs.writeFileSync("saved.html", await browser.evaluate(() =>
			`<!DOCTYPE html>\n${document.documentElement.outerHTML}`));
		await browser.open(`file://${path.resolve("saved.html")}`);
		same(await shownRows(browser), shown);
	});
	await claim(`${name}: it fits in 500 pixels`, async () => {
		await browser.resize(500, 800);
		await settle(browser);
		const width = await browser.evaluate(() =>
			document.documentElement.scrollWidth);
		await browser.resize(1280, 800);
		return width <= 500;
	});
	await claim(`${name}: what one can press has a name`, () =>
		browser.evaluate(() => [...document.querySelectorAll(
			"button, input, select, canvas, [role='application']")]
			.every((one) => (one.getAttribute("aria-label") ??
				one.textContent).trim() !== "" ||
				one.getAttribute("aria-hidden") === "true")));
	await claim(`${name}: no error, no message, no request`, () => {
		same([browser.errors, browser.console], [[], []]);
		same(browser.requests.filter((url) =>
			!url.startsWith("file://")), []);
	});
}

async function checkHostile(browser, page) {
	await claim("hostile names are text", async () => {
		await browser.open(`file://${page}`);
		const rows = await shownRows(browser);
		const found = await browser.evaluate(() => ({
			images: document.images.length, title: document.title,
			bold: document.querySelectorAll("b, i:not(.swatch)").length,
			wide: document.documentElement.scrollWidth,
			pwned: window.pwned ?? "no" }));
		same(found, { images: 0, title: "hostile.trace - dmtrace", bold: 0,
			wide: found.wide, pwned: "no" });
		return rows.length === 6 && found.wide <= 1280;
	});
	await claim("in all panels, and for a search", async () => {
		for (const key of ["flame", "calls", "profile"]) {
			await browser.evaluate((tab) => {
				window.dmtrace.chooseMethod(2);
				window.dmtrace.setTab(tab);
				window.dmtrace.search("</script>");
			}, key);
			await settle(browser);
		}
		const methods = await browser.evaluate(() =>
			window.dmtrace.hits.reduce((sum, one) => sum + one));
		same([methods, browser.errors, browser.console], [1, [], []]);
	});
}

async function checkTwo(browser, page) {
	await claim("of two traces one is chosen", async () => {
		await browser.open(`file://${page}`);
		const first = await shownRows(browser);
		await browser.evaluate(() => {
			const select = document.querySelector(
				"select[aria-label='Trace']");
			select.value = "1";
			select.dispatchEvent(new Event("change"));
		});
		const second = await shownRows(browser);
		return String(first) !== String(second) &&
			String(second) === String(wantedRows("two.trace", "wall"));
	});
	await claim("the address says which", async () => {
		await settle(browser);
		return (await browser.evaluate(() => location.hash))
			.startsWith("#trace=1");
	});
}

// Work of a frame while it moves and zooms, and how soon it can be used.
async function measure(browser, page) {
	const usable = [], frames = [];
	await browser.send("Page.addScriptToEvaluateOnNewDocument", { source: `
		window.work = [];
		const request = window.requestAnimationFrame.bind(window);
		window.requestAnimationFrame = (f) => request((now) => {
			const start = performance.now();
			f(now);
			window.work.push(performance.now() - start);
		});` });
	for (let i = 0; i < 5; i++) {
		await browser.open(`file://${page}`);
		await browser.until(() => window.dmtrace.tree !== null &&
			document.querySelector("table.methods") !== null &&
			!window.dmtrace.timeline.frame);
		usable.push(await browser.evaluate(() => Math.max(
			performance.getEntriesByName("usable")[0].startTime,
			performance.getEntriesByName("first-contentful-paint")[0]
				.startTime)));
		const work = await browser.evaluate(async () => {
			const { timeline } = window.dmtrace;
			timeline.foldAll(false);
			const next = () => new Promise((resolve) =>
				requestAnimationFrame(() => setTimeout(resolve)));
			for (let n = 0; n < 8; n++) {
				timeline.request();
				await next();
			}
			window.work.length = 0;
			for (let n = 0; n < 200; n++) {
				const { from, to } = window.dmtrace.view;
				if (n % 100 < 60)
					timeline.zoom(n < 100 ? 0.9 : 1.1);
				else
					window.dmtrace.setView({
						from: from + (to - from) / 30,
						to: to + (to - from) / 30 });
				await next();
			}
			return window.work.filter((one) => one > 0.1)
				.sort((a, b) => a - b);
		});
		frames.push(work[Math.floor(work.length * 0.95)]);
	}
	const median = (all) => all.sort((a, b) => a - b)[2];
	console.log(`# usable after ${median(usable).toFixed(0)} ms; 95 % of ` +
		`frames take less than ${median(frames).toFixed(1)} ms`);
	await claim("a million events can be used after 2 s", () =>
		median(usable) <= 2000);
	await claim("a frame takes 16 ms at most, of 95 %", () =>
		median(frames) <= 16);
}

async function main() {
	const browser = new Browser("browser");
	await browser.start();
	for (const page of process.argv.slice(3)) {
		const name = path.basename(page, ".html");
		if (name === "hostile")
			await checkHostile(browser, path.resolve(page));
		else if (name === "both")
			await checkTwo(browser, path.resolve(page));
		else if (name === "million")
			await measure(browser, path.resolve(page));
		else
			await checkTrace(browser, path.resolve(page), name);
	}
	await browser.close();
	fs.writeFileSync("counts", `cases=${number - 1}\nfailures=${failures}\n`);
}

main().catch((error) => {
	console.log(`not ok ${number} - the browser goes on`);
	console.log(error.stack.replace(/^/gm, "# "));
	process.exit(1);
});
