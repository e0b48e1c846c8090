// view_bounds.js - whether figures of a page that was thinned are bounds
//
//	dmtrace report -f tsv [--callers --callees] [SELECTION] TRACE |
//	    view_bounds.js PAGE THREAD CLOCK [FROM TO [CLOCK OF THE RANGE]]
//
// compares the figures of each method on the page, and of its callers and
// callees there, with those of the report: none may be outside of its bounds;
// "(N other methods)" are those that the page has no row for. Prints the
// largest distance of the bounds of a method with a hundredth of the calls or
// of the time, in per cent. THREAD is a number, or - for all. Times are
// nanoseconds.
"use strict";

const fs = require("fs");
const { readPage } = require("./read_page.js");

const [page, number, clock, from, to,
	rangeClock = clock] = process.argv.slice(2);
const { trace, buildTree } = readPage(page, 0);
const thread = number === "-" ? -1 :
	trace.threads.findIndex((one) => one.number === Number(number));
const tree = buildTree(trace, thread, rangeClock, from === undefined ? null :
	{ from: Number(from), to: Number(to) });
const { total, rows } = tree.profile();

const [names, ...lines] = fs.readFileSync(0, "utf8").trimEnd().split("\n")
	.map((line) => line.split("\t"));
const wanted = new Map(), links = new Map(), keys = new Map();
for (const line of lines) {
	const row = Object.fromEntries(names.map((name, i) => [name, line[i]]));
	const key = row.id === "" ? "" : [row.class.replaceAll("/", "."),
		row.name, row.signature].join("\t");
	const kind = /^calle[re]/.exec(row.kind)?.[0];
	if (row.kind === "top" || row.kind === "method") {
		wanted.set(key, row);
		keys.set(row.index, key);
	} else if (kind !== undefined) {
		const link = [kind, keys.get(row.of), key].join("\n");
		const one = links.get(link) ?? { calls: 0, time: 0 };
		links.set(link, one);
		one.calls += Number(row.calls);
		if (row.kind === kind)
			one.time += Number(row[`inclusive_${clock}_ns`]);
	}
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
const keyOf = (method) => {
	const { className, name, signature } = trace.methods[method] ?? {};
	return method < 0 ? "" : [className.replaceAll("/", "."), name,
		signature].join("\t");
};
let others;
for (const row of [total, ...rows]) {
	const key = keyOf(row.method);
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
if (links.size > 0)
	for (const { method } of rows)
		for (const kind of ["caller", "callee"])
			for (const row of tree.links(method, kind ===
				"callee")) {
				if (row.method < -1)
					continue;
				const key = [kind, keyOf(method),
					keyOf(row.method)].join("\n");
				const { calls, time } = links.get(key) ??
					{ calls: 0, time: 0 };
				check(key, "calls", row.calls + row.recursive,
					row.slack.calls, calls, Infinity);
				check(key, "inclusive", row.inclusive[clock],
					row.slack.inclusive[clock], time,
					Infinity);
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
