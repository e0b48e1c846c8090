// page_compare.js - pages of two traces, and two that are compared
"use strict";

const fs = require("fs");
const { addressOf, choose, nameOf, openPage, report, settle, shownRows, sorted,
	wantedRows } = require("./page_start.js");
const { claim, quiet, same } = require("./web_cases.js");

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
	await claim("compared and thinned: time per call is in its bounds",
		async () => {
			const [from, to] = [1000000, 1000400];
			await openPage(browser, `file://${page}#thread=all&` +
				`range=${from}000..${to}000&compared=call`);
			const wanted = new Map(report("thinned.trace",
				`--from=${from}us`, `--to=${to}us`).map((row) =>
				[nameOf(row), row.inclusive_wall_ns /
					(Number(row.calls) +
					Number(row.recursive_calls))]));
			const found = await browser.evaluate(() =>
				window.dmtrace.panels.compare.rows.map((row) =>
					({ ...row, name: window.dmtrace.nameOf(
						row.method).slice(0, 200) })));
			for (const { name, after, moreAfter } of found) {
				const took = wanted.get(name);
				if (took < after || took > after + moreAfter)
					throw new Error(`${name}: ${took}`);
			}
			return found.some(({ calls: [, [few, more]], name }) =>
				few === 0 && more > 0 && wanted.get(name) > 0);
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

// The same trace twice, with slashes in the classes, then with dots.
async function checkDots(browser, page) {
	await claim("compare: classes with dots are those with slashes",
		async () => {
			await openPage(browser,
				`file://${page}#trace=1&thread=all`);
			same(await browser.evaluate(() => [...document
				.querySelectorAll("table.compare tbody tr")]
				.map((row) => [row.querySelector(".method")
					.innerText.trim(), ...[1, 2].map((at) =>
					row.cells[at].innerText)].join(" "))
				.slice(1).sort()), ["com.x.A.m() 1.00 ms 1.00 ms",
				"com.x.A.n() 700 µs 700 µs",
				"org.y.C.o() 200 µs 200 µs"]);
		});
}

// Of times that are not known in the range: those of a call that is open where
// the events of its thread end, and all that are around it.
async function checkPartial(browser, page) {
	await claim("compare: what is not known is last, without a bar",
		async () => {
			const found = [];
			for (const way of ["absolute", "total"]) {
				await openPage(browser, `file://${
					page}#thread=all&waiting=without&` +
					`range=0..800000&compared=${way}`);
				found.push(await browser.evaluate(() => [
					...document.querySelectorAll(
						"table.compare tbody tr")].map(
					(row) => [...[0, 1, 2, 3].map((at) =>
						row.cells[at].innerText.trim()),
					row.querySelector("i.more, i.less")
						.style.width].join("|"))));
			}
			same(found, [["(toplevel)|200 µs|||0%",
				"A.o()|100 µs|300 µs|+200 µs|50%",
				"A.n()|100 µs|150 µs|+50.0 µs|12.5%",
				"A.m()|0 s|||0%"],
			["(toplevel)|100.0 %|||0%", "A.o()|50.0 %|||0%",
				"A.m()|0.0 %|||0%", "A.n()|50.0 %|||0%"]]);
		});
}

// Threads of one name: before 2, 3 and 4, each of so many times 100 µs, then 3,
// 5, 6 and 7.
async function checkPairs(browser, page) {
	await claim("compare: threads of one name are paired", async () => {
		const found = [];
		for (const thread of [1, 3, 5, 6, 7]) {
			await openPage(browser, `file://${page}#thread=${
				thread}`);
			found.push(await browser.evaluate(() => [
				document.querySelector("table.compare tbody tr")
					.cells[1].innerText,
				window.dmtrace.panels.compare.status.value
					.replace(/;.*/, "")]));
		}
		const name = "before: few.trace";
		same(found, [["100 µs", `${name}, main 1`],
			["300 µs", `${name}, worker 3`],
			["200 µs", `${name}, worker 2`],
			["400 µs", `${name}, worker 4`],
			["0 s", `${name}, which has no such thread`]]);
	});
}

// Compared with a trace of one clock: without CPU time or wall time.
async function checkClocks(browser, page, name) {
	const hasWall = name === "nocpu";
	const open = async (choices) => {
		await openPage(browser, `file://${page}#thread=all${choices}`);
		return browser.evaluate(() => {
			const { panels: { compare, flame }, clock } =
				window.dmtrace;
			const rows = [...document.querySelectorAll(
				"table.compare tbody tr")].map((row) => [
				...[1, 2, 3].map((at) =>
					row.cells[at].innerText !== ""),
				row.querySelector("i.more, i.less")
					.style.width].join());
			return { clock, rows: [...new Set(rows)],
				falls: compare.rows?.every((row, i, all) =>
					!(row.after > all[i - 1]?.after)),
				says: compare.status.value.replace(/;.*/, ""),
				flame: flame.status.value,
				changes: flame.frames.filter(({ node }) =>
					node.before !== undefined).length };
		});
	};
	const missing = hasWall ? "CPU time" : "wall time";
	await claim(`compare: ${missing} that it did not have is not known`,
		async () => {
			for (const choices of hasWall ? ["&clock=cpu",
				"&waiting=without", "&waiting=only"] :
				["&clock=wall",
					"&clock=wall&waiting=only"]) {
				const { rows, says } = await open(choices);
				same([rows, says], [["false,true,false,0%"],
					"before: one.trace, which has no " +
					missing]);
			}
		});
	await claim(`compare: without ${missing}, rows are in the order of ` +
		"the time after", async () =>
		(await open(`&clock=${hasWall ? "cpu" : "wall"}`)).falls);
	await claim(`compare: nor is a frame's change without ${missing}`,
		async () => {
			const { flame, changes } = await open(`&clock=${
				hasWall ? "cpu" : "wall"}&tab=flame&` +
				"direction=difference");
			same([flame, changes], ["No change is shown: the " +
				`trace before has no ${missing}`, 0]);
		});
	await claim("compare: a clock of both is the first", async () => {
		const { clock, rows } = await open("");
		const other = hasWall ? "cpu" : "wall";
		await open(`&clock=${other}`);
		const address = (await addressOf(browser)).replace(/.*#/, "");
		same([clock, rows, address], [hasWall ? "wall" : "cpu",
			["true,true,true,0%"], `clock=${other}&thread=all`]);
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

module.exports = { checkBounds, checkClocks, checkCompare, checkDots,
	checkPairs, checkPartial, checkSame, checkTwo };
