// page_address.js - the address of the page, and its history
"use strict";

const { addressOf, choose, openPage, settle } = require("./page_start.js");
const { claim, quiet, same } = require("./web_cases.js");

// The traces are known.trace, and one of a hundred methods.
async function checkAddress(browser, page) {
	const url = `file://${page}`;
	const back = async (by = -1) => {
		await browser.evaluate((entries) => new Promise((done) => {
			window.addEventListener("hashchange", () =>
				setTimeout(done), { once: true });
			window.history.go(entries);
		}), by);
		await settle(browser);
	};
	const chips = () => browser.evaluate(() => [...document
		.querySelectorAll(".chips:not([hidden]) .chip")].map((one) =>
		one.textContent));

	await claim("Back drops a transform, and its chip", async () => {
		await openPage(browser, url);
		// A full history drops entries that nobody has clicked for.
		await browser.send("Page.resetNavigationHistory");
		await addressOf(browser);
		await browser.evaluate(() => {
			const { dmtrace: app } = window;
			location.hash = "thread=all&only=f0";
			app.address.read();
		});
		await addressOf(browser);
		const found = [await chips()];
		await back();
		found.push(await chips());
		same(found, [["Only org.y.C.o ×"], []]);
	});
	await claim("so does another trace", async () => {
		await openPage(browser, `${url}#only=f0`);
		await choose(browser, "Trace", 1);
		same(await chips(), []);
	});
	// What the address says of the timeline.
	const shown = () => browser.evaluate(() => {
		const { view, timeline: { threads }, selected, trace } =
			window.dmtrace;
		const namesOf = (set) => [...set].map((index) =>
			trace.threads[index].name);
		return [view.from, view.to, namesOf(threads.folded),
			namesOf(threads.hidden), threads.filter, selected];
	});
	const call = { thread: 1, depth: 1, at: 1 };
	await claim("a call in the address moves and unfolds nothing", async () => {
		const found = [];
		for (const text of ["view=0..200000", "folded=2", "hidden=2",
			"threads=main"]) {
			await openPage(browser,
				`${url}#trace=0&${text}&call=2.1.1`);
			await addressOf(browser);
			found.push(await shown());
		}
		same(found, [[0, 200000, [], [], "", call],
			[0, 1000000, ["worker"], [], "", call],
			[0, 1000000, [], ["worker"], "", call],
			[0, 1000000, [], [], "main", call]]);
	});
	await claim("Back to a view in which it is too short is to that view",
		async () => {
			await openPage(browser, `${url}#trace=1&thread=all`);
			await browser.send("Page.resetNavigationHistory");
			await browser.evaluate(() => {
				const { dmtrace: app } = window;
				const { start, end } = app.lane(0).levels[2];
				const at = start.findIndex((one, i) =>
					end[i] - one < app.timeline.pixel);
				app.select({ thread: 0, depth: 2, at });
			});
			const before = await addressOf(browser);
			await browser.evaluate(() => window.dmtrace.zoomToCall(
				window.dmtrace.selected));
			const zoomed = await addressOf(browser);
			await back();
			same([await addressOf(browser), /view=/.test(before),
				/view=/.test(zoomed)], [before, false, true]);
		});
	await claim("Back and Forward change the order, and no folds", async () => {
		const orderOf = () => browser.evaluate(() => {
			const { order, choice, folded } =
				window.dmtrace.timeline.threads;
			return [order, choice.value, [...folded]];
		});
		await openPage(browser, `${url}#trace=1`);
		await browser.send("Page.resetNavigationHistory");
		await addressOf(browser);
		const before = await orderOf();
		await choose(browser, "Order", "name");
		await addressOf(browser);
		await back();
		const found = [await orderOf()];
		await back(1);
		found.push(await orderOf());
		same(found, [["main", "main", before[2]],
			["name", "name", before[2]]]);
	});
	await claim("a method in the address has its row, whatever its time",
		async () => {
			await openPage(browser, `${url}#trace=1&thread=all`);
			const last = await browser.evaluate(() =>
				window.dmtrace.sums.tree.profile().rows.reduce(
					(a, b) => b.inclusive.wall <
						a.inclusive.wall ? b : a)
					.method);
			const row = () => browser.evaluate((method) => [...document
				.querySelectorAll(`tr[data-method="${method}"]`)]
				.map((one) => one.className), last);
			const found = [await row()];
			await openPage(browser,
				`${url}#trace=1&thread=all&method=${last}`);
			found.push(await row());
			same(found, [[], ["chosen"]]);
		});
	await claim("another clock has the same threads", async () => {
		await openPage(browser, `${url}#trace=1`);
		await browser.evaluate(() => {
			const { threads } = window.dmtrace.timeline;
			threads.hidden.add(1);
			threads.pinned.add(3);
			threads.opened.add(2);
			threads.unfoldedGroups.add(1);
			threads.toggle(threads.folded, 0);
		});
		const sets = () => browser.evaluate(() => {
			const { hidden, pinned, opened, unfoldedGroups, folded } =
				window.dmtrace.timeline.threads;
			return [hidden, pinned, opened, unfoldedGroups, folded]
				.map((set) => [...set]);
		});
		const before = await sets();
		await choose(browser, "Clock", "cpu");
		same(await sets(), before);
	});
	await claim("a zoom of the flame graph ends with a change of thread",
		async () => {
			const zoom = async () => {
				await settle(browser);
				return browser.evaluate(() =>
					window.dmtrace.panels.flame.path);
			};
			await openPage(browser, `${url}#trace=1&tab=flame`);
			await browser.evaluate(() => {
				const { flame } = window.dmtrace.panels;
				flame.zoomTo(flame.frames[3].node);
			});
			const address = `${await addressOf(browser)}` +
				"&range=0..20000000";
			await openPage(browser, address);
			const found = [await zoom()];
			await openPage(browser, address.replace("tab=flame", ""));
			await choose(browser, "Threads", -1);
			await browser.evaluate(() => window.dmtrace.setTab("flame"));
			found.push(await zoom());
			same([found[0].length > 0, found[1]], [true, []]);
		});
	await claim("nothing of addresses is an error", () => quiet(browser));
}

module.exports = { checkAddress };
