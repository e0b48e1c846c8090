// page_known.js - the page of a trace whose figures are known
"use strict";

const { addressOf, boxOf, choose, openPage, pixelOf, settle, stateOf, textOf,
	type } = require("./page_start.js");
const { claim, quiet, same } = require("./web_cases.js");

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
		same(await textOf(browser, ".panels > .tools .status"),
			"400 µs = sum over 1 thread");
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
	await claim("an entry in the address moves nothing", async () => {
		const address = await addressOf(browser);
		await openPage(browser, `file://${page}#view=0..100000&entry=1`);
		const { view } = await stateOf(browser);
		const entry = await browser.evaluate(() =>
			window.dmtrace.entry);
		await openPage(browser, address);
		same([view, entry], [{ from: 0, to: 100000 }, 1]);
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

module.exports = { checkKnown };
