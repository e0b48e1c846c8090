// page_rules.js - rules of the web, and unusual traces, on the page
"use strict";

const fs = require("fs");
const path = require("path");
const { openPage, resize, settle, shownRows, textOf,
	type } = require("./page_start.js");
const { claim, quiet, same } = require("./web_cases.js");

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

// Colors of names on bars, which axe does not see on a canvas: of all packages
// and classes, also of bars that a search or a zoom dims.
async function checkContrast(browser, page) {
	for (const theme of ["light", "dark"])
		await claim(`${theme}: names on bars have a contrast of 4.5`,
			async () => {
				await openPage(browser,
					`file://${page}#theme=${theme}`);
				const least = await browser.evaluate(() => {
					const { palette } = window.dmtrace;
					const methods = Array.from({ length:
						4000 }, (one, i) => ({
						package: i % 9 === 0 ? "" :
							`p${i}`,
						className: `p${i}/C${i}` }));
					const all = new palette.constructor(
						{ methods });
					const rgbOf = (text) => text.startsWith(
						"#") ? [1, 3, 5].map((at) =>
							parseInt(text.slice(at,
								at + 2), 16)) :
						text.match(/\d+/g).map(Number);
					const light = (rgb) => rgb.map((part) =>
						part / 255).map((part) =>
						part <= 0.03928 ? part / 12.92 :
							((part + 0.055) / 1.055)
								** 2.4).reduce(
						(sum, part, i) => sum + part *
							[0.2126, 0.7152,
								0.0722][i], 0);
					const contrast = (...pair) => {
						const [a, b] = pair.map(light);
						return (Math.max(a, b) + 0.05) /
							(Math.min(a, b) + 0.05);
					};
					const text = rgbOf(all.text);
					const ground = rgbOf(all.ground);
					return methods.map((one, i) => {
						const bar = rgbOf(all.css[i]);
						const dim = new Uint8Array(
							all.dimmed.buffer, 4 *
								i, 3);
						const faint = bar.map((part,
							k) => 0.4 * part + 0.6 *
							ground[k]);
						return [contrast(bar, rgbOf(
							all.bar)), contrast(
							[...dim], text),
						contrast(faint, text)];
					}).reduce((low, row) => low.map(
						(one, k) => Math.min(one,
							row[k])));
				});
				if (Math.min(...least) < 4.5)
					throw new Error(String(least));
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

// A trace of one call with more CPU time than wall time.
async function checkAhead(browser, page) {
	await claim("more CPU time than wall time is marked in all columns",
		async () => {
			await openPage(browser,
				`file://${page}#thread=all&waiting=only`);
			const why = "-50 µs: more CPU time than wall time, " +
				"because the clocks are read one after the other";
			same(await browser.evaluate(() => ["inclusive",
				"exclusive", "off-cpu"].map((name) => {
				const cell = document.querySelector(
					`tr[data-method='0'] .${name}`);
				return [cell.innerText, cell.querySelector(
					".duration").title];
			})), Array(3).fill(["0 s*", why]));
			quiet(browser);
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
	await claim("no command has escaped or very long names", async () => {
		const found = await browser.evaluate(() => [1, 5].map((at) => {
			const { dmtrace: app } = window;
			app.chooseMethod(at);
			app.timeline.scroller.focus();
			document.activeElement.dispatchEvent(
				new window.KeyboardEvent("keydown", { key: "c",
					bubbles: true }));
			[...document.querySelectorAll(".menu button")].find(
				(one) => one.textContent.startsWith("Merge"))
				.click();
			app.panels.copy.click();
			const text = [...document.querySelectorAll(
				".menu button")].at(-1).textContent;
			document.querySelector(".chip").click();
			return text;
		}));
		const none = "No command gives these figures: reports have " +
			"nothing like \"Merged ";
		same(found.map((one) => one.slice(0, none.length)),
			[none, none]);
	});
}

module.exports = { checkContrast, checkRules, checkReport, checkEmpty, checkWall,
	checkAhead, checkHostile };
