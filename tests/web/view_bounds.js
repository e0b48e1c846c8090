// view_bounds.js - whether figures of a page that was thinned are bounds
//
//	dmtrace report -f tsv [SELECTION] TRACE | view_bounds.js PAGE THREAD
//	    CLOCK [FROM TO]
//
// compares the figures of each method on the page with those of the report:
// none may be outside of its bounds; "(N other methods)" are those that the
// page has no row for. Prints the largest distance of the bounds
// of a method with a hundredth of the calls or of the time, in per cent. THREAD
// is a number, or - for all. Times are nanoseconds.
"use strict";

const fs = require("fs");
const { readPage } = require("./read_page.js");

const [page, number, clock, from, to] = process.argv.slice(2);
const { trace, buildTree } = readPage(page, 0);
const thread = number === "-" ? -1 :
	trace.threads.findIndex((one) => one.number === Number(number));
const { total, rows } = buildTree(trace, thread, clock, from === undefined ?
	null : { from: Number(from), to: Number(to) }).profile();

const [names, ...lines] = fs.readFileSync(0, "utf8").trimEnd().split("\n")
	.map((line) => line.split("\t"));
const wanted = new Map();
for (const line of lines) {
	const row = Object.fromEntries(names.map((name, i) => [name, line[i]]));
	if (row.kind === "top" || row.kind === "method")
		wanted.set(row.kind === "top" ? "" : [row.class.replaceAll("/",
			"."), row.name, row.signature].join("\t"), row);
}
let widest = 0, failed = 0;
const check = (name, what, least, slack, figure, whole) => {
	if (least > figure || figure > least + slack) {
		console.log(`${name} ${what}: ${figure} is not ${least} to ${
			least + slack}`);
		failed++;
	}
	if (figure >= whole / 100 && name !== "")
		widest = Math.max(widest, slack / figure);
};
const wholes = { calls: 0, time: 0 };
for (const row of wanted.values()) {
	wholes.calls += Number(row.calls);
	wholes.time = Math.max(wholes.time,
		Number(row[`inclusive_${clock}_ns`]));
}
let others;
for (const row of [total, ...rows]) {
	const { className, name, signature } = trace.methods[row.method] ?? {};
	const key = row.method < 0 ? "" : [className.replaceAll("/", "."), name,
		signature].join("\t");
	if (/^\t\(\d+ other methods\)\t$/.test(key)) {
		others = row;
		continue;
	}
	const report = wanted.get(key);
	const get = (column) => Number(report?.[column] ?? 0);
	wanted.delete(key);
	if (row.method >= 0) {
		check(key, "calls", row.calls, row.slack.calls, get("calls"),
			wholes.calls);
		check(key, "recursive calls", row.recursive,
			row.slack.recursive, get("recursive_calls"),
			wholes.calls);
	}
	for (const what of ["inclusive", "exclusive"])
		check(key, what, row[what][clock], row.slack[what][clock],
			get(`${what}_${clock}_ns`), wholes.time);
}
if (others !== undefined) {
	const rest = [...wanted.values()];
	wanted.clear();
	const sum = (...columns) => rest.reduce((all, row) => all +
		columns.reduce((one, column) => one + Number(row[column]), 0),
	0);
	check("(other methods)", "all calls", others.calls + others.recursive,
		others.slack.calls + others.slack.recursive,
		sum("calls", "recursive_calls"), Infinity);
	check("(other methods)", "exclusive", others.exclusive[clock],
		others.slack.exclusive[clock],
		sum(`exclusive_${clock}_ns`), Infinity);
}
for (const [name, row] of wanted)
	if (Number(row.calls) + Number(row.recursive_calls) > 0) {
		console.log(`${name}: is not on the page`);
		failed++;
	}
console.log(`the widest bounds are ${(100 * widest).toFixed(1)} % apart`);
process.exitCode = failed > 0 ? 1 : 0;
