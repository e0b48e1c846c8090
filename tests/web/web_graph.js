// web_graph.js - pictures of call graphs, as a person uses them in Chromium
//
//	node web_graph.js FIRST PICTURE
//
// prints a case for each claim, numbered from FIRST.
"use strict";

const path = require("path");
const { claim, quiet, run, same } = require("./web_cases.js");

run(async (browser, file) => {
	const prefer = (value) => browser.send("Emulation.setEmulatedMedia",
		{ features: [{ name: "prefers-color-scheme", value }] });
	const box = () => browser.evaluate(() => document.documentElement
		.getAttribute("viewBox").split(" ").map(Number));

	await prefer("light");
	await browser.open(`file://${path.resolve(file)}`);
	const whole = await box();
	await claim("a graph fits into its window", async () => {
		const { x, y, right, bottom } = await browser.evaluate(() => {
			const found = document.querySelector(".graph")
				.getBoundingClientRect();
			return { x: found.x, y: found.y, right: found.right,
				bottom: found.bottom };
		});
		return x >= -1 && y >= -1 && right <= 1281 && bottom <= 801;
	});
	await claim("the wheel zooms at the pointer", async () => {
		const placeOf = () => browser.evaluate(() => {
			const { a, e } =
				document.documentElement.getScreenCTM();
			return (640 - e) / a;
		});
		const before = await placeOf();
		await browser.mouse("mouseWheel", 640, 300,
			{ deltaX: 0, deltaY: -300 });
		await browser.until((width) => Number(document.documentElement
			.getAttribute("viewBox").split(" ")[2]) < width,
				whole[2]);
		return Math.abs(await placeOf() - before) < 1;
	});
	await claim("a drag moves", async () => {
		const before = await box();
		await browser.drag(640, 540, 300);
		const after = await box();
		return after[0] > before[0] && after[2] === before[2];
	});
	await claim("keys move, zoom and show all", async () => {
		const [before] = await box();
		await browser.key("ArrowRight");
		const [moved, , width] = await box();
		await browser.key("+");
		const [, , zoomed] = await box();
		await browser.key("0");
		same([moved > before, zoomed < width, await box()],
			[true, true, whole]);
	});
	await claim("it is dark where that is preferred", async () => {
		const looks = () => browser.evaluate(() => [getComputedStyle(
			document.documentElement).backgroundColor,
				getComputedStyle(
			document.querySelector(".graph")).filter !== "none"]);
		const found = [await looks()];
		await prefer("dark");
		found.push(await looks());
		same(found, [["rgb(255, 255, 255)", false],
			["rgb(26, 26, 26)", true]]);
	});
	await claim("it loads nothing", () => quiet(browser));
});
