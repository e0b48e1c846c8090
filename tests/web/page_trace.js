// page_trace.js - the page of any trace, whose figures are those of "dmtrace
// report"
"use strict";

const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { addressOf, boxOf, choose, nameOf, openPage, report, resize, rowOf,
	settle, shownRows, sorted, stateOf, textOf, type, us,
	wantedRows } = require("./page_start.js");
const { claim, quiet, same } = require("./web_cases.js");

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
	await claim(`${name}: waiting is what a row has off the CPU`, async () => {
		const off = (row, what) => Math.max(0,
			row[`${what}_wall_ns`] - row[`${what}_cpu_ns`]);
		await choose(browser, "Waiting", "only");
		const shown = await shownRows(browser);
		await choose(browser, "Waiting", "with");
		same(shown, sorted(report(trace, "-tmain").filter((row) =>
			/top|method/.test(row.kind)).map((row) => rowOf({
			...row, inclusive_wait_ns: off(row, "inclusive"),
			exclusive_wait_ns: off(row, "exclusive") }, "wait"))));
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
	await claim(`${name}: threads of a range are counted as in a report`,
		async () => {
			const { from, to } = (await state()).span;
			const found = [], wanted = [];
			// A report does not say so of one thread.
			for (const part of [0.01, 0.3, 0.8]) {
				const end = us(from + part * (to - from));
				await browser.evaluate((a, b) => {
					const { dmtrace: app } = window;
					app.setRange({ from: a, to: b }, true);
					app.panels.drawNow();
				}, from, end * 1000);
				for (const [texts, text] of [[found, await textOf(
					browser, ".panels > .tools .status")],
				[wanted, execFileSync("dmtrace", ["report", "-q",
					`--from=${us(from)}us`, `--to=${end}us`,
					trace], { encoding: "utf8" })]])
					texts.push(/sum over (\d+) thread|$/.exec(
						text)[1] ?? "1");
			}
			same(found, wanted);
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
	await checkCalls(browser, page, name);
}

// Of up to 60 methods, those in the list of calls, and in the profile.
async function checkCalls(browser, page, name) {
	for (const clock of ["wall", "cpu"])
		await claim(`${name}: lists of calls in ranges of ${clock
		} time are those of the profile`, async () => {
			await openPage(browser,
				`file://${page}#thread=all&clock=${clock}`);
			same(await browser.evaluate(() => {
				const { dmtrace: app } = window;
				const { panels: { calls }, span } = app;
				const { length } = app.trace.methods;
				const step = Math.ceil(length / 60);
				const wrong = [];
				for (let i = 0; i < 40; i++) {
					const ends = [i * 37, i * 11 + 8].map(
						(at) => span.from + at % 40 / 40 *
						span.length).sort((a, b) => a - b);
					app.setRange({ from: ends[0],
						to: ends[1] }, true);
					const rows = new Map(app.sums.tree
						.profile().rows.map((row) => [
						row.method, row.calls +
						row.recursive]));
					for (let one = i % step; one < length;
						one += step) {
						app.method = one;
						[...calls.prepare()];
						const wanted = rows.get(one) ?? 0;
						const found = calls.calls.length;
						if (found !== wanted)
							wrong.push([app.range,
							app.nameOf(one), found,
								wanted]);
					}
				}
				return wrong;
			}), []);
			quiet(browser);
		});
}

module.exports = { checkCalls, checkTrace };
