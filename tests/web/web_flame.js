// web_flame.js - flame graphs, as a person uses them in Chromium
//
//	node web_flame.js FIRST TRACE HOSTILE DIFF LARGE DEEP ICICLE [FOLDER]
//
// prints a case for each claim, numbered from FIRST. Pictures go to FOLDER.
"use strict";

const path = require("path");
const { claim, claimTime, quiet, run } = require("./web_cases.js");

const folder = process.argv[9];

async function open(browser, file, scheme = "light") {
	await browser.send("Emulation.setEmulatedMedia", { features: [
		{ name: "prefers-color-scheme", value: scheme }] });
	await browser.open(`file://${path.resolve(file)}`);
	await browser.until(() => document.querySelector("input") !== null);
}

// Boxes that are drawn: where, and their titles.
function boxes() {
	return [...document.querySelectorAll("#frames g")].map((group) => {
		const { x, y, width, height } = group.querySelector("rect")
			.getBoundingClientRect();
		return { x, y, width, height, kind: group.getAttribute("class"),
			title: group.querySelector("title").textContent };
	});
}

const status = () => document.querySelector("#status").textContent;

async function picture(browser, name) {
	if (folder !== undefined)
		await browser.picture(path.join(folder, name));
}

async function checkUse(browser, file) {
	await open(browser, file);
	const all = await browser.evaluate(boxes);
	const root = all.find((box) => box.title.startsWith("all\n"));
	const inner = all.filter((box) => box.kind !== "fold" && box !== root)
		.find((box) => box.width < root.width / 2 && box.width > 20 &&
			box.y > 80);
	await claim("the first frame is as wide as the window", () =>
		Math.abs(root.width - 1280) < 2);
	await claim("frames are at least a pixel wide", () =>
		all.every((box) => box.width >= 0.5));
	await picture(browser, "flame-light.png");

	await browser.click(inner.x + inner.width / 2, inner.y + 5);
	const zoomed = await browser.evaluate(boxes);
	const wide = zoomed.find((box) => box.title === inner.title);
	await claim("a click enlarges a frame", () =>
		Math.abs(wide.width - 1280) < 2);
	await claim("what it is on stays, faint", () => zoomed.some((box) =>
		box.title === root.title && box.kind.includes("above")));
	await picture(browser, "flame-zoomed.png");
	for (let tries = 0; tries < 40; tries++)
		await browser.key("Escape");
	const back = await browser.evaluate(boxes);
	await claim("Escape goes back", () =>
		JSON.stringify(back.map((box) => box.title)) ===
		JSON.stringify(all.map((box) => box.title)));

	await browser.key("ArrowUp");
	const chosen = await browser.evaluate(() => document.querySelector(
		".chosen title")?.textContent);
	await claim("an arrow chooses the widest frame on it", () =>
		chosen !== undefined && chosen !== root.title);
	await browser.key("Enter");
	await claim("Enter enlarges it", async () => (await browser.evaluate(
		boxes)).some((box) => box.title === chosen &&
		Math.abs(box.width - 1280) < 2));
	await browser.key("ArrowDown");
	await browser.key("Enter");
	await claim("and the frame below is all again", async () =>
		(await browser.evaluate(boxes)).length === all.length);

	await browser.key("/");
	const name = inner.title.split("\n")[0].replace(/\(.*/, "")
		.split(".").pop().replace(/[^A-Za-z0-9]/g, ".");
	for (const letter of `${name}$`)
		await browser.key(letter);
	const found = await browser.evaluate(() => document
		.querySelector("#found").textContent);
	await claim("/ searches by a regular expression, and sums up",
		() => {
			if (!/^[\d,]+ frames? found: .*, [\d.]+ % of all$/
				.test(found))
				throw new Error(found);
		});
	await claim("what is found is marked", async () =>
		(await browser.evaluate(boxes)).some((box) =>
			box.kind.includes("hit") && box.title === inner.title));
	await picture(browser, "flame-search.png");
	await browser.key("Escape");
	await claim("Escape ends the search", async () =>
		!(await browser.evaluate(boxes)).some((box) =>
			box.kind.includes("hit")));
	await browser.key("/");
	await browser.key("(");
	await claim("a wrong expression is explained", async () =>
		(await browser.evaluate(() => document.querySelector("input")
			.validationMessage)) !== "");
	await browser.key("Escape");
	await claim("without message, error or request", () => quiet(browser));
	await open(browser, file, "dark");
	await claim("the ground is dark where that is preferred", async () =>
		await browser.evaluate(() => getComputedStyle(document
			.querySelector("#ground")).fill) === "rgb(22, 24, 29)");
	await picture(browser, "flame-dark.png");
}

async function checkHostile(browser, file) {
	await open(browser, file);
	const titles = (await browser.evaluate(boxes)).map((box) => box.title)
		.join("\n");
	await claim("names are text, and nothing runs", async () =>
		titles.includes("</script><script>pwned=1</script>") &&
		titles.includes("]]>") &&
		await browser.evaluate(() => window.pwned === undefined));
	await claim("without message, error or request", () => quiet(browser));
}

async function checkDiff(browser, file) {
	await open(browser, file);
	const kinds = (await browser.evaluate(boxes)).map((box) => box.kind);
	await claim("a comparison is red and blue", () =>
		kinds.some((kind) => /^r[1-4]/.test(kind)) &&
		kinds.some((kind) => /^b[1-4]/.test(kind)));
	await claim("without message, error or request", () => quiet(browser));
	await picture(browser, "flame-diff.png");
}

// Of frames that are higher than the window, some below others.
async function checkDeep(browser, ...files) {
	for (const file of files)
		await claim(`${path.basename(file)}: a deep one opens at the ` +
			"outermost frame", async () => {
			await open(browser, file);
			const [high, seen] = await browser.evaluate(() => {
				const { top, bottom } = document.querySelector(
					"#frames g rect").getBoundingClientRect();
				const { scrollHeight } =
					document.documentElement;
				return [scrollHeight > 2 * window.innerHeight,
					top >= 0 && bottom <=
						window.innerHeight];
			});
			return high && seen;
		});
}

// How much work it is to enlarge a frame, in ms: of 20 frames the median.
async function workToEnlarge(browser) {
	const times = [];
	for (let i = 0; i < 20; i++) {
		const before = await browser.work();
		await browser.evaluate((part) => {
			const groups = document.querySelectorAll("#frames g");
			groups[Math.floor(part * groups.length)].dispatchEvent(
				new Event("click"));
			document.documentElement.getBoundingClientRect();
			return new Promise((resolve) =>
				requestAnimationFrame(() =>
					setTimeout(resolve)));
		}, i / 20);
		times.push(await browser.work() - before);
		await browser.evaluate(() => document.querySelector(
			"#frames g").dispatchEvent(new Event("click")));
	}
	return times.sort((a, b) => a - b)[10];
}

async function checkLarge(browser, file) {
	await open(browser, file);
	await claimTime(browser, "one of 100,000 frames is enlarged", 3,
		() => workToEnlarge(browser));
	await claim("narrow ones are counted", async () =>
		/narrow frames/.test(await browser.evaluate(status)));
}

run(async (browser, use, hostile, diff, large, deep, icicle) => {
	await checkUse(browser, use);
	await checkHostile(browser, hostile);
	await checkDiff(browser, diff);
	await checkDeep(browser, deep, icicle);
	await checkLarge(browser, large);
});
