// view_stacks.js - compares other trees of calls on a page with a report
//
//	dmtrace report --tree -f tsv [SELECTION] TRACE |
//	    node view_stacks.js PAGE THREAD CLOCK [SEED [FROM TO [CLOCK OF THE
//	    RANGE]]]
//
// chooses methods at random, and compares what the page has of them from the
// bottom up, in callers and callees, and through transforms, with the same sums
// of the report's tree, and the tree from the top down with all of it. THREAD is
// a number, or - for all, as in the report; CLOCK may be wait for the time off
// the CPU in a range; FROM and TO are nanoseconds. Each figure must be within
// its bounds; in a range, transforms have no bounds, and are not compared.
// Profiles through transforms must be the same, and so must
// the number of calls that the timeline shows, if the page has all calls.
// Prints how many figures were compared, and which differ; exits with 1 if some
// do.
"use strict";

const fs = require("fs");
const { readPage } = require("./read_page.js");

const METHODS = 6;			// that are chosen
const LEVELS = 4;			// how far from them
const KINDS = ["f", "s", "m", "p", "r"];

const [page, number, clock, seed = 1, from, to,
	rangeClock = clock] = process.argv.slice(2);
const range = from === undefined ? null :
	{ from: Number(from), to: Number(to) };
const { trace, buildTree, complete, makeLane, stackAround, stackDown, stackUp,
	Transform, transformTree } = readPage(page, 0);
const thread = number === "-" ? -1 :
	trace.threads.findIndex((one) => one.number === Number(number));
const methodCount = trace.methods.length;
let state = Number(seed), compared = 0, inside = 0;
const wrong = [];

function random(below) {
	state = Math.imul(state, 1103515245) + 12345 & 0x7fffffff;
	return Math.floor(state / 0x80000000 * below);
}

// A path of the report.
class Path {
	constructor(method, caller) {
		this.method = method;
		this.caller = caller;
		this.callees = new Map();
		this.calls = this.self = 0;
		this.isRecursive = false;
		for (let one = caller; one !== null; one = one.caller)
			this.isRecursive ||= one.method === method;
	}

	callee(method) {
		let made = this.callees.get(method);
		if (made === undefined) {
			made = new Path(method, this);
			this.callees.set(method, made);
		}
		return made;
	}

	get total() {
		this.sum ??= [...this.callees.values()].reduce((sum, { total }) =>
			sum + total, this.self);
		return this.sum;
	}

	// The methods from the outermost on.
	get methods() {
		return this.caller === null ? [] :
			[...this.caller.methods, this.method];
	}

	// This path and all below it.
	*all() {
		yield this;
		for (const one of this.callees.values())
			yield* one.all();
	}
}

function readReport() {
	const indexes = new Map(trace.methods.map((one, i) => [[
		one.className.replaceAll("/", "."), one.name, one.signature]
		.join("\t"), trace.same[i]]));
	const [head, ...rows] = fs.readFileSync(0, "utf8").trimEnd().split("\n")
		.map((line) => line.split("\t"));
	const byIndex = new Map();
	let root;
	for (const cells of rows.filter(([kind]) => kind === "node")) {
		const row = Object.fromEntries(head.map((name, i) =>
			[name, cells[i]]));
		const caller = byIndex.get(row.of);
		const made = caller === undefined ? new Path(-1, null) :
			caller.callee(indexes.get([row.class.replaceAll("/",
				"."), row.name, row.signature].join("\t")));
		root ??= made;
		made.calls += Number(row.calls) + Number(row.recursive_calls);
		made.self += clock !== "wait" ?
			Number(row[`exclusive_${clock}_ns`]) :
			row.exclusive_wall_ns - row.exclusive_cpu_ns;
		byIndex.set(row.index, made);
	}
	return root;
}

// Compares a node of the page with what the report has: calls, and time.
function compare(what, node, calls, time, self) {
	const floor = clock === "wait" ? 0 : -Infinity;
	const figures = [["calls", calls], ["total", Math.max(floor, time)],
		...self === undefined ? [] : [["self", Math.max(floor, self)]]];
	for (const [figure, wanted] of figures) {
		const [least, more] = node.boundsOf(figure);
		compared++;
		inside += more > 0;
		if (figure === "total" && !node.kind.tree.transformed &&
			clock !== "wait" && least + more > tree.mostOf(clock))
			wrong.push(`${what}: ${least + more} is above the sum`);
		if (!(least <= wanted && wanted <= least + more))
			wrong.push(`${what} ${figure}: ${wanted} is not ${
				least} to ${least + more}`);
	}
}

const sumOf = (all, what) => all.reduce((sum, one) => sum + one[what], 0);
const named = (method) => trace.methods[method].label;

// Goes from a node to callers: ends are the paths that it stands for, places
// where it is in each.
function compareUp(what, node, ends, places, figure, levels = LEVELS) {
	compare(what, node, sumOf(ends, "calls"), sumOf(ends, figure));
	const children = node.children.filter(({ method }) => method >= 0);
	if (levels === 0 || children.length === 0)
		return;
	const next = children[random(Math.min(children.length, 3))];
	const of = ends.map((end, i) => [end, places[i].caller]).filter(
		([, place]) => place.method === next.method);
	compareUp(`${what} < ${named(next.method)}`, next, of.map(([end]) => end),
		of.map(([, place]) => place), figure, levels - 1);
}

// The same to callees.
function compareDown(what, node, paths, levels = LEVELS) {
	compare(what, node, sumOf(paths, "calls"), sumOf(paths, "total"),
		sumOf(paths, "self"));
	const children = node.children.filter(({ method }) => method >= 0);
	if (levels === 0 || children.length === 0)
		return;
	const next = children[random(Math.min(children.length, 3))];
	compareDown(`${what} > ${named(next.method)}`, next, paths.flatMap(
		({ callees }) => callees.get(next.method) ?? []), levels - 1);
}

// That of a method that stands for one is its class.
const packageOf = (method) => trace.methods[method].className
	.replaceAll("/", ".").replace(method < methodCount ? /\.?[^.]*$/ : "",
		"");

// How transforms show the methods of a path: null if not at all. own says
// whether the last one is shown as a call, and not as a part of another.
const SHOWN = {
	f: (path, [one]) => ({ own: true, shown: path.includes(one) ?
		path.slice(path.indexOf(one)) : null }),
	s: (path, start) => ({ own: true, shown: start.every((one, i) =>
		path[i] === one) ? path.slice(start.length - 1) : null }),
	m: (path, [one]) => ({ own: path.at(-1) !== one,
		shown: path.filter((method) => method !== one) }),
	p: (path, [one]) => {
		const isIn = (method) => method !== undefined &&
			packageOf(method) === packageOf(one);
		const isNew = (method, i) => !isIn(method) ||
			!isIn(path[i - 1]);
		const made = trace.methodOfPackage(trace.methods[one].package);
		return { own: isNew(path.at(-1), path.length - 1),
			shown: path.filter(isNew).map((method) =>
				isIn(method) ? made : method) };
	},
	r: (path, [one]) => {
		const first = path.indexOf(one), last = path.lastIndexOf(one);
		return { own: first === last || last < path.length - 1,
			shown: [...path.slice(0, first + 1),
				...path.slice(last + 1)] };
	},
};

// Returns the paths of a report as a transform shows them.
function transformReport(root, kind, methods) {
	const made = new Path(-1, null);
	for (const path of root.all()) {
		const { own, shown } = SHOWN[kind](path.methods, methods);
		if (shown === null)
			continue;
		const place = shown.reduce((one, next) => one.callee(next), made);
		place.self += path.self;
		place.calls += own ? path.calls : 0;
	}
	return made;
}

// Compares the profile of a tree with that of the paths of a report.
function compareRows(what, shown, root) {
	const rows = new Map();
	for (const path of root.all()) {
		const row = rows.get(path.method) ?? { calls: 0, recursive: 0,
			inclusive: 0, exclusive: 0 };
		rows.set(path.method, row);
		row[path.isRecursive ? "recursive" : "calls"] += path.calls;
		row.inclusive += path.isRecursive ? 0 : path.total;
		row.exclusive += path.self;
	}
	const { total, rows: made } = shown.profile();
	for (const row of [total, ...made]) {
		const wanted = rows.get(row.method);
		const figures = [[row.calls, "calls"],
			[row.recursive, "recursive"],
			[row.inclusive[clock], "inclusive"],
			[row.exclusive[clock], "exclusive"]];
		rows.delete(row.method);
		for (const [figure, name] of figures) {
			compared++;
			if (figure !== wanted?.[name])
				wrong.push(`${what} ${row.method} ${name}: ${
					wanted?.[name]} is not ${figure}`);
		}
	}
	for (const [method, { calls, recursive }] of rows)
		if (calls + recursive > 0)
			wrong.push(`${what} lacks ${method}`);
}

// Returns how many calls of each method the timeline has of a thread.
function callsOfLanes(transforms) {
	const calls = new Map();
	for (const { index } of trace.threads) {
		if (thread >= 0 && index !== thread)
			continue;
		const { levels } = complete(makeLane(trace, index, clock,
			transforms));
		for (const { method } of levels)
			for (const one of method)
				calls.set(one, (calls.get(one) ?? 0) + 1);
	}
	return calls;
}

const root = readReport();
const all = [...root.all()];
const tree = buildTree(trace, thread, rangeClock, range);
const methods = [...new Set(all.filter(({ method }) => method >= 0).map(
	({ method }) => method))].sort((a, b) => a - b);
const up = stackUp(tree, clock);
for (const node of up.children)
	if (range === null && (node.method < 0 ||
		node.boundsOf("total")[1] > 0))
		wrong.push(`bottom-up ${node.method} is not exact`);
for (let i = 0; i < METHODS; i++) {
	const method = methods[random(methods.length)];
	const paths = all.filter((one) => one.method === method);
	const node = up.children.find((one) => one.method === method);
	if (node !== undefined)
		compareUp(`bottom-up ${named(method)}`, node, paths, paths,
			"self");
	const outer = paths.filter(({ isRecursive }) => !isRecursive);
	const [above, below] = complete(stackAround(tree, clock, method));
	compareUp(`callers of ${named(method)}`, above, outer, outer, "total");
	compareDown(`callees of ${named(method)}`, below, outer);
	if (range !== null)
		continue;
}
// Each kind of transform, alone and after another.
const most = range !== null ? 0 : all.length < 50000 ? 5 * METHODS : 5;
for (let i = 0; i < most; i++) {
	const transforms = [];
	let report = root, shown = tree, what = "";
	const kinds = [KINDS[i % 5], KINDS[random(5)]];
	for (const kind of kinds.slice(0, 1 + i % 2)) {
		const paths = [...report.all()].slice(1);
		if (paths.length === 0)
			break;
		const path = paths[random(paths.length)];
		const chosen = kind === "s" ? path.methods : [path.method];
		transforms.push(new Transform(trace, kind, chosen));
		report = transformReport(report, kind, chosen);
		shown = complete(transformTree(shown, transforms.at(-1)));
		what += `${kind} ${chosen.map(named).join(" > ")}: `;
	}
	compareDown(what, stackDown(shown, clock), [report]);
	if (trace.folded > 0)
		continue;
	complete(shown.sumMethods());
	compareRows(what, shown, report);
	if (trace.thinned !== undefined)
		continue;
	const calls = callsOfLanes(transforms);
	for (const { method, calls: one, recursive } of shown.profile().rows)
		if (method >= 0 && (calls.get(method) ?? 0) !== one + recursive)
			wrong.push(`${what}the timeline has ${calls.get(method)
			} calls of ${named(method)}, not ${one + recursive}`);
}
compareDown("all", stackDown(tree, clock), [root]);
for (const line of wrong.slice(0, 10))
	console.log(line);
console.log(`${compared} figures, ${inside} with bounds, ${wrong.length} wrong`);
process.exitCode = wrong.length > 0 || compared < 100 ? 1 : 0;
