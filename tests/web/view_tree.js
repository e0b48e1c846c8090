// view_tree.js - compares the tree of calls on a page with a report
//
//	dmtrace report --tree -f tsv TRACE | node view_tree.js PAGE THREAD
//
// THREAD is a number, or - for all, as in the report. Each path on the page,
// and what the page has in (other) of a path, must contain the calls and times
// of the report; those of one thread must be the same. Prints how many paths
// were compared, and which differ; exits with 1 if some do.
"use strict";

const fs = require("fs");
const { readPage } = require("./read_page.js");

const [page, number] = process.argv.slice(2);
const { trace, buildTree, stackDown } = readPage(page, 0);
const thread = number === "-" ? -1 :
	trace.threads.findIndex((one) => one.number === Number(number));

// The report, as nodes with children by name.
const [head, ...rows] = fs.readFileSync(0, "utf8").trimEnd().split("\n")
	.map((line) => line.split("\t"));
const column = (row, name) => row[head.indexOf(name)];
const figuresOf = (row) => [
	Number(column(row, "calls")) + Number(column(row, "recursive_calls")),
	...["inclusive", "exclusive"].flatMap((what) => trace.clocks.map(
		(clock) => Number(column(row, `${what}_${clock}_ns`))))];
const byIndex = new Map();
let root;
for (const row of rows.filter(([kind]) => kind === "node")) {
	const node = { children: new Map(), figures: figuresOf(row) };
	byIndex.set(column(row, "index"), node);
	const caller = byIndex.get(column(row, "of"));
	if (caller === undefined)
		root = node;
	else
		caller.children.set([column(row, "class").replaceAll("/", "."),
			column(row, "name"), column(row, "signature")].join(
			"\t"), node);
}

const nameOf = (method) => {
	const { className, name, signature } = trace.methods[method];
	return [className.replaceAll("/", "."), name, signature].join("\t");
};
const tree = buildTree(trace, thread, trace.clocks[0], null);
let compared = 0, inside = 0;
const wrong = [];
const stacks = trace.clocks.map((clock) => [clock,
	stackDown(tree, clock)]);

// Compares a node, for each clock, with its callees.
function compare(wanted, nodes, path) {
	const others = wanted === undefined ? undefined :
		new Map(wanted.children);
	const figure = (what, at) => [...what === "calls" ? [nodes[0]] :
		nodes].map((node) => node.boundsOf(what)).map(
		([least, more], i) => ({ least, most: least + more, wanted:
			wanted?.figures[at + i] }));
	const shown = [...figure("calls", 0), ...figure("total", 1),
		...figure("self", 1 + nodes.length)];
	compared++;
	inside += shown.some(({ least, most }) => least !== most);
	if (shown.some((one) => !(one.least <= one.wanted && one.wanted <=
		one.most)) || (thread >= 0 && shown.some(({ least, most }) =>
		least !== most)))
		wrong.push(`${path}: ${JSON.stringify(shown)}`);
	if (others === undefined)
		return;
	let rest;
	nodes[0].children.forEach((child) => {
		const same = nodes.map(({ children }) => children.find(
			({ method }) => method === child.method));
		if (child.method < 0) {
			rest = same;
			return;
		}
		const name = nameOf(child.method);
		compare(wanted.children.get(name), same, `${path} > ${name}`);
		others.delete(name);
	});
	// What the page does not have is in (other), with all its callees.
	if (thread < 0)
		return;
	const sums = new Array(1 + nodes.length).fill(0);
	const add = ({ figures, children }) => {
		sums[0] += figures[0];
		children.forEach(add);
	};
	for (const one of others.values()) {
		add(one);
		nodes.forEach((node, i) => {
			sums[1 + i] += one.figures[1 + i];
		});
	}
	const made = rest === undefined ? sums.map(() => 0) :
		[rest[0].calls, ...rest.map(({ total }) => total)];
	if (made.some((one, i) => one !== sums[i]))
		wrong.push(`${path} > (other): ${made}, not ${sums}`);
}

compare(root, stacks.map(([, stack]) => stack), "(toplevel)");
for (const line of wrong.slice(0, 5))
	console.log(line);
console.log(`${compared} paths, ${inside} within bounds, ` +
	`${wrong.length} wrong`);
process.exitCode = wrong.length > 0 || compared < 2 ? 1 : 0;
