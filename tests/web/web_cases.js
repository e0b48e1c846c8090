// web_cases.js - what the tests in a browser share
//
// A test is a script of node, whose first argument is the number of its first
// case:
//
//	const { claim, run } = require("./web_cases.js");
//	run(async (browser, ...rest) => {
//		await browser.open(`file://${path.resolve(rest[0])}`);
//		await claim("it has a title", () => ...);
//	});
"use strict";

const { Browser } = require("./browser.js");

let number = Number(process.argv[2]);

// A case that passes unless the function returns false or throws.
async function claim(label, check) {
	let why = "";
	try {
		if (await check() === false)
			why = "it is not so";
	} catch (error) {
		why = error.stack;
	}
	console.log(`${why === "" ? "ok" : "not ok"} ${number++} - ${label}`);
	if (why !== "")
		console.log(why.replace(/^/gm, "# "));
}

// Throws unless two values have the same JSON.
function same(found, wanted) {
	const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
	if (a === b)
		return;
	let at = 0;
	while (a[at] === b[at])
		at++;
	throw new Error(`at ${at}: found ...${a.slice(Math.max(0, at - 80),
		at + 80)}, not ...${b.slice(Math.max(0, at - 80), at + 80)}`);
}

// No message, no error, and nothing was loaded but the page.
function quiet({ console: messages, errors, requests }) {
	same([...messages, ...errors, ...requests.slice(1)], []);
}

function median(all) {
	return all.sort((a, b) => a - b)[all.length >> 1];
}

// How long it takes to sort 100,000 numbers, in ms: the unit of limits.
async function sortTime(browser) {
	const times = [];
	for (let i = 0; i < 5; i++) {
		const before = await browser.work();
		await browser.evaluate(() => {
			let last = 1;
			return Array.from({ length: 100000 }, () => {
				last = last * 48271 % 2147483647;
				return last;
			}).sort((a, b) => a - b)[0];
		});
		times.push(await browser.work() - before);
	}
	return median(times);
}

// A case that passes if work(), which returns ms, takes as long as limit sorts
// at most: computers differ. Times are those of the CPU, yet other programs share
// its caches: what is beyond its limit is measured again.
async function claimTime(browser, label, limit, work) {
	await claim(`${label}: ${limit} sorts at most`, async () => {
		for (let i = 0; i < 3; i++) {
			const unit = await sortTime(browser);
			const took = await work();
			console.log(`# ${took.toFixed(1)} ms; a sort took ${
				unit.toFixed(1)} ms`);
			if (took > 0 && took <= limit * unit)
				return true;
		}
		return false;
	});
}

// Calls test(browser, argument...) with the arguments after the number.
async function run(test) {
	const browser = new Browser("browser");
	await browser.start();
	await test(browser, ...process.argv.slice(3));
	await browser.close();
}

// What breaks off leaves no browser.
process.on("unhandledRejection", (error) => {
	console.log(error.stack.replace(/^/gm, "# "));
	process.exit(1);
});

module.exports = { claim, claimTime, quiet, run, same };
