// page_faults.js - what went wrong on earlier pages
"use strict";

const { addressOf, boxOf, choose, openPage, settle, stateOf, textOf,
	type } = require("./page_start.js");
const { claim, quiet, same } = require("./web_cases.js");

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
	await claim("so is Escape", async () => {
		await browser.evaluate(() => {
			window.dmtrace.setRange({ from: 0, to: 1000 }, true);
			document.querySelector("select[aria-label^='Waiting']")
				.focus();
		});
		await escape();
		same((await stateOf(browser)).range, null);
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

module.exports = { checkFaults };
