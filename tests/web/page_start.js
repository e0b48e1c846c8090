// page_start.js - what the tests of the page of "dmtrace view" share
"use strict";

const { execFileSync } = require("child_process");

const us = (ns) => String(Math.trunc(Number(ns) / 1000));

// Rows of "dmtrace report -f tsv": objects.
function report(trace, ...options) {
	const lines = execFileSync("dmtrace", ["report", "-q", "-f", "tsv",
		...options, trace], { encoding: "utf8",
		maxBuffer: 1 << 28 }).trimEnd().split("\n")
		.map((line) => line.split("\t"));
	const names = lines.shift();
	return lines.map((line) => Object.fromEntries(
		names.map((name, i) => [name, line[i]])));
}

function nameOf(row) {
	return (row.class.replaceAll("/", ".") +
		(row.class && row.name ? "." : "") + row.name +
		(row.signature && ` ${row.signature}`)).slice(0, 200);
}

function rowOf(row, clock) {
	return [nameOf(row), us(row[`inclusive_${clock}_ns`]),
		us(row[`exclusive_${clock}_ns`]),
		String(Number(row.calls) + Number(row.recursive_calls)),
		String(Number(row.recursive_calls))];
}

const sorted = (rows) => rows.map(String).sort();

function wantedRows(trace, clock, ...options) {
	return sorted(report(trace, ...options).filter((row) =>
		row.kind === "top" || row.kind === "method").map((row) =>
		rowOf(row, clock)));
}

// Until nothing is left to be drawn.
function settle(browser) {
	return browser.until(() => {
		const { dmtrace: page } = window;
		return page !== undefined && !page.panels.drawing &&
			!page.search.waiting && !page.timeline.frame &&
			!page.timeline.threads.waiting;
	});
}

// Until the page has a frame of this size.
async function resize(browser, width, height) {
	await browser.resize(width, height);
	await browser.evaluate(() => new Promise((resolve) =>
		requestAnimationFrame(() => requestAnimationFrame(resolve))));
	await settle(browser);
}

// The address, when it is written.
async function addressOf(browser) {
	await browser.until(() => !window.dmtrace.address.keeping);
	return browser.evaluate(() => location.href);
}

// Opens a page, with the figures of all threads.
async function openPage(browser, url) {
	await browser.open(url.includes("#") ? url : `${url}#thread=all`);
	await settle(browser);
}

const boxOf = (browser, selector) => browser.evaluate((wanted) => {
	const { x, y, width, height } = document.querySelector(wanted)
		.getBoundingClientRect();
	return { x, y, width, height };
}, selector);

const stateOf = (browser) => browser.evaluate(() => {
	const { clock, view, range, thread, method, selected, span } =
		window.dmtrace;
	return { clock, view, range, thread, method, selected, span };
});

const textOf = (browser, selector) => browser.evaluate((wanted) =>
	document.querySelector(wanted).innerText, selector);

// What a canvas shows at a place: red, green, blue.
function pixelOf(browser, canvas, x, y) {
	return browser.evaluate((name, left, top) => {
		const copy = document.createElement("canvas");
		copy.width = copy.height = 1;
		const context = copy.getContext("2d",
			{ willReadFrequently: true });
		context.drawImage(document.querySelector(name), -left, -top);
		return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
	}, canvas, Math.floor(x), Math.floor(y));
}

function choose(browser, label, value) {
	return browser.evaluate((one, other) => {
		const select = document.querySelector(
			`select[aria-label^="${one}"]`);
		select.value = other;
		select.dispatchEvent(new Event("change"));
	}, label, value);
}

async function type(browser, label, text) {
	await browser.evaluate((wanted) => {
		const box = document.querySelector(
			`input[aria-label^="${wanted}"]`);
		box.focus();
		box.select();
	}, label);
	await browser.send("Input.insertText", { text });
	await settle(browser);
}

// The same rows, as the page shows them.
async function shownRows(browser) {
	await settle(browser);
	await browser.evaluate(() => {
		window.dmtrace.panels.profile.shown = Infinity;
		window.dmtrace.panels.drawNow();
	});
	const rows = await browser.evaluate(() => [...document
		.querySelectorAll("table.methods tr[data-method]")].map((row) =>
			{
		const cell = (name) => (row.querySelector(
			`td.${name} .duration`)?.title ?? row.querySelector(
			`td.${name}`).textContent).replace(/[, µs]/g, "")
			.replace(/^-.*:moreCPUtime.*/, "0");
		return [row.querySelector(".method").title.slice(0, 200) ||
			"(toplevel)", cell("inclusive"), cell("exclusive"),
		cell("calls"), cell("recursive")];
	}));
	return sorted(rows);
}

module.exports = { addressOf, boxOf, choose, nameOf, openPage, pixelOf, report,
	resize, rowOf, settle, shownRows, sorted, stateOf, textOf, type, us,
	wantedRows };
