// page_threads.js - threads of the page: groups, strips, deep stacks
"use strict";

const { addressOf, boxOf, choose, openPage, pixelOf, resize, settle,
	textOf } = require("./page_start.js");
const { claim, quiet, same } = require("./web_cases.js");

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
	await claim("it is that of the threads that are shown", async () => {
		const found = await browser.evaluate(() => {
			const { threads } = window.dmtrace.timeline;
			const strips = [[1], [2], [2], []].map((hidden) => {
				threads.hidden = new Set(hidden);
				threads.arrange();
				return threads.stripOf(threads.items[1]);
			});
			return strips.slice(1).map((one, i) =>
				one === strips[i]);
		});
		same(found, [false, true, false]);
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
			const row = new Row({ clocks: [], threads: [],
				methods: [["android/os/Handler", "dispatch",
					"(Landroid/os/Message;[[IZ)V"]] });
			row.describeMethods().next();
			const [one] = row.methods;
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

// A call is from before the trace.
async function checkEntered(browser, page) {
	await claim("depths say which calls are from before the trace",
		async () => {
			const found = [];
			for (const depth of [0, 1]) {
				await openPage(browser,
					`file://${page}#call=2.${depth}.0`);
				found.push(/depth [^,]*/.exec(await textOf(
					browser, ".about"))[0]);
			}
			same(found, [1, 2].map((depth) => `depth ${depth} ` +
				"with 1 call from before the trace"));
		});
}

// Calls are more than a thousand deep.
async function checkStack(browser, page) {
	await claim("a flame graph says where it has more levels, and goes there",
		async () => {
			await openPage(browser, `file://${page}#tab=flame`);
			const zooms = await browser.evaluate(() => {
				const { dmtrace: app } = window;
				const { flame } = app.panels, made = [];
				flame.drawLabel = function (...given) {
					const [context] = given;
					context.fillText = (text) => {
						made.text = text;
					};
					this.constructor.prototype.drawLabel
						.apply(this, given);
					delete context.fillText;
				};
				for (let more = true; more;) {
					app.panels.drawNow();
					const last = flame.frames.at(-1);
					made.push([/more levels/.test(made.text),
						flame.rows]);
					more = last.node.isInner &&
						made.length < 9;
					flame.zoomTo(last.node);
				}
				return made;
			});
			same(zooms, [[true, 401], [true, 801], [true, 801],
				[false, 545]]);
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

module.exports = { checkGroups, checkDeep, checkEntered, checkStack,
	checkSteps };
