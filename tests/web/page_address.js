// page_address.js - the address of the page, and its history
"use strict";

const { addressOf, choose, openPage, settle } = require("./page_start.js");
const { claim, quiet, same } = require("./web_cases.js");

// The traces are known.trace and made.trace.
async function checkAddress(browser, page) {
	const url = `file://${page}`;
	const back = async () => {
		await browser.evaluate(() => new Promise((done) => {
			window.addEventListener("hashchange", () =>
				setTimeout(done), { once: true });
			window.history.back();
		}));
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
	await claim("nothing of addresses is an error", () => quiet(browser));
}

module.exports = { checkAddress };
