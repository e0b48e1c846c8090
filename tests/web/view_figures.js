// view_figures.js - the figures of a page, as its script counts them
//
//	node view_figures.js PAGE TRACE THREAD CLOCK [FROM TO]
//
// prints what "dmtrace report -f tsv --callers --callees" has in the columns
// kind, index of no meaning left out: of each method calls and times in
// nanoseconds, then of each pair of methods. THREAD is a number, or - for all.
"use strict";

const { readPage } = require("./read_page.js");

const [page, at, number, clock, from, to] = process.argv.slice(2);
const { trace, buildTree } = readPage(page, at);
const thread = number === "-" ? -1 :
	trace.threads.findIndex((one) => one.number === Number(number));
const tree = buildTree(trace, thread, clock, from === undefined ? null :
	{ from: Number(from), to: Number(to) });

const nameOf = (method) => method < 0 ? "(toplevel)\t" :
	`${trace.methods[method].label}\t${trace.methods[method].signature}`;
const timesOf = (row, what) => ["wall", "cpu"].map((one) =>
	trace.clocks.includes(one) && !Number.isNaN(row.time(what, one)) ?
		row[what][one] : "").join("\t");
const { total, rows } = tree.profile();
const lines = [total, ...rows].map((row) =>
	["method", nameOf(row.method), row.calls, row.recursive,
		timesOf(row, "inclusive"),
			timesOf(row, "exclusive")].join("\t"));
for (const { method } of [total, ...rows])
	for (const kind of ["caller", "callee"])
		for (const one of tree.links(method, kind === "callee"))
			lines.push([kind, nameOf(method), nameOf(one.method),
				one.calls + one.recursive,
				timesOf(one, "inclusive")].join("\t"));
process.stdout.write(lines.sort().join("\n") + "\n");
