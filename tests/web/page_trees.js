// page_trees.js - trees of calls on the page, and the selected method in them
"use strict";

const { addressOf, boxOf, choose, openPage, pixelOf, settle,
	textOf } = require("./page_start.js");
const { claim, quiet, same } = require("./web_cases.js");

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
	await claim("so is one of a package that is collapsed", async () => {
		const wanted = await browser.evaluate(() => {
			const { dmtrace: app } = window;
			const press = (text) => {
				app.timeline.scroller.focus();
				document.activeElement.dispatchEvent(
					new window.KeyboardEvent("keydown", {
						key: "c", bubbles: true }));
				[...document.querySelectorAll(".menu button")]
					.find((one) => one.textContent.startsWith(
						text)).click();
			};
			// The address has another order of the packages.
			app.chooseMethod(app.trace.methods.findIndex(
				({ name }) => name === "o"));
			press("Collapse package org.y");
			document.querySelector(".chip").click();
			app.chooseMethod(app.trace.methods.findIndex(
				({ name }) => name === "n"));
			press("Collapse package com.x");
			app.chooseMethod(app.trace.methodOfPackage("com.x"));
			press("Focus on function");
			app.setTab("flame");
			return document.querySelector(".chips").innerText;
		});
		await settle(browser);
		const before = await shown();
		const address = await addressOf(browser);
		await openPage(browser, address);
		same([await textOf(browser, ".chips"), await shown(),
			await browser.evaluate(() => window.dmtrace.trace
				.methods[window.dmtrace.method].label)],
		[wanted, before, "com.x.*"]);
		await drop();
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
		// In the timeline, n has the time of the inner call of m.
		same(await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.select({ thread: 0, depth: 1, at: 0 });
			return document.querySelector(".about").innerText
				.match(/\S+ \S+ exclusive/g);
		}), ["~500 µs exclusive", "~500 µs exclusive"]);
		// To a transform that follows, o is no callee of n.
		same(await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.timeline.scroller.focus();
			app.chooseMethod(app.lane(0).levels[1].method[0]);
			document.activeElement.dispatchEvent(
				new window.KeyboardEvent("keydown", { key: "c",
					bubbles: true }));
			document.querySelector(".menu button").click();
			return [app.sums.tree.profile().rows.length,
				app.lane(0).levels.length];
		}), [1, 1]);
		quiet(browser);
	});
}

// A window ends 500 us after the last event of worker, where m is open: how much
// CPU time m used is not known. That of n in it is, and of o on main.
async function checkUnknown(browser, page) {
	const open = (more) => openPage(browser,
		`file://${page}#thread=all&${more}`);
	for (const [waiting, ...wanted] of [
		["without", "(toplevel)|||0 s||0", "A.o()|388 µs||388 µs||1",
			"A.m()|||||1", "A.n()|50.0 µs||50.0 µs||1"],
		["only", "(toplevel)|||0 s||0", "A.m()|||||1",
			"A.n()|150 µs||150 µs||1", "A.o()|312 µs||312 µs||1"]])
		await claim(`what is not known is blank in a tree ${
			waiting} waiting`, async () => {
			await open(`waiting=${waiting}&tab=tree`);
			same(await browser.evaluate(() => {
				const { panels } = window.dmtrace;
				const rows = () => [...document
					.querySelectorAll("[role='treeitem']")];
				const m = rows().find((one) =>
					one.innerText.includes("A.m()"));
				if (m.getAttribute("aria-expanded") === "false")
					m.click();
				panels.drawNow();
				return rows().map((row) => [...row.children]
					.map((cell) => cell.innerText.trim())
					.join("|"));
			}), wanted);
		});
	await claim("frames of such times say so", async () => {
		await open("waiting=without&tab=flame");
		same(await browser.evaluate(() => {
			const { dmtrace: app } = window, { flame } = app.panels;
			const { node, width } = flame.frames.find((one) =>
				app.nameOf(one.node.method).includes("A.m"));
			const text = flame.describe(node)[1];
			flame.zoomTo(node);
			app.chooseMethod(-1);
			app.panels.drawNow();
			return [Math.round(100 * width / flame.width), text,
				flame.status.value];
		}), [20, "unknown inclusive, unknown %; unknown exclusive; " +
			"1 call; its width leaves out the CPU time that is " +
			"not known", "A.m(): unknown % of unknown"]);
	});
	await claim("shares of the selected method, too", async () => {
		await open("waiting=without&tab=flame");
		same(await browser.evaluate(() => ["m", "o"].map((name) => {
			const { dmtrace: app } = window;
			app.chooseMethod(app.trace.methods.findIndex((one) =>
				one.name === name));
			app.panels.drawNow();
			return app.panels.flame.status.value;
		})), ["A.m: 1 frame, unknown %", "A.o: 1 frame, unknown %"]);
	});
	await claim("so are times from the bottom up", async () => {
		await open("waiting=without&tab=tree&direction=up");
		same(await browser.evaluate(() => {
			const { dmtrace: app } = window, [top] = app.sums.stacks;
			return [top, ...top.children].map((one) => [
				one.boundsOf("total")[0],
				one.boundsOf("self")[0]].map(String).join());
		}), ["NaN,0", "388000,388000", "NaN,NaN", "50000,50000"]);
		quiet(browser);
	});
}

module.exports = { checkTree, checkSelect, checkLoop, checkUnknown };
