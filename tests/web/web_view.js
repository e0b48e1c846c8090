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
const { readPage } = require("./read_page.js");
const { claim, median, quiet, run, same } = require("./web_cases.js");

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
	return (row.class.replaceAll("/", ".") +
		(row.class && row.name ? "." : "") + row.name +
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

// Until nothing is left to be drawn.
function settle(browser) {
	return browser.until(() => {
		const { dmtrace: page } = window;
		return page !== undefined && !page.panels.drawing &&
			!page.search.waiting && !page.timeline.frame &&
			!page.timeline.threads.waiting;
	});
}

// Until the page has a frame of this size.
async function resize(browser, width, height) {
	await browser.resize(width, height);
	await browser.evaluate(() => new Promise((resolve) =>
		requestAnimationFrame(() => requestAnimationFrame(resolve))));
	await settle(browser);
}

// The address, when it is written.
async function addressOf(browser) {
	await browser.until(() => !window.dmtrace.address.keeping);
	return browser.evaluate(() => location.href);
}

// Opens a page, with the figures of all threads.
async function openPage(browser, url) {
	await browser.open(url.includes("#") ? url : `${url}#thread=all`);
	await settle(browser);
}

const boxOf = (browser, selector) => browser.evaluate((wanted) => {
	const { x, y, width, height } = document.querySelector(wanted)
		.getBoundingClientRect();
	return { x, y, width, height };
}, selector);

const stateOf = (browser) => browser.evaluate(() => {
	const { clock, view, range, thread, method, selected, span } =
		window.dmtrace;
	return { clock, view, range, thread, method, selected, span };
});

const textOf = (browser, selector) => browser.evaluate((wanted) =>
	document.querySelector(wanted).innerText, selector);

// What a canvas shows at a place: red, green, blue.
function pixelOf(browser, canvas, x, y) {
	return browser.evaluate((name, left, top) => {
		const copy = document.createElement("canvas");
		copy.width = copy.height = 1;
		const context = copy.getContext("2d",
			{ willReadFrequently: true });
		context.drawImage(document.querySelector(name), -left, -top);
		return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
	}, canvas, Math.floor(x), Math.floor(y));
}

function choose(browser, label, value) {
	return browser.evaluate((one, other) => {
		const select = document.querySelector(
			`select[aria-label^="${one}"]`);
		select.value = other;
		select.dispatchEvent(new Event("change"));
	}, label, value);
}

async function type(browser, label, text) {
	await browser.evaluate((wanted) => {
		const box = document.querySelector(
			`input[aria-label^="${wanted}"]`);
		box.focus();
		box.select();
	}, label);
	await browser.send("Input.insertText", { text });
	await settle(browser);
}

// The same rows, as the page shows them.
async function shownRows(browser) {
	await settle(browser);
	await browser.evaluate(() => {
		window.dmtrace.panels.profile.shown = Infinity;
		window.dmtrace.panels.drawNow();
	});
	const rows = await browser.evaluate(() => [...document
		.querySelectorAll("table.methods tr[data-method]")].map((row) =>
			{
		const cell = (name) => (row.querySelector(
			`td.${name} .duration`)?.title ?? row.querySelector(
			`td.${name}`).textContent).replace(/[, µs]/g, "");
		return [row.querySelector(".method").title.slice(0, 200) ||
			"(toplevel)", cell("inclusive"), cell("exclusive"),
		cell("calls"), cell("recursive")];
	}));
	return sorted(rows);
}

async function checkTrace(browser, page, name) {
	const trace = page.replace(/\.html$/, ".trace");
	const state = () => stateOf(browser);

	await claim(`${name}: first the main thread is shown`, async () => {
		await openPage(browser, `file://${page}#`);
		const thread = await browser.evaluate(() => {
			const { trace: { threads } } = window.dmtrace;
			return threads[document.querySelector(
				"select[aria-label^='Threads']").value];
		});
		same([thread.name, await shownRows(browser)], ["main",
			wantedRows(trace, "wall", `-t${thread.number}`)]);
	});
	await claim(`${name}: without waiting, times are CPU times`, async () =>
		{
		const wanted = report(trace, "-tmain");
		await choose(browser, "Waiting", "without");
		same(await shownRows(browser), sorted(wanted.filter((row) =>
			/top|method/.test(row.kind)).map((row) =>
			rowOf(row, "cpu"))));
		const text = await textOf(browser, ".panels > .tools .status");
		await choose(browser, "Waiting", "with");
		return / of waiting is left out$/.test(text);
	});
	await claim(`${name}: it is shown`, async () => {
		await openPage(browser, `file://${page}`);
		same(await shownRows(browser), wantedRows(trace, "wall"));
	});
	await claim(`${name}: the figures of each clock`, async () => {
		await choose(browser, "Clock", "cpu");
		same(await shownRows(browser), wantedRows(trace, "cpu"));
		await choose(browser, "Clock", "wall");
	});
	await claim(`${name}: of one thread`, async () => {
		const thread = await browser.evaluate(() => {
			const { trace: { main, threads } } = window.dmtrace;
			return threads[main];
		});
		await choose(browser, "Threads", thread.index);
		same(await shownRows(browser), wantedRows(trace, "wall",
			`-t${thread.number}`));
		await choose(browser, "Threads", -1);
	});
	await claim(`${name}: of a range, by a drag on the ruler`, async () => {
		const box = await boxOf(browser, ".ruler");
		await browser.drag(box.x + box.width * 0.21,
			box.x + box.width * 0.64, box.y + 10);
		const { range } = await state();
		same(await shownRows(browser), wantedRows(trace, "wall",
			`--from=${us(range.from)}us`,
				`--to=${us(range.to)}us`));
	});
	await claim(`${name}: its end by a click`, async () => {
		const box = await boxOf(browser, ".ruler");
		await browser.click(box.x + 200, box.y + 10);
		same((await state()).range, null);
	});
	await claim(`${name}: the wheel zooms at the pointer`, async () => {
		const box = await boxOf(browser, ".lanes"), before =
			await state();
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
		const box = await boxOf(browser, ".lanes"), before =
			await state();
		await browser.drag(box.x + 500, box.x + 400, box.y + 60);
		const { view } = await state();
		const moved = (view.from - before.view.from) /
			(view.to - view.from) * box.width;
		return Math.abs(moved - 100) < 20;
	});
	await claim(`${name}: a click selects a call`, async () => {
		const lane = await boxOf(browser, ".lanes");
		await browser.key("0");
		await browser.evaluate(() => {
			window.dmtrace.timeline.scroller.scrollTop = 0;
		});
		await browser.click(lane.x + lane.width / 2, lane.y + 30);
		const { selected } = await state();
		return selected !== null && selected.depth === await browser
			.evaluate(() => window.dmtrace.timeline.threads
				.items[0].skip);
	});
	await claim(`${name}: arrows go to a callee and back`, async () => {
		const before = (await state()).selected;
		await browser.key("ArrowDown");
		const below = (await state()).selected;
		await browser.key("ArrowUp");
		same((await state()).selected, before);
		const text = await browser.evaluate(() => document
			.querySelector("[aria-live]").textContent);
		return below.depth === before.depth + 1 &&
			text.includes(`depth ${before.depth + 1},`);
	});
	await claim(`${name}: its range has its time`, async () => {
		await browser.key("m");
		const { range } = await state();
		await browser.key("Escape");
		return range !== null && (await state()).range === null;
	});

	const rows = report(trace, "--callers", "--callees",
		"--sort=inclusive");
	const methods = rows.filter((row) => row.kind === "method");
	// Some method with callers and callees of its own.
	const chosen = methods.find((row) => rows.some((one) =>
		one.kind === "callee" && one.of === row.index)) ?? methods[0];
	await claim(`${name}: a method unfolds to callers`, async () => {
		const sum = new Map();
		for (const row of rows)
			if (/^callers?/.test(row.kind) && row.of ===
				chosen.index)
				sum.set(nameOf(row),
					(sum.get(nameOf(row)) ?? 0) +
					Number(row.calls));
		const found = await browser.evaluate((wanted) => {
			const button = [...document.querySelectorAll(
				"tr[data-method] .foldable")].find((one) =>
				one.title.slice(0, 200) === wanted);
			button.click();
			const callers = [];
			let row = button.closest("tr").nextElementSibling;
			while (!(row = row.nextElementSibling).classList
				.contains("kind"))
				callers.push(
					`${row.querySelector(".method").title
					.slice(0, 200) || "(toplevel)"},${row
					.querySelector("td.calls").textContent
					.replace(/,/g, "")}`);
			return callers;
		}, nameOf(chosen));
		same(found.sort(), sorted([...sum]));
	});
	await claim(`${name}: the longest call is first in the list`,
		async () => {
			await browser.evaluate(() =>
				[...document.querySelectorAll(
				".detail button")].find((one) => /longest/.test(
				one.textContent)).click());
			await settle(browser);
			const { count, took } = await browser.evaluate(() => {
				const cells = document.querySelectorAll(
					"table.calls td:nth-child(2) .duration");
				return { count: document.querySelector(
					"#panel > :not([hidden]) .status").value
					.match(/: (\S+) call/)[1].replace(/,/g,
						""),
				took: [...cells].map((one) => Number(one.title
					.replace(/[, µs]/g, ""))) };
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
		await type(browser, "Search methods", word);
		let calls = 0, count = 0;
		for (const row of methods)
			if (nameOf(row).toLowerCase().includes(word)) {
				calls += Number(row.calls) +
					Number(row.recursive_calls);
				count++;
			}
		const found = await browser.evaluate(() => {
			window.dmtrace.search.goToNext(1);
			const { selected } = window.dmtrace;
			return { text: document.querySelector(".found").value
				.replace(/[\s,]/g, ""), hit: selected !==
					null &&
				window.dmtrace.search.hits[window.dmtrace.method] };
		});
		same(found, { text: `${calls}call${calls === 1 ? "" : "s"}of${
			count}method${count === 1 ? "" : "s"}`, hit: 1 });
	});
	await claim(`${name}: a frame of the flame graph zooms`, async () => {
		await browser.evaluate(() =>
			document.getElementById("tab-flame")
			.click());
		await settle(browser);
		return browser.evaluate(() => {
			const { flame } = window.dmtrace.panels;
			const [, { node }] = flame.frames;
			flame.zoomTo(node);
			window.dmtrace.panels.drawNow();
			const [wide] = flame.frames.slice(-1);
			return flame.frames[1].node === node && wide.width >
				0 &&
				flame.frames[1].width === flame.frames[0].width;
		});
	});
	await claim(`${name}: transforms agree with a selection`, async () => {
		const pattern = `${chosen.class.replaceAll("/", ".")}.${
			chosen.name}`;
		for (const [kind, option] of [["f", "--under"],
			["m", "--hide"]]) {
			const wanted =
				report(trace, `${option}=${pattern}`).filter(
				(row) => row.kind === "method" &&
					Number(row.calls) +
				Number(row.recursive_calls) > 0).map((row) =>
				[nameOf(row), row.inclusive_wall_ns,
					row.exclusive_wall_ns,
						Number(row.calls) +
				Number(row.recursive_calls)]);
			const found =
				await browser.evaluate((letter, label) => {
				const { dmtrace: app } = window;
				const all = app.trace.methods.filter((one) =>
					one.label === label && app.trace.same[
						one.index] === one.index);
				if (all.length !== 1)
					return null;
				location.hash = `thread=all&only=${letter}${
					all[0].index}`;
				app.address.read();
				const made =
					app.sums.tree.profile().rows.map(
						(row) => [
					app.nameOf(row.method).slice(0, 200),
					row.inclusive.wall, row.exclusive.wall,
					row.calls + row.recursive]);
				location.hash = "thread=all";
				app.address.read();
				return made;
			}, kind, pattern);
			if (found !== null)
				same(sorted(found), sorted(wanted));
		}
		await browser.evaluate(() => window.dmtrace.setTab("flame"));
	});
	await claim(`${name}: bottom-up, methods have their exclusive time`,
		async () => {
			const found = await browser.evaluate(() => {
				const { dmtrace: app } = window;
				app.setDirection("up");
				const made =
					app.sums.stacks[0].children.map((one) =>
						[
					one.method, one.total, one.calls]);
				const all = app.sums.tree.profile().rows;
				app.setDirection("down");
				return [made, all.map((row) => [row.method,
					row.exclusive.wall, row.calls +
					row.recursive])];
			});
			same(sorted(found[0]), sorted(found[1].filter(([, time,
				calls]) => time > 0 || calls > 0)));
		});
	await claim(`${name}: the address has it all`, async () => {
		const url = await addressOf(browser);
		const before = await state();
		await openPage(browser, url);
		const after = await state();
		same({ ...after, view: null }, { ...before, view: null });
		same([us(after.view.from), us(after.view.to)],
			[us(before.view.from), us(before.view.to)]);
		same(await browser.evaluate(() => window.dmtrace.tab), "flame");
	});
	await claim(`${name}: a copy that was saved works`, async () => {
		await openPage(browser, `file://${page}`);
		const shown = await shownRows(browser);
		fs.writeFileSync("saved.html", await browser.evaluate(() =>
			`<!DOCTYPE html>\n${
				document.documentElement.outerHTML}`));
		await openPage(browser, `file://${path.resolve("saved.html")}`);
		same(await shownRows(browser), shown);
	});
	await claim(`${name}: it fits in 500 pixels`, async () => {
		await resize(browser, 500, 800);
		const width = await browser.evaluate(() =>
			document.documentElement.scrollWidth);
		await resize(browser, 1280, 800);
		return width <= 500;
	});
	await claim(`${name}: what one can press has a name`, () =>
		browser.evaluate(() => [...document.querySelectorAll(
			"button, input, select, canvas, [role='application']")]
			.every((one) => (one.getAttribute("aria-label") ??
				one.textContent).trim() !== "" ||
				one.getAttribute("aria-hidden") === "true")));
	await claim(`${name}: no error, no message, no request`, () =>
		quiet(browser));
}

// Of a trace that web_view.sh wrote: what is to be seen of it is known.
//
//	main 1:    o 0..100
//	worker 2:  m 0..1000, in it n 100..400, n 500..900, in that o 600..700
async function checkKnown(browser, page) {
	const heads = () => browser.evaluate(() => [...document
		.querySelectorAll(".head")].map((one) =>
		`${one.innerText} ${one.getAttribute("aria-expanded")}`));
	const methods = () => browser.evaluate(() => [...document
		.querySelectorAll("tr[data-method] .method")].map((one) =>
		one.innerText.trim()));
	const press = (selector) => browser.evaluate((wanted) =>
		document.querySelector(wanted).click(), selector);
	// The middle of a row of the timeline at a time in microseconds, in the
	// window; row 0 is the outermost of worker.
	const placeOf = async (time, row) => {
		const { x, y, width } = await boxOf(browser, ".lanes");
		const { view } = await stateOf(browser);
		return [x + (time * 1000 - view.from) /
			(view.to - view.from) * width, y + 22 + row * 16 + 7];
	};
	const colorAt = async (time, row) => {
		const [x, y] = await placeOf(time, row);
		const box = await boxOf(browser, ".bars");
		return pixelOf(browser, ".bars", x - box.x, y - box.y);
	};
	const bright = async (time, row) => (await colorAt(time, row))
		.reduce((sum, one) => sum + one);
	// The hue there, in degrees; -1: none.
	const hueAt = async (time, row) => {
		const [r, g, b] = await colorAt(time, row);
		const most = Math.max(r, g, b), range = most -
			Math.min(r, g, b);
		return range < 10 ? -1 : Math.round(60 * (most === r ?
			((g - b) / range + 6) % 6 : most === g ?
				(b - r) / range + 2 : (r - g) / range + 4));
	};
	const lengthOf = ({ view }) => view.to - view.from;

	await openPage(browser, `file://${page}#thread=all&order=calls`);
	await claim("threads are in the order of their calls", async () =>
		same(await heads(), ["worker 2 · 4 calls true",
			"main 1 · 1 call true"]));
	await claim("bars are nested", async () => {
		const colored = [];
		for (const [time, row] of [[450, 0], [250, 1], [450, 1],
			[550, 1], [650, 2], [750, 2]])
			colored.push(await hueAt(time, row) >= 0);
		same(colored, [true, true, false, true, true, false]);
	});
	await claim("colored by package", async () => {
		const [m, n, o] = [await hueAt(450, 0), await hueAt(250, 1),
			await hueAt(650, 2)];
		return Math.abs(m - n) < 4 && Math.abs(m - o) > 10;
	});
	await claim("a press on its head folds a thread", async () => {
		await press(".head");
		await settle(browser);
		same((await heads())[0], "worker false");
		await press(".head");
		await settle(browser);
		same((await heads())[0], "worker 2 · 4 calls true");
	});
	await claim("threads are filtered by name", async () => {
		await type(browser, "Filter threads", "MAI");
		same(await heads(), ["main 1 · 1 call true"]);
		await type(browser, "Filter threads", "none");
		await settle(browser);
		same([await heads(), await textOf(browser, ".lanes .empty")],
			[[], "No thread has such a name."]);
		await type(browser, "Filter threads", "");
	});
	await claim("all threads are a choice, with their sum", async () => {
		same(await browser.evaluate(() => [document.querySelector(
			"select[aria-label^='Threads']").options[0].text,
		document.querySelector(".panels > .tools .status").value]),
		["All threads: 1.10 ms", "1.10 ms = sum over 2 threads"]);
	});
	await claim("what is off the CPU can be left out, or shown alone",
		async () => {
			const found = [];
			for (const value of ["without", "only", "with"]) {
				await choose(browser, "Waiting", value);
				await press("#tab-flame");
				await settle(browser);
				const widths = await browser.evaluate(() => {
					const { panels: { flame }, trace } =
						window.dmtrace;
					const [{ width }] = flame.frames;
					return flame.frames.map((one) =>
						`${trace.methods[
						one.node.method]?.name} ${Math.round(
						100 * one.width / width)}`);
				});
				await press("#tab-profile");
				await settle(browser);
				found.push([widths.join(", "),
					await textOf(browser,
					".panels > .tools .status"),
						await textOf(
					browser, "td.inclusive")]);
			}
			same(found, [
				["undefined 100, m 91, o 9, n 55, o 9",
					"550 µs = sum over 2 threads; 550 µs of " +
					"waiting is left out", "550 µs"],
				["undefined 100, m 91, o 9, n 73, o 9",
					"550 µs = sum over 2 threads; 550 µs on " +
					"the CPU is left out", "550 µs"],
				["undefined 100, m 91, o 9, n 64, o 9",
					"1.10 ms = sum over 2 threads",
						"1.10 ms"]]);
		});
	await claim("hover shows a call and its times", async () => {
		const [x, y] = await placeOf(550, 1);
		await browser.mouse("mouseMoved", x, y, { button: "none",
			buttons: 0 });
		same((await textOf(browser, ".timeline .tip")).split("\n"), [
			"com.x.A.n()", "worker 2, depth 2, at 500 µs, " +
			"1 callee", "Wall time: 400 µs inclusive, 300 µs " +
			"exclusive",
				"CPU time: 200 µs inclusive, 150 µs exclusive",
		]);
	});
	await claim("a click selects it, and m its range", async () => {
		const [x, y] = await placeOf(550, 1);
		await browser.click(x, y);
		await browser.key("m");
		const { selected, range } = await stateOf(browser);
		same([selected, range], [{ thread: 1, depth: 1, at: 1 },
			{ from: 500000, to: 900000 }]);
	});
	await claim("the range restricts the profile", async () => {
		await settle(browser);
		same(await browser.evaluate(() => [...document
			.querySelectorAll("td.inclusive")].map((one) =>
			one.innerText)),
				["400 µs", "400 µs", "400 µs", "100 µs"]);
	});
	await claim("the flame graph", async () => {
		await press("#tab-flame");
		await settle(browser);
		same(await browser.evaluate(() => {
			const { flame } = window.dmtrace.panels;
			return flame.frames.map(({ width, depth }) => [depth,
				Math.round(100 *
					width / flame.frames[0].width)]);
		}), [[0, 100], [1, 100], [2, 100], [3, 25]]);
	});
	await claim("and the calls", async () => {
		await press("#tab-calls");
		await settle(browser);
		same(await browser.evaluate(() => [...document
			.querySelectorAll("table.calls tbody tr")].map((one) =>
			one.innerText.split("\t"))), [["at 500 µs", "400 µs",
			"300 µs", "worker 2", "2"]]);
		const text = await textOf(browser,
			"#panel > :not([hidden]) .status");
		if (!text.startsWith("com.x.A.n(): 1 call"))
			throw new Error(text);
	});
	await claim("a row unfolds while figures are still to come", async () =>
		{
		await press("#tab-profile");
		await settle(browser);
		const rows = await browser.evaluate(() => {
			window.dmtrace.setRange(null, true);
			document.querySelectorAll("tr .foldable")[1].click();
			return document.querySelectorAll("tr.detail").length;
		});
		await settle(browser);
		same([rows, await browser.evaluate(() => [...document
			.querySelectorAll("tr.detail")].map((one) =>
			one.innerText.split("\t").slice(0,
				2).join(" ").trim()))],
		[5, ["Called by", "com.x.A.m() 700 µs", "Calls",
			"org.y.C.o() 100 µs",
				"List the calls, longest first"]]);
		await press("tr [aria-expanded='true']");
	});
	await claim("the focus stays where the table is made anew", async () =>
		{
		await browser.evaluate(() => {
			document.querySelectorAll("tr button.fold")[1].focus();
			window.dmtrace.setRange({ from: 0, to: 950000 }, true);
		});
		await settle(browser);
		const found = await browser.evaluate(() =>
			document.activeElement.closest("th").innerText.trim());
		await browser.key("Escape");
		same(found, "com.x.A.n()");
	});
	await claim("a press on a heading sorts, another turns", async () => {
		const orders = [];
		for (const key of ["calls", "calls", "name", "exclusive"]) {
			await press(`[data-sort="${key}"] button`);
			await settle(browser);
			orders.push((await methods()).slice(1).map((one) =>
				one.at(-3)).join("") + await browser
				.evaluate((wanted) => document.querySelector(
					`[data-sort="${wanted}"]`).ariaSort,
						key));
		}
		same(orders, ["nomdescending",
			"mnoascending", "mnoascending", "nmodescending"]);
		await press("[data-sort='inclusive'] button");
		await settle(browser);
	});
	await claim("methods are filtered by name", async () => {
		await type(browser, "Filter methods", "A.N");
		same([await methods(), await textOf(browser, "#panel .status")],
			[["com.x.A.n()"], "1 of 3 methods"]);
		await type(browser, "Filter methods", "com/x/A.n");
		same(await methods(), ["com.x.A.n()"]);
		await type(browser, "Filter methods", "");
	});
	await claim("a search dims the other bars, and marks its hits",
		async () => {
			const before = await bright(450, 0);
			const { width } = await boxOf(browser, ".overview");
			const marked = async () => same(await pixelOf(browser,
				".overview", width * 0.6 + 1, 2),
					[215, 38, 61]);
			await type(browser, "Search methods", "c/O");
			await marked();
			await type(browser, "Search methods", "c.O");
			await marked();
			same([await textOf(browser, ".found"), await hueAt(650,
				2) >= 0], ["2 calls of 1 method", true]);
			await browser.evaluate(() =>
				document.activeElement.blur());
			await browser.key("Escape");
			await browser.key("n");
			const { selected } = await stateOf(browser);
			await browser.key("n");
			same([selected, (await stateOf(browser)).selected],
				[{ thread: 0, depth: 0, at: 0 },
					{ thread: 1, depth: 2, at: 0 }]);
			const dimmed = await bright(450, 0);
			await type(browser, "Search methods", "");
			return before < dimmed;
		});
	await claim("keys zoom and move", async () => {
		await browser.evaluate(() => document.activeElement.blur());
		await browser.key("0");
		for (const [key, wanted] of [["w", (one, old) => lengthOf(one) <
			0.5 * lengthOf(old)],
				["d", (one, old) => one.view.from >
			old.view.from], ["a", (one, old) => one.view.from <
			old.view.from], ["s", (one, old) => lengthOf(one) >
			lengthOf(old)]]) {
			const before = await stateOf(browser);
			await browser.send("Input.dispatchKeyEvent",
				{ type: "keyDown", key, text: key });
			while (!wanted(await stateOf(browser), before))
				await browser.evaluate(() => new Promise(
					requestAnimationFrame));
			await browser.send("Input.dispatchKeyEvent",
				{ type: "keyUp", key });
		}
		await browser.key("0");
	});
	await claim("two fingers zoom, and move", async () => {
		const [x, y] = await placeOf(500, 0);
		await browser.touch("touchStart", [x - 50, y]);
		await browser.touch("touchStart", [x - 50, y], [x + 50, y]);
		for (let i = 1; i <= 5; i++)
			await browser.touch("touchMove", [x - 50 - 10 * i, y],
				[x + 50 + 10 * i, y]);
		await browser.touch("touchEnd");
		const { view, span } = await stateOf(browser);
		same([(span.to - span.from) / (view.to - view.from),
			(view.from + view.to) / 2].map(Math.round),
				[2, 500000]);
		await browser.key("0");
	});
	await claim("one finger moves", async () => {
		await browser.evaluate(() => window.dmtrace.setView(
			{ from: 200000, to: 600000 }));
		const [x, y] = await placeOf(300, 0), [left] =
			await placeOf(400, 0);
		await browser.touch("touchStart", [left, y]);
		for (let i = 1; i <= 5; i++)
			await browser.touch("touchMove",
				[left + (x - left) * i / 5, y]);
		await browser.touch("touchEnd");
		const { view: { from, to } } = await stateOf(browser);
		await browser.key("0");
		same([from, to].map((one) => Math.round(one / 1000)),
			[300, 700]);
	});
	await claim("wheel and Shift move", async () => {
		await browser.evaluate(() => window.dmtrace.setView(
			{ from: 200000, to: 600000 }));
		const [x, y] = await placeOf(300, 0);
		await browser.mouse("mouseWheel", x, y,
			{ deltaX: 0, deltaY: 128, modifiers: 8 });
		const { view } = await stateOf(browser);
		await browser.key("0");
		return view.from > 201000 && Math.round(view.to - view.from) ===
			400000;
	});
	await claim("it zooms down to the clock's unit", async () => {
		for (let i = 0; i < 30; i++)
			await browser.evaluate(() =>
				window.dmtrace.timeline.zoom(0.5, 500000));
		const { view } = await stateOf(browser);
		same(Math.round(view.to - view.from), 10000);
	});
	await claim("the ruler has units for it", async () => {
		const labels = () => browser.evaluate(() => {
			const { ruler, drawRuler } = window.dmtrace.timeline;
			const texts = [], context = ruler.getContext("2d");
			context.fillText = (text) => texts.push(text);
			drawRuler.call(window.dmtrace.timeline);
			delete context.fillText;
			return texts.slice(0, 3);
		});
		same(await labels(), ["496 µs", "498 µs", "500 µs"]);
		await browser.key("0");
		same(await labels(), ["0", "200 µs", "400 µs"]);
	});
	await claim("a drag on the overview chooses what is seen", async () => {
		const box = await boxOf(browser, ".overview");
		await browser.drag(box.x + box.width * 0.25,
			box.x + box.width * 0.75, box.y + 20);
		const { view } = await stateOf(browser);
		same([view.from, view.to].map((one) => Math.round(one / 1000)),
			[250, 750]);
		await browser.click(box.x + box.width * 0.7, box.y + 20);
		same(Math.round((await stateOf(browser)).view.from / 1000),
			450);
		await browser.key("0");
	});
	await claim("entries of a log are marks, two of three", async () => {
		await settle(browser);
		same((await textOf(browser, ".summary")).split(" · ").pop(),
			"2 log entries");
		const { width } = await boxOf(browser, ".entries");
		for (const part of [0.25, 0.7])
			same(await pixelOf(browser, ".entries", width * part,
				9),
				[138, 62, 194]);
	});
	await claim("hover shows an entry", async () => {
		const { x, y, width } = await boxOf(browser, ".entries");
		await browser.mouse("mouseMoved", x + width * 0.25 + 2, y + 9,
			{ button: "none", buttons: 0 });
		same((await textOf(browser, ".timeline .tip")).split("\n"),
			["am_start", "worker 2, at 250 µs",
				"2011-11-23T20:12:41.000250Z",
					"User=7 Name=com.x"]);
	});
	await claim("a click selects it", async () => {
		const { x, y, width } = await boxOf(browser, ".entries");
		await browser.click(x + width * 0.7 + 2, y + 9);
		same((await textOf(browser, ".about > div")).split("\n"),
			["[43]", "thread 9, at 700 µs",
				"2011-11-23T20:12:41.000700Z", "</script><b>"]);
		return (await addressOf(browser)).endsWith("entry=1");
	});
	await claim("keys go to the others, and announce them", async () => {
		await browser.key("E");
		same(await browser.evaluate(() => document.querySelector(
			"[aria-live]").textContent), "am_start, worker 2, at " +
			"250 µs: User=7 Name=com.x");
		await browser.key("e");
		await browser.key("e");
		same(await browser.evaluate(() => document.querySelector(
			"[aria-live]").textContent), "No more entries");
	});
	await claim("the log lists those of a range and a thread", async () => {
		const listed = async () => {
			await settle(browser);
			return browser.evaluate(() => [...document
				.querySelectorAll("table.log tbody tr")].map(
				(one) => one.innerText));
		};
		const rows =
			["at 250 µs\tam_start\tUser=7 Name=com.x\tworker 2",
			"at 700 µs\t[43]\t</script><b>\tthread 9"];
		await press("#tab-log");
		same(await listed(), rows);
		await choose(browser, "Threads", 1);
		same(await listed(), rows.slice(0, 1));
		await choose(browser, "Threads", -1);
		await browser.evaluate(() => window.dmtrace.setRange(
			{ from: 251000, to: 701000 }, true));
		same(await listed(), rows.slice(1));
		await browser.key("Escape");
		await type(browser, "Filter entries", "USER");
		same(await listed(), rows.slice(0, 1));
		await press("table.log tbody button");
		same(await browser.evaluate(() => window.dmtrace.entry), 0);
	});
	await claim("their times are wall times", async () => {
		await choose(browser, "Clock", "cpu");
		await settle(browser);
		same(await browser.evaluate(() => [window.dmtrace.tab,
			document.getElementById("tab-log").hidden,
			document.querySelector(".entries").hidden]),
		["profile", true, true]);
		await choose(browser, "Clock", "wall");
	});
	await claim("tabs are chosen by arrows", async () => {
		await browser.evaluate(() =>
			document.getElementById("tab-profile").focus());
		await browser.key("ArrowRight");
		const first = await browser.evaluate(() =>
			document.activeElement.id);
		await browser.key("ArrowLeft");
		same([first, await browser.evaluate(() =>
			document.activeElement.id)],
				["tab-flame", "tab-profile"]);
	});
	await claim("a screen reader finds its parts", async () => {
		const { nodes } = await browser.send(
			"Accessibility.getFullAXTree");
		const found = new Set(nodes.filter((one) => !one.ignored).map(
			(one) => `${one.role.value}: ${one.name?.value}`));
		same(["heading: known.trace", "region: Timeline",
			"application: Timeline of 2 threads, 1.00 ms",
			"tab: Profile", "tabpanel: Profile",
			"searchbox: Search methods", "combobox: Clock",
			"table: Methods, their times and calls"].filter((one) =>
			!found.has(one)), []);
	});
	await claim("it is dark where that is preferred, or chosen", async () =>
		{
		const ground = () => browser.evaluate(() =>
			getComputedStyle(document.body).backgroundColor);
		const prefer = (value) => browser.send(
			"Emulation.setEmulatedMedia", { features: [
				{ name: "prefers-color-scheme", value }] });
		const found = [];
		await prefer("dark");
		found.push(await ground());
		await press("button[aria-label^='Theme']");
		found.push(await ground());
		await prefer("light");
		await press("button[aria-label^='Theme']");
		found.push(await ground());
		await press("button[aria-label^='Theme']");
		found.push(await ground());
		same(found, ["rgb(21, 23, 28)", "rgb(255, 255, 255)",
			"rgb(21, 23, 28)", "rgb(255, 255, 255)"]);
	});
	await claim("all of it without an error or a request", () =>
		quiet(browser));
}

// The tree of calls, on the page of known.trace: m calls n twice, n calls o,
// which main calls, too.
async function checkTree(browser, page) {
	const rows = async () => {
		await settle(browser);
		return browser.evaluate(() => [...document.querySelectorAll(
			"[role='treeitem']")].map((one) =>
				[...one.children].map(
			(cell) => cell.innerText.trim()).filter((_, i) =>
			i === 0 || i === 1 || i === 5).join(" ")));
	};
	const press = (at) => browser.evaluate((place) => document
		.querySelectorAll("[role='treeitem']")[place].click(), at);

	await openPage(browser, `file://${page}#thread=all&tab=tree`);
	await claim("a tree from the top down", async () => {
		const first = await rows();
		await press(1);
		await press(2);
		same([first, await rows()], [["(toplevel) 1.10 ms 0",
			"com.x.A.m() 1.00 ms 1", "org.y.C.o() 100 µs 1"],
		["(toplevel) 1.10 ms 0", "com.x.A.m() 1.00 ms 1",
			"com.x.A.n() 700 µs 2", "org.y.C.o() 100 µs 1",
			"org.y.C.o() 100 µs 1"]]);
	});
	await claim("from the bottom up", async () => {
		await choose(browser, "Direction", "up");
		await rows();
		await press(3);
		same(await rows(), ["(toplevel) 1.10 ms 0",
			"com.x.A.n() 600 µs 2", "com.x.A.m() 300 µs 1",
			"org.y.C.o() 200 µs 2", "com.x.A.n() 100 µs 1"]);
	});
	await claim("callers and callees of a method", async () => {
		await browser.evaluate(() => window.dmtrace.chooseMethod(
			window.dmtrace.trace.methods.findIndex(({ name }) =>
				name === "n")));
		await choose(browser, "Direction", "around");
		same(await rows(), ["Callers of com.x.A.n() 700 µs 2",
			"com.x.A.m() 700 µs 2",
				"Callees of com.x.A.n() 700 µs 2",
			"org.y.C.o() 100 µs 1"]);
	});
	await claim("keys go through the rows", async () => {
		const texts = [];
		await browser.evaluate(() =>
			document.querySelector("[role='tree']").focus());
		for (const key of ["ArrowDown", "ArrowUp", "ArrowLeft", "End",
			"ArrowLeft"]) {
			await browser.key(key);
			await settle(browser);
			texts.push(await browser.evaluate(() => {
				const tree =
					document.querySelector("[role='tree']");
				return document.getElementById(
					tree.getAttribute(
					"aria-activedescendant")).children[0].innerText
					.trim();
			}));
		}
		same(texts, ["com.x.A.m()", "Callers of com.x.A.n()",
			"Callers of com.x.A.n()", "org.y.C.o()", "Callees of " +
			"com.x.A.n()"]);
	});
	await claim("flame graphs from the bottom up, and of a method",
		async () => {
			const found = [];
			await browser.evaluate(() => {
				document.getElementById("tab-flame").click();
			});
			for (const direction of ["up", "around"]) {
				await choose(browser, "Direction", direction);
				await settle(browser);
				found.push(await browser.evaluate(() => {
					const { panels: { flame }, trace:
						{ methods } } =
						window.dmtrace;
					const [{ width }] = flame.frames;
					return flame.frames.map((one) =>
						`${one.depth}${
						methods[one.node.method]?.name ?? ""} ${
						Math.round(100 *
							one.width / width)}`)
						.sort();
				}));
			}
			same(found, [["0 100", "1m 27", "1n 55", "1o 18",
				"2m 55", "2n 9", "3m 9"],
			["0m 100", "1n 100", "2o 14"]]);
		});
	await claim("directions are in the address", async () => {
		const address = await addressOf(browser);
		await openPage(browser, address);
		same(await browser.evaluate(() => [window.dmtrace.direction,
			window.dmtrace.tab]), ["around", "flame"]);
	});
	await claim("a tree of many rows has those that are seen", async () => {
		await choose(browser, "Direction", "down");
		const count = await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.setTab("tree");
			const [root] = app.sums.stacks;
			app.panels.drawNow();
			app.panels.tree.rows =
				Array.from({ length: 100000 }, () =>
				root);
			app.panels.tree.show();
			return document.querySelectorAll("[role='treeitem']")
				.length;
		});
		return count > 5 && count < 80;
	});
	await claim("no tree is an error", () => quiet(browser));
}

// The selected method, and what one can choose for it, on that page, too.
async function checkSelect(browser, page) {
	const methodOf = (name) => browser.evaluate((wanted) =>
		window.dmtrace.trace.methods.findIndex((one) =>
			one.name === wanted), name);
	const pick = (text) => browser.evaluate((wanted) =>
		[...document.querySelectorAll(".menu button")].find((one) =>
			one.textContent.startsWith(wanted)).click(), text);
	// Methods and times in the profile, the flame graph, the tree and the
	// timeline of worker.
	const shown = async () => {
		await settle(browser);
		const found = await browser.evaluate(() => {
			const { dmtrace: app } = window;
			const name = (method) =>
				app.trace.methods[method]?.name ??
				"-";
			const { rows } = app.sums.tree.profile();
			const lane = app.lane(1), [{ children }] =
				app.sums.stacks;
			return [rows.map((row) => `${name(row.method)} ${
				row.inclusive.wall / 1000} ${row.exclusive.wall /
				1000}`).sort().join(), children.map((one) =>
				`${name(one.method)} ${one.total / 1000}`).join(
					),
			lane.levels.map((level) => [...level.method].map(name)
				.join("")).join("/")];
		});
		return found;
	};
	const transform = async (name, text) => {
		const method = await methodOf(name);
		await browser.evaluate((one) => {
			window.dmtrace.select(null);
			window.dmtrace.chooseMethod(one);
			window.dmtrace.timeline.scroller.focus();
		}, method);
		await browser.key("c");
		await pick(text);
		return shown();
	};
	const drop = () => browser.evaluate(() =>
		document.querySelector(".chip").click());

	await openPage(browser, `file://${page}#thread=all&order=calls`);
	await claim("the selected method is marked in all places", async () => {
		const row = await browser.evaluate((method) => {
			window.dmtrace.chooseMethod(method);
			window.dmtrace.setTab("flame");
			return document.querySelectorAll("tr.chosen").length;
		}, await methodOf("n"));
		await settle(browser);
		const box = await boxOf(browser, ".bars");
		const flame = await boxOf(browser, ".flame canvas");
		const colors = [];
		for (const part of [0.2, 0.7, 0.45])
			colors.push(await pixelOf(browser, ".bars",
				box.width * part, 22 + 16));
		colors.push(await pixelOf(browser, ".flame canvas",
			flame.width * 0.3, 2 * 18 + 1));
		const accent = [26, 95, 208];
		same([row, colors, await textOf(browser,
			"#panel > :not([hidden]) .status")],
				[1, [accent, accent,
			[255, 255, 255], accent],
				"com.x.A.n: 1 frame, 63.6 %"]);
	});
	const all = ["m 1000 300,n 700 600,o 200 200", "m 1000,o 100",
		"m/nn/o"];
	await claim("focus on a function", async () => {
		same([await transform("n", "Focus on function"), await textOf(
			browser, ".chips")], [["n 700 600,o 100 100", "n 700",
			"nn/o"], "Only com.x.A.n ×"]);
		await drop();
		same(await shown(), all);
	});
	await claim("merge a function into its callers", async () => {
		same(await transform("n", "Merge"), ["m 1000 900,o 200 200",
			"m 1000,o 100", "m/o"]);
		await drop();
	});
	await claim("collapse a package", async () => {
		same(await transform("n", "Collapse package com.x"),
			["com.x.* 1000 900,o 200 200", "com.x.* 1000,o 100",
				"com.x.*/o"]);
	});
	await claim("transforms are in the address", async () => {
		const before = await shown();
		const address = await addressOf(browser);
		await openPage(browser, address);
		same(await shown(), before);
		await drop();
	});
	await claim("focus on a subtree, from a call", async () => {
		await browser.evaluate(() => window.dmtrace.goTo(
			{ thread: 1, depth: 2, at: 0 }));
		await browser.key("c");
		await pick("Focus on subtree");
		same(await shown(), ["o 100 100", "o 100", "o"]);
		await drop();
	});
	await claim("a right click opens the menu, Escape closes it",
		async () => {
			await settle(browser);
			const { x, y, width } = await boxOf(browser, ".lanes");
			await browser.click(x + width * 0.45, y + 30,
				{ button: "right" });
			const open = () => browser.evaluate(() =>
				!document.querySelector(".menu").hidden);
			const found = [await open()];
			await browser.key("Escape");
			same([...found, await open()], [true, false]);
		});
	await claim("names and stacks are copied", async () => {
		await browser.evaluate(() => {
			window.copied = [];
			Object.defineProperty(navigator, "clipboard", { value: {
				writeText: async (text) =>
					window.copied.push(text),
			} });
			window.dmtrace.goTo({ thread: 1, depth: 2, at: 0 });
		});
		for (const what of ["Copy name", "Copy stack"]) {
			await browser.key("c");
			await pick(what);
		}
		same(await browser.evaluate(() => window.copied),
			["org.y.C.o()", "at org.y.C.o()\nat com.x.A.n()\n" +
				"at com.x.A.m()\n"]);
	});
	await claim("no choice is an error", () => quiet(browser));
}

// What can be taken from the page of known.trace.
async function checkTake(browser, page) {
	const copy = async (text) => {
		await browser.evaluate((wanted) => {
			window.dmtrace.panels.copy.click();
			[...document.querySelectorAll(".menu button")].find(
				(one) =>
				one.textContent.startsWith(wanted)).click();
		}, text);
		return browser.evaluate(() => window.copied);
	};

	await openPage(browser,
		`file://${page}#thread=all&range=100000..950000`);
	await browser.evaluate(() => Object.defineProperty(navigator,
		"clipboard", { value: { writeText: async (text) => {
			window.copied = text;
		} } }));
	await claim("rows are copied with tabs", async () => {
		same((await copy("Rows")).split("\n").slice(0, 3).map((one) =>
			one.split("\t").slice(0, 3).join("|")), [
			"Method|Inclusive|%", "(toplevel)|850 µs|100.0",
			"com.x.A.m()|850 µs|100.0"]);
	});
	await claim("rows of a flame graph, too", async () => {
		await browser.evaluate(() => window.dmtrace.setTab("flame"));
		await settle(browser);
		same((await copy("Rows")).split("\n")[1],
			"0\t(toplevel)\t850000\t0\t0");
	});
	await claim("the command gives the same figures", async () => {
		await choose(browser, "Threads", 1);
		const text = await copy("Equal");
		same(text, "dmtrace report --from=100us --to=950us -t 2 take.trace");
		fs.copyFileSync("known.trace", "take.trace");
		const lines = execFileSync("sh", ["-c", `${text} -q -f tsv`],
			{ encoding: "utf8" }).split("\n");
		const column =
			lines[0].split("\t").indexOf("inclusive_wall_ns");
		same(await browser.evaluate(() =>
			String(window.dmtrace.sums.tree
			.inclusive.wall[0])), lines[1].split("\t")[column]);
	});
	await claim("so does that of a range of CPU time", async () => {
		await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.setClock("cpu");
			app.setRange({ from: 100000, to: 300000 }, true);
		});
		const text = await copy("Equal command");
		same(text, "dmtrace convert --clock=cpu take.trace | " +
			"dmtrace report --from=100us --to=300us -t 2 -");
		const lines = execFileSync("sh", ["-c", `${text} -q -f tsv`],
			{ encoding: "utf8" }).split("\n");
		const [names, top] = lines.map((line) => line.split("\t"));
		same(top[names.indexOf("inclusive_cpu_ns")],
			await browser.evaluate(() => String(window.dmtrace.sums
				.tree.profile().total.inclusive.cpu)));
		await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.setClock("wall");
			app.setRange({ from: 100000, to: 950000 }, true);
		});
	});
	await claim("merging hides just that method in the command", async () => {
		const { text, total, rows } = await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.setThread(-1);
			app.chooseMethod(app.trace.methods.findIndex(
				({ name }) => name === "n"));
			app.timeline.scroller.focus();
			return {};
		}).then(async () => {
			await browser.key("c");
			await browser.evaluate(() => [...document
				.querySelectorAll(".menu button")].find((one) =>
				one.textContent.startsWith("Merge")).click());
			await settle(browser);
			const found = await copy("Equal command");
			const figures = await browser.evaluate(() => {
				const { dmtrace: app } = window;
				const { total: top, rows: all } =
					app.sums.tree.profile();
				const figure = (row) => `${app.trace.methods[
					row.method]?.name ?? "(toplevel)"} ${
					row.inclusive.wall} ${
					row.exclusive.wall}`;
				return [figure(top), all.map(figure).sort()];
			});
			return { text: found, total: figures[0],
				rows: figures[1] };
		});
		same(text, "dmtrace filter --from=100us --to=950us take.trace" +
			" | dmtrace report '--hide=com.x.A.n()V' -");
		const [names, ...lines] = execFileSync("sh", ["-c",
			`${text} -q -f tsv`], { encoding: "utf8" }).trimEnd()
			.split("\n").map((one) => one.split("\t"));
		const figures = lines.filter(([kind]) => kind === "top" ||
			kind === "method").map((one) => ["name",
			"inclusive_wall_ns", "exclusive_wall_ns"].map((what) =>
			one[names.indexOf(what)]).join(" "));
		same([figures[0], figures.slice(1).sort()], [total, rows]);
		await browser.evaluate(() => document.querySelector(".chip")
			.click());
	});
	await claim("what has no command says so", async () => {
		const found = await browser.evaluate(() => {
			const { dmtrace: app } = window;
			const last = () => {
				app.panels.copy.click();
				const all = [...document.querySelectorAll(
					".menu button")];
				return all[all.length - 1].textContent;
			};
			app.setWaiting("only");
			const made = [last()];
			app.setWaiting("with");
			app.chooseMethod(app.trace.methods.findIndex(
				({ name }) => name === "n"));
			for (const what of ["Focus on function",
				"Collapse package", "Collapse recursion"]) {
				app.timeline.scroller.focus();
				document.activeElement.dispatchEvent(
					new window.KeyboardEvent("keydown", { key: "c",
						bubbles: true }));
				[...document.querySelectorAll(
					".menu button")].find((one) => one
					.textContent.startsWith(what)).click();
				made.push(last());
				document.querySelector(".chip").click();
			}
			return made;
		});
		const none = "No command gives these figures: reports have ";
		same(found, [`${none}no profile of waiting only`, ...["Only " +
			"com.x.A.n", "Collapsed com.x.*", "Without recursion " +
			"of com.x.A.n"].map((one) =>
			`${none}nothing like "${one}"`)]);
	});
	await claim("the command has the selection of the page", async () => {
		const folder = page.replace(/[^/]*$/, "");
		fs.copyFileSync("known.trace", "chosen.trace");
		await openPage(browser, `file://${folder}chosen.html#thread=all`);
		await browser.evaluate(() => Object.defineProperty(navigator,
			"clipboard", { value: { writeText: async (text) => {
				window.copied = text;
			} } }));
		const found = [await copy("Equal command")];
		await browser.evaluate(() => window.dmtrace.setRange(
			{ from: 100000, to: 950000 }, true));
		found.push(await copy("Equal command"));
		same(found, ["dmtrace report --thread=worker " +
			"--min-time=150000ns chosen.trace", "dmtrace filter " +
			"--thread=worker --min-time=150000ns chosen.trace | " +
			"dmtrace report --from=100us --to=950us -"]);
		const wanted = await browser.evaluate(() => {
			const { dmtrace: app } = window;
			return app.sums.tree.profile().rows.map((row) =>
				`${app.trace.methods[row.method].name} ${
					row.inclusive.wall}`).sort();
		});
		const [names, ...lines] = execFileSync("sh", ["-c",
			`${found[1]} -q -f tsv`], { encoding: "utf8" })
			.trimEnd().split("\n").map((one) => one.split("\t"));
		same(lines.filter(([kind]) => kind === "method").map((one) =>
			["name", "inclusive_wall_ns"].map((what) =>
				one[names.indexOf(what)]).join(" ")).sort(),
		wanted);
		await openPage(browser,
			`file://${page}#thread=all&range=100000..950000&tab=flame`);
		await browser.evaluate(() => Object.defineProperty(navigator,
			"clipboard", { value: { writeText: async (text) => {
				window.copied = text;
			} } }));
	});
	await claim("a link has what is shown", async () => {
		const link = await copy("Link");
		return link.startsWith("file://") &&
			link.includes("tab=flame") &&
			link.includes("range=100000..950000");
	});
	await claim("a method's durations are bars", async () => {
		await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.setRange(null, true);
			app.setThread(-1);
			app.showCalls(app.trace.methods.findIndex(({ name }) =>
				name === "n"));
		});
		await settle(browser);
		same(await browser.evaluate(() => [[...document
			.querySelectorAll(".bars-of div")].map((one) =>
				one.title),
		document.querySelectorAll("table.calls tbody tr").length]),
		[["262 µs to 524 µs: 2 calls"], 2]);
	});
	await claim("a search between slashes is a regular expression",
		async () => {
			const found = [];
			for (const query of ["/[mn]$/", "/A\\./", "/(/"]) {
				await type(browser, "Search methods", query);
				found.push(await textOf(browser, ".found"));
			}
			await browser.key("Escape");
			same(found,
				["3 calls of 2 methods", "3 calls of 2 methods",
				"no regular expression"]);
		});
	await claim("a legend has the colors of packages", async () => {
		same(await browser.evaluate(() => [...document.querySelectorAll(
			".legend li")].map((one) =>
				`${one.innerText.replace(/\s+/g,
			" ").trim()} ${one.querySelector(
				"i").style.background ===
			window.dmtrace.palette.css[window.dmtrace.trace.methods
				.findIndex(({ name }) => name === (/org/.test(
					one.innerText) ? "o" : "n"))]
				.replace(/ /g, ", ")}`)), ["com.x 81.8 % true",
			"org.y 18.2 % true"]);
	});
	await claim("nothing that is taken is an error", () => quiet(browser));
}

// part.trace, the first part of made.trace, compared with made.trace.
async function checkCompare(browser, page) {
	const rows = () => browser.evaluate(() => {
		window.dmtrace.panels.compare.shown = Infinity;
		window.dmtrace.panels.drawNow();
		return [...document.querySelectorAll(
			"table.compare tbody tr")].map((row) =>
				[row.querySelector(
			".method").title.slice(0, 200),
				...[...row.cells].filter(
			(one) => one.tagName === "TD" && one.className ===
				"").map(
			(one) => one.innerText)]);
	});
	const wanted = (trace) => new Map(report(trace, "-tmain").filter(
		({ kind }) => kind === "top" || kind === "method").map((row) =>
		[nameOf(row), row]));

	await claim("compare: it begins with what changed", async () => {
		await openPage(browser, `file://${page}#`);
		const before = wanted("made.trace"), after =
			wanted("part.trace");
		const texts = await browser.evaluate((all) => all.map(
			(pair) => pair.map((ns) => window.dmtrace.panels.compare
				.format(ns).textContent)),
					[...before].map(([name, row]) => [
			Number(row.inclusive_wall_ns), Number(after.get(name)
				?.inclusive_wall_ns ?? 0)]));
		const called = (row) => String(Number(row?.calls ?? 0) +
			Number(row?.recursive_calls ?? 0));
		const expected = [...before].map(([name, row], i) => [name,
			texts[i][0], texts[i][1], called(row),
			called(after.get(name))]).filter((one) =>
			one[0] === "(toplevel)" || one[3] !== "0");
		same(sorted((await rows()).map((one) => [one[0], one[1], one[2],
			one[4].replace(/,/g, ""), one[5].replace(/,/g, "")])),
		sorted(expected));
	});
	await claim("compare: per call, and shares of the total", async () => {
		const found = [];
		for (const way of ["call", "total", "absolute"]) {
			await choose(browser, "Compared", way);
			found.push((await rows())[0].slice(1, 4));
		}
		same(found.slice(0, 2), [["0 s", "0 s", "0 s"],
			["100.0 %", "100.0 %", "0.0 %"]]);
		return found[2][2].startsWith("-");
	});
	await claim("compare: what is chosen is in the address", async () => {
		const chosen = () => browser.evaluate(() => {
			const { compare } = window.dmtrace.panels;
			return [compare.way, compare.what, compare.sort,
				compare.falls, ...["way", "what"].map((key) =>
					compare.choices[key].value)];
		});
		await choose(browser, "Compared", "call");
		await choose(browser, "Of calls", "exclusive");
		for (let i = 0; i < 2; i++)
			await browser.evaluate(() => [...document
				.querySelectorAll("table.compare th button")]
				.find((one) => one.textContent === "Before")
				.click());
		const address = (await addressOf(browser)).replace(/.*#/, "#");
		const found = [await chosen()];
		for (const text of ["#", address, "#changes=x&of=&compared=1"]) {
			await openPage(browser, `file://${page}${text}`);
			found.push(await chosen());
		}
		const first = ["absolute", "inclusive", "change", true,
			"absolute", "inclusive"];
		const other = ["call", "exclusive", "before", false, "call",
			"exclusive"];
		same(found, [other, first, other, first]);
	});
	await claim("compare: the flame graph of the difference", async () => {
		await browser.evaluate(() => [...document.querySelectorAll(
			"#panel button")].find((one) => /difference/.test(
			one.textContent)).click());
		await settle(browser);
		const before = wanted("made.trace").get("(toplevel)");
		const after = wanted("part.trace").get("(toplevel)");
		same(await browser.evaluate(() => {
			const [{ node }] = window.dmtrace.panels.flame.frames;
			return [node.before, node.total];
		}), [before, after].map((row) =>
			Number(row.inclusive_wall_ns)));
	});
	await claim("compare: its first trace is not compared", async () => {
		await choose(browser, "Trace", "0");
		await settle(browser);
		same(await browser.evaluate(() => [document.getElementById(
			"tab-compare").hidden, window.dmtrace.direction]),
		[true, "down"]);
		quiet(browser);
	});
}

// Threads at a glance, on the page of groups.trace.
//
//	main 1:    o 0..100, on the CPU
//	pool-1-thread-1 to -3, 2 to 4: p 0..1000, of which 200..300 on the CPU
async function checkGroups(browser, page) {
	const names = () => browser.evaluate(() => window.dmtrace.timeline
		.threads.items.map(({ of, inside }) => (inside ? "> " : "") +
			of.label));
	const pick = async (name) => {
		await browser.evaluate((wanted) =>
			[...document.querySelectorAll(".menu button")].find(
				(one) =>
				one.textContent === wanted).click(), name);
		await settle(browser);
	};
	const menuOf = async (at) => {
		await settle(browser);
		await browser.evaluate((place) => document
			.querySelectorAll(".dots")[place].click(), at);
	};

	await openPage(browser, `file://${page}#`);
	await claim("threads whose names differ in a number are a group",
		async () => same(await names(), ["main", "pool-1-thread-*"]));
	await claim("a press on it shows them", async () => {
		const press = () => browser.evaluate(() => document
			.querySelectorAll(".head")[1].click());
		await press();
		const found = await names();
		const address = await addressOf(browser);
		await press();
		same([found, /groups=2/.test(address), await names()], [["main",
			"pool-1-thread-*", "> pool-1-thread-1",
			"> pool-1-thread-2", "> pool-1-thread-3"], true,
		["main", "pool-1-thread-*"]]);
	});
	await claim("a strip has the share of the CPU, and where calls waited",
		async () => {
			const found = await browser.evaluate(() => {
				const { trace } = window.dmtrace;
				const { level, open } = trace.stripOf(1);
				const { from, width } = trace.strips;
				const at = (ns) =>
					Math.floor((ns - from) / width);
				return [100e3, 250e3, 600e3].map((ns) => [
					level[at(ns)], open[at(ns)]]);
			});
			same(found, [[0, 1], [20, 1], [0, 1]]);
		});
	await claim("it is drawn on the line, and described", async () => {
		const { x, y, width } = await boxOf(browser, ".lanes");
		const item = await browser.evaluate(() =>
			window.dmtrace.timeline.threads.items[1].y);
		const box = await boxOf(browser, ".bars");
		const colors = [];
		for (const part of [0.25, 0.6])
			colors.push(await pixelOf(browser, ".bars",
				x + width * part - box.x, y + item + 14 -
					box.y));
		await browser.mouse("mouseMoved", x + width * 0.25,
			y + item + 14, { button: "none", buttons: 0 });
		const tip = await textOf(browser, ".timeline .tip");
		same([String(colors[0]) !== String(colors[1]), colors[1],
			tip.split(",").slice(0, 2).join()], [true,
			[231, 234, 240], "pool-1-thread-*\n300 % of a CPU, " +
			"mostly org.y"]);
	});
	await claim("the overview has that of the thread, and says so",
		async () => {
			const title = () => browser.evaluate(() =>
				document.querySelector(".overview").title);
			const found = [await title()];
			await choose(browser, "Threads", -1);
			await settle(browser);
			found.push(await title());
			await choose(browser, "Threads", 0);
			same(found, ["CPU share of main",
				"CPU share of all threads: up to 3.0 at once"]);
		});
	await claim("with the CPU clock, the overview says where strips are",
		async () => {
			const title = () => browser.evaluate(() =>
				document.querySelector(".overview").title);
			await choose(browser, "Clock", "cpu");
			await settle(browser);
			const found = [await title()];
			await choose(browser, "Clock", "wall");
			await settle(browser);
			found.push(await title());
			same(found, ["By CPU time; what threads did over wall " +
				"time is shown with that clock",
			"CPU share of main"]);
		});
	await claim("threads are hidden, pinned and ordered, in the address",
		async () => {
			await menuOf(0);
			await pick("Hide");
			const hidden = await names();
			await browser.evaluate(() => [...document
				.querySelectorAll(
					".timeline .tools button")].find(
				(one) =>
					/hidden/.test(one.textContent)).click(
						));
			await browser.evaluate(() => {
				const { threads: list } =
					window.dmtrace.timeline;
				list.toggle(list.unfoldedGroups, 1);
			});
			await menuOf(3);
			await pick("Pin to the top");
			await choose(browser, "Order", "name");
			const pinned = await names();
			const address = await addressOf(browser);
			await openPage(browser, address);
			same([hidden, pinned, await names()], [
				["pool-1-thread-*"], ["pool-1-thread-2", "main",
					"pool-1-thread-*", "> pool-1-thread-1",
					"> pool-1-thread-3"], pinned]);
		});
	await claim("the menu is for keys, too", async () => {
		await browser.evaluate(() => {
			document.querySelector(".dots").focus();
			document.querySelector(".dots").click();
		});
		const texts = [];
		for (const key of ["ArrowDown", "End", "ArrowDown", "Escape"]) {
			await browser.key(key);
			texts.push(await browser.evaluate(() =>
				document.activeElement.textContent));
		}
		same(texts, ["Show in the panels", "Hide all others",
			"Unpin", "⋯"]);
	});
	await claim("nothing of threads is an error", () => quiet(browser));
}

// What one sees of calls that are many deep, on the page of known.trace.
async function checkDeep(browser, page) {
	const line = () => textOf(browser, ".line .crumbs");
	const rows = () => browser.evaluate(() => {
		const [item] = window.dmtrace.timeline.threads.items;
		return [item.skip, item.height];
	});
	const zoom = async (from, to) => {
		await browser.evaluate((a, b) => window.dmtrace.setView(
			{ from: a, to: b }), from, to);
		await settle(browser);
	};

	await openPage(browser, `file://${page}#thread=all&order=calls`);
	await claim("one call that spans the view has its row", async () =>
		same(await rows(), [0, 22 + 3 * 16 + 6]));
	await claim("several are named on the line of the thread", async () => {
		await zoom(520000, 880000);
		same([(await line()).replace("\n", " "), ...await rows()],
			["2 A.m › A.n", 2, 22 + 16 + 6]);
	});
	await claim("a press on the names shows their rows", async () => {
		const press = () => browser.evaluate(() =>
			document.querySelector(".crumbs").click());
		await press();
		const found = await rows();
		await press();
		same([found, await rows()], [[0, 22 + 3 * 16 + 6],
			[2, 22 + 16 + 6]]);
	});
	await claim("so does a selected one", async () => {
		await browser.evaluate(() => window.dmtrace.goTo(
			{ thread: 1, depth: 1, at: 1 }));
		const found = await rows();
		await zoom(0, 1000000);
		same([found[0], ...await rows()], [0, 0, 22 + 3 * 16 + 6]);
	});
	await claim("what is selected has its place, so that nothing moves",
		async () => {
			const places = async () =>
				[await boxOf(browser, ".lanes"),
				await boxOf(browser, ".panels")];
			await browser.evaluate(() =>
				window.dmtrace.select(null));
			const before = await places();
			await browser.evaluate(() => window.dmtrace.select(
				{ thread: 1, depth: 1, at: 1 }));
			same(await places(), before);
			await resize(browser, 420, 800);
			const sheet = await boxOf(browser, ".selected");
			await browser.evaluate(() => document.querySelector(
				".selected .close").click());
			const closed = await boxOf(browser, ".selected");
			await resize(browser, 1280, 800);
			same([sheet.x, sheet.y + sheet.height, closed.height],
				[0, 800, 0]);
		});
	await claim("the line between the panes is moved by pointer and keys",
		async () => {
			const height = async () =>
				(await boxOf(browser, ".lanes"))
				.height;
			const { x, y } = await boxOf(browser, ".divider");
			const before = await height();
			await browser.mouse("mousePressed", x + 50, y + 3);
			await browser.mouse("mouseMoved", x + 50, y + 103);
			await browser.mouse("mouseReleased", x + 50, y + 103);
			const dragged = await height();
			await browser.evaluate(() =>
				document.querySelector(".divider").focus());
			await browser.key("ArrowUp");
			same([dragged - before, await height() - dragged],
				[100, -32]);
		});
	await claim("names of threads stay while their calls are scrolled",
		async () => {
			await browser.evaluate(() => {
				window.dmtrace.timeline.chosenHeight = 60;
				window.dmtrace.timeline.threads.arrange();
				window.dmtrace.timeline.scroller.scrollTop = 30;
			});
			await settle(browser);
			const { y } = await boxOf(browser, ".lanes");
			same((await boxOf(browser, ".line")).y - y, 1);
		});
	await claim("labels are cut from the left, signatures are readable",
		async () => same(await browser.evaluate(() => {
			const { trace, timeline } = window.dmtrace;
			const Row = trace.constructor;
			const one =
				new Row({ clocks: [], threads: [], methods: [[
				"android/os/Handler", "dispatch",
				"(Landroid/os/Message;[[IZ)V"]] }).methods[0];
			const found = [];
			const context = { fillText: (text) => found.push(text),
				measureText: () => ({ width: 70 }) };
			timeline.letter = 7;
			timeline.drawLabels.call({ letter: 7, app: {
				trace: { methods: [one] }, search:
					{ hits: null }, palette: {} },
			}, context, [200, 170, 130, 70, 42].flatMap((width) =>
				[0, width, 0, 0]), 1);
			return [...found, one.parameters];
		}), ["android.os.Handler.dispatch", "Handler.dispatch",
			"Handler.dispatch", "dispatch", "…atch",
			"(Message, int[][], boolean)"]));
	await claim("of this, too, nothing is an error", () => quiet(browser));
}

// What went wrong once, on the page of known.trace.
async function checkFaults(browser, page) {
	const url = `file://${page}`;
	const press = (selector) => browser.evaluate((wanted) =>
		document.querySelector(wanted).click(), selector);
	const blur = () => browser.evaluate(() =>
		document.activeElement.blur());
	const escape = () => browser.key("Escape");
	const timeAt = async (time) => {
		const { x, width } = await boxOf(browser, ".lanes");
		const { view } = await stateOf(browser);
		return x + (time - view.from) / (view.to - view.from) * width;
	};

	await openPage(browser, url);
	await claim("Escape in the search box ends the search", async () => {
		await type(browser, "Search methods", "o");
		await escape();
		same(await browser.evaluate(() => [window.dmtrace.search.query,
			window.dmtrace.search.hits,
				document.activeElement.type]),
		["", null, undefined]);
	});
	await claim("a search without a parenthesis is for names", async () => {
		const found = [];
		for (const query of [")V", "()V", "A.n"]) {
			await type(browser, "Search methods", query);
			found.push(await textOf(browser, ".found"));
		}
		await escape();
		same(found, ["0 calls of 0 methods", "5 calls of 3 methods",
			"2 calls of 1 method"]);
	});
	await claim("Escape in the flame graph keeps the range", async () => {
		await press("#tab-flame");
		await browser.evaluate(() => window.dmtrace.setRange(
			{ from: 100000, to: 900000 }, true));
		await settle(browser);
		await browser.evaluate(() => {
			const { flame } = window.dmtrace.panels;
			flame.zoomTo(flame.frames[2].node);
			document.querySelector(".flame").focus();
		});
		await escape();
		const first = await browser.evaluate(() => [
			window.dmtrace.panels.flame.top === null,
			window.dmtrace.range !== null]);
		await escape();
		same([first, (await stateOf(browser)).range],
			[[true, true], null]);
		await press("#tab-profile");
	});
	await claim("letters are keys of the page in a choice, too",
		async () => {
			await browser.evaluate(() => document.querySelector(
				"select[aria-label^='Waiting']").focus());
			await browser.key("ArrowDown");
			await settle(browser);
			const state = () => browser.evaluate(() => {
				const { dmtrace: app } = window;
				return [app.waiting, app.view.to - app.view
					.from, document.activeElement.tagName];
			});
			const before = await state();
			const hold = (what, more) => browser.send(
				"Input.dispatchKeyEvent", { type: what, key: "w",
					...more });
			await hold("keyDown", { text: "w" });
			await browser.until((length) => {
				const { from, to } = window.dmtrace.view;
				return to - from < length;
			}, before[1]);
			await hold("keyUp");
			await settle(browser);
			const after = await state();
			await browser.key("0");
			await browser.evaluate(() =>
				window.dmtrace.setWaiting("with"));
			same([after[0], after[1] < before[1], after[2]],
				[before[0], true, "SELECT"]);
		});
	await claim("each press of Theme is seen", async () => {
		const found = [];
		for (const system of ["light", "dark"]) {
			await browser.send("Emulation.setEmulatedMedia",
				{ features: [{ name: "prefers-color-scheme",
					value: system }] });
			for (let i = 0; i < 4; i++)
				found.push(await browser.evaluate(() => {
					const { body } = document;
					const color = () => getComputedStyle(
						body).backgroundColor;
					const before = color();
					document.querySelector("button" +
						"[aria-label^='Theme']").click();
					return color() !== before;
				}));
		}
		await browser.send("Emulation.setEmulatedMedia", { features: [] });
		same(found, Array(8).fill(true));
	});
	await claim("keys work after a choice with the pointer", async () => {
		const focused = (label, value) => browser.evaluate((one, to) => {
			const select = document.querySelector(
				`select[aria-label^="${one}"]`);
			select.focus();
			select.dispatchEvent(new Event("pointerdown"));
			select.value = to;
			select.dispatchEvent(new Event("change"));
			return document.activeElement.className;
		}, label, value);
		const found = [await focused("Threads", "1"),
			await focused("Order", "name")];
		await choose(browser, "Threads", -1);
		await choose(browser, "Order", "main");
		same(found, ["lanes", "lanes"]);
	});
	await claim("Escape empties a filter, and what it filters", async () => {
		const found = [];
		for (const label of ["Filter methods", "Filter threads"]) {
			await type(browser, label, "zz");
			await escape();
			await settle(browser);
			found.push(await browser.evaluate(() => {
				const { timeline, panels } = window.dmtrace;
				return [panels.profile.filter,
					timeline.threads.filter,
					document.activeElement.type];
			}));
		}
		same(found, [["", "", undefined], ["", "", undefined]]);
	});
	await claim("tips stay inside the window", async () => {
		const found = [];
		await press("#tab-flame");
		await settle(browser);
		await browser.evaluate(() => window.scrollTo(0,
			document.body.scrollHeight));
		const { x, y, width } = await boxOf(browser, ".flame canvas");
		await browser.mouse("mouseMoved", x + width - 3, y + 9,
			{ button: "none", buttons: 0 });
		const tip = await boxOf(browser, ".tip.frame");
		found.push(tip.width > 0, tip.x + tip.width <= 1280,
			tip.y + tip.height <= 800, tip.y >= 0);
		await press("#tab-profile");
		same(found, [true, true, true, true]);
	});
	await claim("n zooms to a call that cannot be seen", async () => {
		await blur();
		await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.span = { from: 0, to: 1e12, length: 1e12 };
			app.setView(app.span);
			app.select(null);
			app.search.set("A.n");
			app.search.goToNext(1);
		});
		const { view } = await stateOf(browser);
		await browser.evaluate(() => window.dmtrace.search.set(""));
		return view.to - view.from < 1e8;
	});
	await claim("the color of a package has neither dots nor slashes",
		async () => {
			await openPage(browser, url);
			same(await browser.evaluate(() => {
				const { palette, trace } = window.dmtrace;
				const made =
					trace.methods.map((one) => ({ ...one,
					className:
						one.className.replaceAll("/",
							"."),
					package:
						one.package.replaceAll("/",
							".") }));
				return String(new palette.constructor(
					{ methods: made }).css) ===
						String(palette.css);
			}), true);
		});
	await claim("Back goes to the tab and the zoom before", async () => {
		// A full history drops entries that nobody has clicked for.
		await browser.send("Page.resetNavigationHistory");
		await addressOf(browser);
		await press("#tab-flame");
		await addressOf(browser);
		await browser.evaluate(() => window.dmtrace.setView(
			{ from: 200000, to: 600000 }));
		await addressOf(browser);
		const found = [];
		for (let i = 0; i < 2; i++) {
			await browser.evaluate(() => new Promise((done) => {
				window.addEventListener("hashchange", () =>
					setTimeout(done), { once: true });
				window.history.back();
			}));
			await settle(browser);
			found.push(await browser.evaluate(() => [
				window.dmtrace.tab, Math.round(
					window.dmtrace.view.to / 1000)]));
		}
		same(found, [["flame", 1000], ["profile", 1000]]);
	});
	await claim("Escape cancels a drag", async () => {
		const { y } = await boxOf(browser, ".ruler");
		await browser.mouse("mousePressed", await timeAt(200000), y +
			9);
		await browser.mouse("mouseMoved", await timeAt(600000), y + 9);
		await escape();
		await browser.mouse("mouseReleased", await timeAt(600000), y +
			9);
		same((await stateOf(browser)).range, null);
		const line = await boxOf(browser, ".divider");
		const height = async () =>
			(await boxOf(browser, ".lanes")).height;
		const before = await height();
		await browser.mouse("mousePressed", line.x + 50, line.y + 2);
		await browser.mouse("mouseMoved", line.x + 50, line.y + 62);
		const moved = await height();
		await escape();
		await browser.mouse("mouseReleased", line.x + 50, line.y + 62);
		same([moved > before, await height()], [true, before]);
	});
	await claim("the edges of a range can be dragged", async () => {
		await browser.evaluate(() => window.dmtrace.setRange(
			{ from: 200000, to: 600000 }, true));
		await settle(browser);
		const { y } = await boxOf(browser, ".ruler");
		await browser.drag(await timeAt(600000) + 2,
			await timeAt(800000), y + 9);
		const { range } = await stateOf(browser);
		await escape();
		same([range.from, Math.round(range.to / 10000)], [200000, 80]);
	});
	await claim("so can the window of the overview, and its edges",
		async () => {
			const { x, y, width } =
				await boxOf(browser, ".overview");
			const found = [];
			for (const [from, to] of [[0.3, 0.5], [0.6, 0.9]]) {
				await browser.evaluate(() =>
					window.dmtrace.setView(
						{ from: 200000, to: 600000 }));
				await browser.drag(x + from * width,
					x + to * width, y + 20);
				const { view } = await stateOf(browser);
				found.push(...[view.from, view.to].map((one) =>
					Math.round(one / 10000)));
			}
			await browser.key("0");
			same(found, [40, 80, 20, 90]);
		});
	await claim("the address has folds, filters, theme and flame graph",
		async () => {
			await browser.evaluate(() => {
				const { dmtrace: app } = window;
				app.timeline.threads.foldAll(true);
				app.timeline.threads.toggle(
					app.timeline.threads.opened, 1);
				app.timeline.setFilter("work");
				app.panels.profile.setFilter("A.");
				app.turnTheme();
				app.setTab("flame");
			});
			await settle(browser);
			await browser.evaluate(() => {
				const { flame } = window.dmtrace.panels;
				flame.zoomTo(flame.frames[2].node);
			});
			const state = () => browser.evaluate(() => {
				const { timeline: { threads }, panels } =
					window.dmtrace;
				return [[...threads.folded].sort(),
					[...threads.opened],
					threads.filter,
					panels.profile.filter,
						panels.flame.path,
					document.documentElement.dataset.theme];
			});
			const before = await state();
			const address = await addressOf(browser);
			await openPage(browser, address);
			same(await state(), before);
			await openPage(browser, url);
			return before[1].length > 0 && before[4].length > 0 &&
				before[5] === "dark";
		});
	await claim("folding keeps the focus", async () => {
		await browser.evaluate(() => {
			document.querySelector(".head").focus();
			document.querySelector(".head").click();
		});
		await settle(browser);
		const name = await browser.evaluate(() =>
			document.activeElement.className);
		await press(".head");
		same(name, "head");
	});
	await claim("a time off the CPU below zero has a mark", async () => {
		same(await browser.evaluate(() => {
			const { dmtrace: app } = window;
			const { rows } = app.sums.tree.profile();
			const [row] = rows, old = row.inclusive.cpu;
			row.inclusive.cpu = row.inclusive.wall + 5000;
			app.panels.drawNow();
			const cell = document.querySelector(
				`tr[data-method="${
					row.method}"] td.off-cpu span`);
			const found = [cell.textContent, /more CPU/.test(
				cell.title)];
			row.inclusive.cpu = old;
			app.panels.drawNow();
			return found;
		}), ["0 s*", true]);
	});
	await claim("the wheel at the end of the threads moves nothing",
		async () => {
			const { x, y } = await boxOf(browser, ".lanes");
			await browser.mouse("mouseWheel", x + 300, y + 60,
				{ deltaX: 0, deltaY: 500 });
			await settle(browser);
			same(await browser.evaluate(() => window.scrollY), 0);
		});
	await claim("the page has a main part, and labels have their text",
		async () => {
			same(await browser.evaluate(() => [document
				.querySelectorAll("main").length, [...document
				.querySelectorAll("button[aria-label]")].filter(
					(one) =>
				/^\w{2,}/.test(one.textContent) &&
				!one.getAttribute("aria-label").toLowerCase()
					.includes(
						one.textContent.toLowerCase()))
				.map((one) => one.textContent)]), [1, []]);
		});
	await claim("names of methods can be selected", async () => {
		same(await browser.evaluate(() => {
			const name = document.querySelector("tr .foldable");
			document.getSelection().selectAllChildren(name);
			const text = String(document.getSelection()).trim();
			name.click();
			const folds = document.querySelectorAll(
				"tr.detail").length;
			document.getSelection().removeAllRanges();
			return [text, folds];
		}), ["com.x.A.m()", 0]);
	});
	await claim("printed, it has no buttons to press", async () => {
		await browser.send("Emulation.setEmulatedMedia",
			{ media: "print" });
		const found = await browser.evaluate(() => [...document
			.querySelectorAll(
				"header button, .timeline .tools input")]
			.every((one) => getComputedStyle(one).display ===
				"none"));
		await browser.send("Emulation.setEmulatedMedia", { media: "" });
		return found;
	});
	await claim("nothing of it is an error or a request", () =>
		quiet(browser));
}

// The calls of a trace by thread, depth and order of their ends: start,
// inclusive and exclusive wall time in ns, number of callees.
function callsOf(trace) {
	const [names, ...lines] = execFileSync("dmtrace", ["dump", "-q", "-f",
		"tsv", trace], { encoding: "utf8", maxBuffer: 1 << 29 })
		.trimEnd().split("\n").map((line) => line.split("\t"));
	const [thread, action, wall] = ["thread", "action", "wall_ns"].map(
		(name) => names.indexOf(name));
	const open = new Map(), calls = new Map();
	for (const line of lines) {
		if (!open.has(line[thread]))
			open.set(line[thread], []);
		const stack = open.get(line[thread]);
		const time = Number(line[wall]);
		if (line[action] === "enter") {
			stack.push({ start: time, below: 0, callees: 0 });
			continue;
		}
		const call = stack.pop(), caller = stack.at(-1);
		if (call === undefined)
			throw new Error("an exit without an enter");
		call.took = time - call.start;
		if (caller !== undefined) {
			caller.below += call.took;
			caller.callees++;
		}
		calls.set(`${line[thread]} ${stack.length} ${call.start} ${
			call.took}`, call);
	}
	return calls;
}

// The number of a figure with units, or of its bounds: [least, most] in ns.
// The bounds that the text of a cell has: [least, most], and what its tooltip
// says, in microseconds.
function boundsOf([text, tip]) {
	const sizes = { ns: 0.001, ms: 1e3, s: 1e6 };
	const [figure, most = figure] = text.replace(/[≥≈ ,]/g, "")
		.split("–").map((one) => parseFloat(one) *
			(sizes[one.replace(/[\d.]+/, "")] ?? 1));
	const shown = text.startsWith("≈") ? [figure * 0.95, figure * 1.05] :
		[figure, text.startsWith("≥") ? figure * 1.05 : most];
	const [few, many = few] = tip.replace(/:.*|[ ,µs]/g, "").split("to")
		.map(Number);
	return { shown, exact: [few, many] };
}

async function checkThinned(browser, page) {
	const trace = page.replace(/\.html$/, ".trace");

	await claim("thinned: the page says so", async () => {
		await openPage(browser, `file://${page}`);
		const text = await textOf(browser, ".summary");
		if (!/ · [\d,]+ calls below [\d.]+ µs not shown one by one/.test(
			text))
			throw new Error(text);
	});
	await claim("thinned: figures of the whole trace are exact", async () =>
		same(await shownRows(browser), wantedRows(trace, "wall")));
	await claim("thinned: so are those of 200 calls", async () => {
		const calls = callsOf(trace);
		const shown = await browser.evaluate(() => {
			const { trace: { threads } } = window.dmtrace;
			const found = [];
			for (let i = 0; i < 200; i++) {
				const lane =
					window.dmtrace.lane(i % threads.length);
				const depth = (i >> 1) % lane.levels.length;
				const { length } = lane.levels[depth].start;
				const one =
					lane.describe({ depth, at: Math.floor(
					length * ((i * 0.6180339) % 1)) });
				found.push([threads[i % threads.length].number,
					depth, one.start, one.inclusive.wall,
					one.exclusive.wall, one.children]);
			}
			return found;
		});
		let left = 0;
		for (const [thread, depth, start, took, exclusive, callees]
			of shown) {
			const call = calls.get(
				`${thread} ${depth} ${start} ${took}`);
			same([exclusive, callees],
				[call.took - call.below, call.callees]);
			left += callees;
		}
		return left > 0;
	});
	await claim("thinned: strips are those of all events", async () => {
		const bins = await browser.evaluate(() => {
			const { trace: one } = window.dmtrace;
			const { from, width } = one.strips;
			return [20, 77, 101, 150, 180].map((bin) => {
				const start =
					Math.round((from + bin * width) / 1000);
				return { number: one.threads[0].number, start,
					end: Math.round(start + width / 1000),
					level: one.stripOf(0).level[bin] };
			});
		});
		for (const { number, start, end, level } of bins) {
			const [top] = report(trace, `-t${number}`,
				`--from=${start}us`, `--to=${end}us`);
			const share = (top.inclusive_cpu_ns -
				top.exclusive_cpu_ns) / 50 / (end - start);
			if (Math.abs(level - share) > 0.6)
				throw new Error(`${level} is not ${share}`);
		}
	});
	await claim("thinned: what is left out is hatched, and named",
		async () => {
		const place = await browser.evaluate(() => {
			const { timeline } = window.dmtrace;
			const lane = window.dmtrace.lane(
				window.dmtrace.trace.main);
			const depth = lane.gaps.findIndex((one, i) => i > 0 &&
				one.start.length > 0);
			const gaps = lane.gaps[depth];
			let at = 0;
			for (let i = 0; i < gaps.start.length; i++)
				if (gaps.end[i] - gaps.start[i] >
					gaps.end[at] - gaps.start[at])
					at = i;
			window.dmtrace.setView({ from: gaps.start[at],
				to: gaps.end[at] });
			timeline.scroller.scrollTop = 0;
			return { depth, left:
				lane.leftBefore(gaps.step[at]).calls };
		});
		await settle(browser);
		const box = await boxOf(browser, ".lanes");
		const y = 22 + place.depth * 16 + 7;
		const colors = new Set();
		for (let x = 0; x < 6; x++)
			colors.add(String(await pixelOf(browser, ".bars",
				box.width * 0.9 + x, y)));
		await browser.mouse("mouseMoved", box.x + box.width * 0.9,
			box.y + y, { button: "none", buttons: 0 });
		const tip = await textOf(browser, ".timeline .tip");
		if (!new RegExp(`^${place.left} calls? < [\\d.]+ µs\n`).test(
			tip.replace(/,/g, "")))
			throw new Error(tip);
		await browser.key("0");
		return colors.size === 2;
	});
	await claim("thinned: figures of a transform are marked", async () => {
		const found = await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.chooseMethod(0);
			app.timeline.scroller.focus();
			document.activeElement.dispatchEvent(
				new window.KeyboardEvent("keydown", { key: "c",
					bubbles: true }));
			document.querySelector(".menu button").click();
			const texts = [];
			for (const tab of ["profile", "tree", "flame"]) {
				app.setTab(tab);
				app.panels.drawNow();
				texts.push(...[...document.querySelectorAll(
					tab === "tree" ? "[role='treeitem'] >" +
					" span:not(.method)" :
					"table.methods td")].map((one) =>
					one.innerText));
			}
			const { flame } = app.panels;
			const [{ node }] = flame.frames.slice(-1);
			texts.push(...flame.describe(node)[1].split("; "));
			texts.push(...flame.status.value.replace(/.*: /,
				"").split(", "));
			app.chooseMethod(-1);
			flame.top = node;
			app.panels.drawNow();
			texts.push(...flame.status.value.replace(/.*: /,
				"").split(" of "));
			flame.zoomTo(null);
			document.querySelector(".chip").click();
			app.setTab("profile");
			return texts;
		});
		return found.length > 20 && found.every((one) => one === "" ||
			one.startsWith("~"));
	});
	await claim("thinned: no bound is rounded inwards", () => {
		const { boundsShown, formatDuration, stepOfDuration } =
			readPage(page, 0);
		same([[12449000, 1000], [12449000, 900000], [12449000, 9e6],
			[999, 2], [0, 1], [59.96e9, 1], [59.94e9, 1]].map(
			([least, slack]) => Object.values(boundsShown(least,
				slack, stepOfDuration)).map((one, i) =>
				i === 0 ? one : formatDuration(one)).join(" ")),
		["least 12.4 ms", "middle 12.9 ms", "neither 12.4 ms 21.5 ms",
			"least 999 ns", "neither 0 s 1 ns", "least 59.9 s",
			"least 59.9 s"]);
	});
	await claim("thinned: time off the CPU in a range of CPU time is unknown",
		async () => {
			same(await browser.evaluate(() => {
				const { dmtrace: app } = window;
				app.setClock("cpu");
				const { from, to } = app.span;
				app.setRange({ from: from + (to - from) / 4,
					to: to - (to - from) / 4 }, true);
				app.panels.drawNow();
				const cells = [...document.querySelectorAll(
					"td.off-cpu")].map((one) =>
					one.innerText);
				app.setRange(null, true);
				app.setClock("wall");
				return [...new Set(cells)];
			}), ["unknown"]);
		});
	await claim("thinned: figures of a range contain those of a report",
		async () => {
			const { span } = await stateOf(browser);
			let inexact = 0;
			for (const [from, to] of [[0.21, 0.64], [0.4, 0.55]]) {
				await browser.evaluate((a, b) => {
					window.dmtrace.setRange({ from: a, to:
						b },
						true);
				}, span.from + from * (span.to - span.from),
				span.from + to * (span.to - span.from));
				await settle(browser);
				const { range } = await stateOf(browser);
				const wanted = new Map(report(trace,
					`--from=${us(range.from)}us`,
					`--to=${us(range.to)}us`).map((row) =>
					[nameOf(row), row]));
				const rows = await browser.evaluate(() => [
					...document.querySelectorAll(
						"tr[data-method]")].map((row) =>
					["calls", "exclusive"].reduce((all,
						what) => {
						const cell = row.querySelector(
							`td.${what}`);
						return [...all, [
							cell.textContent,
							cell.querySelector("[title]")
								?.title ??
								cell.textContent]];
					}, [row.querySelector(".method")
						.title])));
				for (const [name, ...cells] of rows) {
					const row = wanted.get(name);
					if (name === "(toplevel)" || row ===
						undefined)
						continue;
					inexact += /[≥≈–]/.test(cells[0][0]);
					const calls = Number(row.calls) +
						Number(row.recursive_calls);
					const time = Number(
						row.exclusive_wall_ns) / 1000;
					const { shown, exact } =
						boundsOf(cells[0]);
					const times = boundsOf(cells[1]);
					for (const [one, [least, most]] of [
						[calls, shown], [calls, exact],
						[time, times.exact],
						/[≥≈–]/.test(cells[1][0]) ?
							[time, times.shown] :
							[1, [1, 1]]])
						if (one < least || one > most ||
							most > least * 1.11)
							throw new Error(
								`${name}: ${
								least} to ${
								most}, not ${one}`);
				}
			}
			await browser.evaluate(() =>
				window.dmtrace.setRange(null, true));
			return inexact > 0;
		});
	await claim("thinned: so do those of the tree", async () => {
		const { span } = await stateOf(browser);
		const [from, to] = [0.213, 0.641].map((part) => 1000 *
			Math.round((span.from + part * (span.to - span.from)) /
				1000));
		await browser.evaluate((a, b) => {
			window.dmtrace.setRange({ from: a, to: b }, true);
			window.dmtrace.setTab("tree");
		}, from, to);
		await settle(browser);
		const [top] = report(trace, `--from=${us(from)}us`,
			`--to=${us(to)}us`);
		const found = await browser.evaluate(() => {
			const { panels, sums } = window.dmtrace;
			const { tree, stacks: [root] } = sums;
			// One of the calls at an edge, from the outermost on.
			const end = [...tree.slack.keys()].find((one) =>
				one > 0);
			const methods = [];
			for (let one = end; one > 0; one = tree.parent[one])
				methods.unshift(tree.method[one]);
			const cut = methods.reduce((node, method) =>
				node.children.find((one) =>
					one.method === method), root);
			const cells = [...panels.tree.row(cut, 0).children];
			return { bounds: ["total", "self"].map((what) =>
				root.boundsOf(what)),
			cut: cut.boundsOf("self"), self: cut.self,
			slack: tree.slackOf(end, "wall"),
			shown: cells.map((one) =>
				one.querySelector(".bound") !== null) };
		});
		[top.inclusive_wall_ns, top.exclusive_wall_ns].forEach(
			(figure, i) => {
				const [least, more] = found.bounds[i];
				if (figure < least || figure > least + more)
					throw new Error(`${figure} is not ${
						found.bounds[i]}`);
			});
		await browser.evaluate(() => {
			window.dmtrace.setRange(null, true);
			window.dmtrace.setTab("profile");
		});
		same([found.cut, found.shown], [[found.self - found.slack,
			found.slack], [false, false, false, true, false,
			false]]);
		return found.slack > 0;
	});
	await claim("thinned: the list of calls has the slowest of all",
		async () => {
			const method = await browser.evaluate(() => {
				const { trace: { methods } } = window.dmtrace;
				const found =
					window.dmtrace.trace.durationsOf(0);
				window.dmtrace.showCalls(0);
				return { count:
					found.counts.reduce((sum, [, one]) =>
					sum + one, 0), label: methods[0].label,
				signature: methods[0].signature };
			});
			await settle(browser);
			const row = report(trace).find((one) => nameOf(one) ===
				`${method.label} ${method.signature}`.trim());
			const calls = Number(row.calls) +
				Number(row.recursive_calls);
			same(method.count, calls);
			const text = await textOf(browser,
				"#panel > :not([hidden]) .status");
			await browser.evaluate(() =>
				window.dmtrace.setTab("profile"));
			return text.replace(/,/g,
				"").includes(`: ${calls} calls; `);
		});
	await claim("thinned: no error, no message, no request", () =>
		quiet(browser));
}

// Of two traces that were thinned.
async function checkBounds(browser, page) {
	await claim("compared and thinned: figures of a transform are marked",
		async () => {
			await openPage(browser, 
				`file://${page}#trace=1&thread=all`);
			return browser.evaluate(() => {
				const { dmtrace: app } = window;
				const read = () => {
					app.panels.drawNow();
					return [...document.querySelectorAll(
						"table.compare td")].map(
						(one) => one.innerText).filter(
						(text) => text !== "");
				};
				const before = read();
				location.hash = "trace=1&thread=all&only=m0";
				app.address.read();
				app.setTab("compare");
				const after = read();
				app.setDirection("difference");
				app.setTab("flame");
				app.panels.drawNow();
				const [, { node }] = app.panels.flame.frames;
				return before.length > 40 && before.every(
					(text) => !text.startsWith("~")) &&
					after.length > 40 && after.every(
					(text) => text.startsWith("~")) &&
					/ before: ~/.test(app.panels.flame
						.describe(node)[1]);
			});
		});
}

// Recursion with another method between: m calls n, which calls m again, which
// calls o.
async function checkLoop(browser, page) {
	await claim("recursion is collapsed with what is between", async () => {
		await openPage(browser, `file://${page}`);
		await browser.evaluate(() => {
			const { dmtrace: app } = window;
			const { method } = app.lane(0).levels[0];
			app.timeline.scroller.focus();
			app.chooseMethod(method[0]);
		});
		await browser.key("c");
		await browser.evaluate(() => [...document.querySelectorAll(
			".menu button")].find((one) => one.textContent ===
			"Collapse recursion").click());
		await settle(browser);
		same(await browser.evaluate(() => {
			const { dmtrace: app } = window;
			const name = (method) =>
				app.trace.methods[method]?.name ?? "-";
			const [top] = app.sums.stacks[0].children;
			return [app.sums.tree.profile().rows.map((row) => [
				name(row.method), row.calls, row.recursive,
				row.inclusive.wall / 1000,
				row.exclusive.wall / 1000].join(" ")).sort(),
			top.children.map(({ method }) => name(method)).sort(),
			app.lane(0).levels.map(({ method }) =>
				[...method].map(name).join(""))];
		}), [["m 1 0 1000 600", "n 1 0 300 300", "o 1 0 100 100"],
			["n", "o"], ["m", "n", "o"]]);
		quiet(browser);
	});
}

// Of a trace without events, words and no figures.
async function checkEmpty(browser, page) {
	await claim("a trace without events says so", async () => {
		await openPage(browser, `file://${page}`);
		const text = await textOf(browser, "main");
		const seen = await browser.evaluate(() => [...document
			.querySelectorAll("main canvas, main table, main button")]
			.filter((one) => one.offsetParent !== null).length);
		if (seen > 0 || !/^0 s of .*\n[^]*\nThis trace has no events/
			.test(text))
			throw new Error(`${seen}: ${text}`);
		await type(browser, "Search methods", "a");
		for (const key of ["w", "n", "m", "f", "e", "Escape"])
			await browser.key(key);
		await settle(browser);
		quiet(browser);
	});
}

// A trace without CPU times.
async function checkWall(browser, page) {
	await claim("without CPU times, waiting is no choice", async () => {
		await openPage(browser, `file://${page}#waiting=without`);
		await settle(browser);
		same(await browser.evaluate(() => [window.dmtrace.measure,
			document.querySelector("select[aria-label^='Waiting']")
				.offsetParent === null]), ["wall", true]);
		quiet(browser);
	});
}

// Two traces of one name, from different folders.
async function checkSame(browser, page) {
	await claim("traces of one name are numbered, without folders",
		async () => {
			await openPage(browser, `file://${page}`);
			same(await browser.evaluate(() => [...document
				.querySelector("select[aria-label='Trace']")
				.options].map((one) => one.text)),
			["made.trace (1)", "made.trace (2)"]);
			return !fs.readFileSync(page, "utf8")
				.includes("other/made");
		});
}

// The rules of WCAG 2 A and AA that a program can check, in each tab and theme.
async function checkRules(browser, page, name) {
	const axe = path.join(process.env.builddir, "web/node_modules/axe-core",
		"axe.min.js");
	if (!fs.existsSync(axe))
		return;
	for (const theme of ["light", "dark"])
		for (const tab of name === "compare" ? ["compare"] :
			["profile", "flame", "tree", "calls"])
			await claim(
				`${name}: ${theme} ${
					tab}: no violation of WCAG`,
				async () => {
					await openPage(browser,
						`file://${page}#theme=${
						theme}&tab=${tab}`);
					await browser.evaluate(() => {
						const { dmtrace: app } = window;
						app.search.set("a");
						app.search.box.focus();
						app.select({ thread:
							app.trace.main,
							depth: 0, at: 0 });
					});
					await settle(browser);
					await browser.send("Runtime.evaluate", {
						expression: fs.readFileSync(axe,
							"utf8") });
					same(await browser.evaluate(async () =>
						{
						const { violations } =
							await window.axe.run(
								document, {
								runOnly: ["wcag2a",
									"wcag2aa"] });
						return violations.map(({ id,
							nodes }) =>
							`${id}: ${nodes[0].html}`);
					}), []);
				});
}

// A table of "dmtrace report" with the durations of calls.
async function checkReport(browser, page) {
	await claim("a report with durations fits, or scrolls in its place",
		async () => {
			for (const width of [1400, 1000, 420]) {
				await resize(browser, width, 800);
				await openPage(browser, `file://${page}`);
				const wide = await browser.evaluate(() =>
					document.documentElement.scrollWidth);
				if (wide > width)
					throw new Error(`${wide} in ${width}`);
			}
			await resize(browser, 1280, 800);
		});
}

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

async function checkMany(browser, page) {
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
			panels.profile.setFilter("7");
			panels.draw();
			clearTimeout(panels.drawing);
		});
		await draw("filtering");
		await timed("to search", () => window.dmtrace.search.set("7"));
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

async function checkHostile(browser, page) {
	await claim("hostile names are text", async () => {
		await openPage(browser, `file://${page}`);
		const rows = await shownRows(browser);
		const found = await browser.evaluate(() => ({
			images: document.images.length, title: document.title,
			bold:
				document.querySelectorAll(
					"b, i:not(.swatch)").length,
			pwned: window.pwned ?? "no" }));
		same(found,
			{ images: 0, title: "hostile.trace - dmtrace", bold: 0,
			pwned: "no" });
		return rows.length === 7 && await browser.evaluate(() =>
			document.documentElement.scrollWidth) <= 1280;
	});
	await claim("in all panels, and for a search", async () => {
		for (const key of ["flame", "calls", "profile"]) {
			await browser.evaluate((tab) => {
				window.dmtrace.chooseMethod(5);
				window.dmtrace.setTab(tab);
			}, key);
			await type(browser, "Search methods", "</script>");
		}
		same(await textOf(browser, ".found"), "1 call of 1 method");
		quiet(browser);
	});
}

async function checkTwo(browser, page) {
	await claim("of two traces one is chosen", async () => {
		await openPage(browser, `file://${page}`);
		const first = await shownRows(browser);
		await choose(browser, "Trace", "1");
		await choose(browser, "Threads", -1);
		const second = await shownRows(browser);
		return String(first) !== String(second) &&
			String(second) ===
				String(wantedRows("two.trace", "wall"));
	});
	await claim("the address says which", async () => {
		return (await addressOf(browser)).includes("#trace=1");
	});
}

// CPU time passes only while wall time does not.
async function checkSteps(browser, page) {
	await claim("a strip has CPU time that passes between the steps of the " +
		"wall time", async () => {
		await openPage(browser, `file://${page}`);
		same(await browser.evaluate(() => [...new Set(window.dmtrace
			.trace.stripOf(0).level.slice(0, -1))]), [10]);
	});
	await claim("a label that is too long has the end of the name",
		async () => {
			const texts = await browser.evaluate(() => {
				const { dmtrace: app } = window, made = [];
				const { fillText } = window.CanvasRenderingContext2D
					.prototype;
				window.CanvasRenderingContext2D.prototype.fillText =
					function (text, ...more) {
						made.push(text);
						return fillText.call(this, text,
							...more);
					};
				Object.assign(app.trace.methods[0], { label:
					"a.B.performTraversals", short:
					"B.performTraversals", name:
					"performTraversals" });
				app.panels.flame.drawLabel(app.panels.flame
					.canvas.getContext("2d"), 0, { x: 0 },
				0, 14, false);
				return made;
			});
			same(texts, ["…ormTraversals"]);
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

const SPECIAL = { both: checkTwo, hostile: checkHostile, known: checkKnown,
	faults: checkFaults, deep: checkDeep,
	groups: checkGroups, tree: checkTree, select: checkSelect,
	bounds: checkBounds, many: checkMany, take: checkTake, steps: checkSteps, compare: checkCompare, million: measure, paths:
		checkPaths,
	loop: checkLoop, empty: checkEmpty, wall: checkWall,
	report: checkReport, same: checkSame, thinned: checkThinned };

run(async (browser, ...pages) => {
	for (const page of pages) {
		const name = path.basename(page, ".html");
		await (SPECIAL[name] ?? checkTrace)(browser,
			path.resolve(page), name);
		if (["thinned", "made", "compare"].includes(name))
			await checkRules(browser, path.resolve(page), name);
	}
});
