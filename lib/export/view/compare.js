// compare.js - a trace compared with the one before it
//
// Methods are matched by class (dots and slashes are the same), name and
// signature: the methods of the trace before get the numbers of the same ones
// of this trace, which gets those that it lacks. Sums by path of both are then
// sums of the same methods, so that profiles, transforms and trees are those of
// a single trace.

import { choice } from "./controls.js";
import { bounded, boundedDuration, element, formatCount, formatPlural,
	shorten } from "./format.js";
import { LazyNode } from "./stacks.js";
import { transformTree } from "./transforms.js";
import { CallTree, sumTree } from "./tree.js";
import { complete, firstOf, PIECE } from "./work.js";

const ROWS_SHOWN = 200;
const WAYS = [["absolute", "Times"], ["call", "Times per call"],
	["total", "Shares of the total"]];
const FIGURES = [["inclusive", "Inclusive"], ["exclusive", "Exclusive"]];
const SORTS = ["name", "before", "after", "change"];

// Returns for each thread of a trace that of the one before, or null: main
// threads are a pair, so are threads of one name with one number, then others
// of one name in their order.
function pairThreads(before, after) {
	const pairs = after.threads.map(() => null), paired = new Set();
	const pair = (one, other) => {
		pairs[one] = other;
		paired.add(other);
	};
	if (before.main >= 0 && after.main >= 0)
		pair(after.main, before.main);
	for (const keyOf of [({ name, number }) => `${number} ${name}`,
		({ name }) => name]) {
		const left = new Map();
		for (const one of before.threads)
			if (!paired.has(one.index)) {
				const key = keyOf(one);
				if (!left.has(key))
					left.set(key, []);
				left.get(key).push(one.index);
			}
		for (const one of after.threads) {
			const found = left.get(keyOf(one));
			if (pairs[one.index] === null && found?.length > 0)
				pair(one.index, found.shift());
		}
	}
	return pairs;
}

export class Comparison {
	constructor(before, after) {
		this.before = before;
		this.after = after;
		const known = new Map();
		for (const [name, i] of before.byName)
			known.set(i, after.byName.get(name) ??
				after.methods.push({ ...before.methods[i],
					index: after.methods.length,
					absent: true }) - 1);
		this.methods = Int32Array.from(before.same, (one) =>
			known.get(one));
		after.same = Uint32Array.from(after.methods, (one, i) =>
			after.same[i] ?? i);
		this.pairs = pairThreads(before, after);
	}

	// Returns the thread of the trace before, or all (-1); null: none.
	threadOf(thread) {
		return thread < 0 ? -1 : this.pairs[thread];
	}

	// Returns the time that a measure takes and the trace before does not
	// have; null: none.
	lackOf(measure) {
		const { clocks } = this.before;
		return measure !== "cpu" && !clocks.includes("wall") ?
			"wall time" : measure !== "wall" &&
				!clocks.includes("cpu") ? "CPU time" : null;
	}

	// Returns sums by path and profile of the trace before, with the
	// methods of this one, by the choices of the page.
	sums(page) {
		return complete(this.sumBefore(page));
	}

	*sumBefore({ thread, clock, transforms }) {
		const key = [thread, clock, ...transforms.map(({ code }) =>
			code)].join();
		if (this.key === key)
			return this.made;
		const own = this.threadOf(thread);
		const tree = own === null ?
			yield* new CallTree(this.before).finish() :
			yield* sumTree(this.before, own, clock, null);
		let made = new CallTree(this.after);
		const places = new Int32Array(tree.count);
		for (let i = 0; i < tree.count; i++) {
			const method = tree.method[i];
			if (i > 0)
				places[i] = made.child(places[tree.parent[i]],
					method < 0 ? method :
						this.methods[method]);
			made.calls[places[i]] += tree.calls[i];
			made.wall[places[i]] += tree.wall[i];
			made.cpu[places[i]] += tree.cpu[i];
			if (tree.partial.has(i))
				made.partial.add(places[i]);
			if (i % PIECE === PIECE - 1)
				yield 1;
		}
		yield* made.finish();
		for (const one of transforms)
			made = yield* transformTree(made, one);
		// On a page that was thinned, its own profile is exact.
		const changed = transforms.length > 0;
		const { total, rows } = yield* (changed ? made : tree)
			.sumMethods();
		this.key = key;
		this.made = { tree: made, total, rows: new Map(rows.map((row) =>
			[changed ? row.method : this.methods[row.method],
				row])) };
		return this.made;
	}
}

// A node of both: as wide as now, with the time before.
class DiffNode extends LazyNode {
	constructor(method, parent, now, then) {
		super(method, parent);
		this.now = now;
		this.then = then;
		this.kind = { up: false };
		this.total = now?.total ?? 0;
		this.self = now?.self ?? 0;
		this.calls = now?.calls ?? 0;
		this.before = then?.total ?? 0;
	}

	boundsOf(what) {
		return this.now?.boundsOf(what) ?? [0, 0];
	}

	// The bounds of the time before.
	get boundsBefore() {
		return this.then?.boundsOf("total") ?? [0, 0];
	}

	*makeChildren() {
		const then = new Map(), made = [];
		for (const one of this.then === undefined ? [] :
			yield* this.then.grow())
			then.set(one.method, one);
		for (const one of this.now === undefined ? [] :
			yield* this.now.grow()) {
			made.push(new DiffNode(one.method, this, one,
				then.get(one.method)));
			then.delete(one.method);
			if (made.length % PIECE === 0)
				yield 1;
		}
		for (const one of then.values()) {
			made.push(new DiffNode(one.method, this, undefined,
				one));
			if (made.length % PIECE === 0)
				yield 1;
		}
		return made;
	}

	get isInner() {
		return this.now?.isInner === true ||
			this.then?.isInner === true;
	}
}

export function stackDifference(now, then) {
	return new DiffNode(-1, null, now, then);
}

export class CompareTable {
	constructor(app) {
		this.app = app;
		this.way = "absolute";
		this.what = "inclusive";
		this.sort = "change";
		this.falls = true;
		this.shown = ROWS_SHOWN;
		const choose = (label, key, options) => choice(app, label,
			() => this.take({ [key]: this.choices[key].value }),
			options.map(([value, text]) =>
				element("option", { value }, text)));
		this.choices = { way: choose("Compared", "way", WAYS),
			what: choose("Of calls", "what", FIGURES) };
		this.status = element("output", { class: "status" });
		this.place = element("div", { class: "scrolls" });
		this.root =
			element("div", {}, element("div", { class: "tools" },
			this.choices.way, this.choices.what,
			element("button", { type: "button", onclick: () => {
				app.setDirection("difference");
				app.setTab("flame");
			} }, "Flame graph of the difference"), this.status),
		this.place);
	}

	// Takes some of what is chosen, and shows it.
	take(chosen) {
		this.choose({ way: this.way, what: this.what,
			sort: (this.falls ? "" : "-") + this.sort, ...chosen });
		this.app.panels.draw();
		this.app.address.keep();
	}

	// Takes what is chosen, as far as it is known; else it is as at first.
	choose({ way, what, sort }) {
		const known = (all, one) => all.some(([key]) => key === one) ?
			one : all[0][0];
		this.way = this.choices.way.value = known(WAYS, way);
		this.what = this.choices.what.value = known(FIGURES, what);
		this.falls = !(sort ?? "").startsWith("-");
		const column = (sort ?? "").replace(/^-/, "");
		this.sort = SORTS.includes(column) ? column : "change";
	}

	// Returns the bounds of the figure of a row, which may be missing; NaN:
	// they are not known.
	boundsOf(row, total) {
		const { measure } = this.app;
		if (row === undefined)
			return [0, 0];
		const time = row.time(this.what, measure);
		const most = time + row.slack[this.what][measure];
		const calls = row.calls + row.recursive;
		const more = row.slack.calls + row.slack.recursive;
		const all = total.time("inclusive", measure);
		const share = (part, whole) =>
			100 * part / (whole === 0 ? 1 : whole);
		switch (this.way) {
		case "absolute":
			return [time, most];
		case "call":
			return calls + more > 0 ? [time / (calls + more),
				most / Math.max(1, calls)] : [0, 0];
		default:
			return [share(time, all +
				total.slack.inclusive[measure]),
			share(most, all)];
		}
	}

	*prepare() {
		const { app } = this;
		const now = yield* (yield* app.sums.make()).sumMethods();
		const then = yield* app.comparison.sumBefore(app);
		const lacks = app.comparison.lackOf(app.measure) !== null;
		const made = (method, old, one) => {
			const [before, mostBefore] = lacks ? [NaN, NaN] :
				this.boundsOf(old, then.total);
			const [after, most] = this.boundsOf(one, now.total);
			return { method, before,
				moreBefore: mostBefore - before,
				after, moreAfter: most - after,
				change: after - mostBefore,
				moreChange: most - after + mostBefore - before,
				calls: [old, one].map((row) => row ===
					undefined ? [0, 0] :
					[row.calls + row.recursive,
						row.slack.calls +
						row.slack.recursive]) };
		};
		const rows = [], isNow = new Set();
		this.most = 0;
		const add = (method, old, one) => {
			const row = made(method, old, one);
			this.most = Math.max(this.most,
				Math.abs(row.change) || 0);
			return rows.push(row) % (PIECE / 10) === 0;
		};
		for (const one of now.rows) {
			isNow.add(one.method);
			if (add(one.method, then.rows.get(one.method), one))
				yield rows.length / now.rows.length;
		}
		for (const [method, old] of then.rows)
			if (!isNow.has(method) && add(method, old, undefined))
				yield 1;
		this.count = rows.length;
		this.total = made(-1, then.total, now.total);
		this.rows = yield* firstOf(rows, this.shown, this.order);
	}

	// Compares two rows, for their order. What is not known is last, and
	// what is equal is in the order of the time after.
	get order() {
		const { sort } = this, turn = this.falls ? 1 : -1;
		const nameOf = ({ method }) => this.app.nameOf(method);
		if (sort === "name")
			return (a, b) => turn *
				(nameOf(a) < nameOf(b) ? -1 : 1);
		const valueOf = (row) => sort === "change" ?
			Math.abs(row.change) : row[sort];
		return (a, b) => Number.isNaN(valueOf(a)) -
			Number.isNaN(valueOf(b)) ||
			turn * (valueOf(b) - valueOf(a)) ||
			(b.after || 0) - (a.after || 0) || a.method - b.method;
	}

	format(value, slack = 0) {
		return Number.isNaN(value) ? "" : this.way === "total" ?
			bounded(value, slack, (part) => `${part.toFixed(1)} %`,
				{ step: 0.1 }) : boundedDuration(value, slack);
	}

	render() {
		const { app } = this, most = this.most || 1;
		const head = (key, text) => element("th", { scope: "col",
			class: key === "name" ? "text" : null, "aria-sort":
			key !== this.sort ? null : this.falls ? "descending" :
				"ascending" },
					element("button", { type: "button",
			onclick: () => this.take({ sort: (key !== this.sort ||
				!this.falls ? "" : "-") + key }) }, text));
		const cell = (...parts) => element("td", {}, ...parts);
		const about = [app.comparison.before, app.trace].map((one) =>
			app.aboutOf(one));
		const line = (row) => {
			const { method, before, moreBefore, after, moreAfter,
				change, moreChange, calls } = row;
			const size = 50 * Math.min(1, Math.abs(change) / most ||
				0);
			const sign = change > 0 ? "+" : "";
			return element("tr", { "data-method": method,
				class: method >= 0 && method === app.method ?
					"chosen" : null },
			element("th", { scope: "row", class: "text" }, element(
				"button", { type: "button", class: "method",
					title:
						shorten(app.nameOf(method),
							2000),
					onclick: () => {
						app.chooseMethod(method);
						app.panels.draw();
					} },
						element("i",
							{ class: "swatch",
								style:
				method < 0 ? null : `background:${
					app.palette.css[method]}` }),
				...app.nameParts(method))),
			cell(about[0], this.format(before, moreBefore)),
			cell(about[1], this.format(after, moreAfter)),
			cell(about[0] || about[1], moreChange > 0 ? "" : sign,
				this.format(change, moreChange)),
			element("td",
				{ class: "diverges", "aria-hidden": "true" },
				element("i",
					{ class: change < 0 ? "less" : "more",
					style:
						`left:${change < 0 ? 50 - size :
							50
					}%;width:${size}%` })),
			...calls.map((bounds, i) => cell(about[i],
				bounded(...bounds, formatCount))));
		};
		this.place.replaceChildren(element("table", {
			class: "methods compare" }, element("caption",
			{ class: "hidden" }, "Methods before and after"),
		element("thead", {}, element("tr", {}, head("name", "Method"),
			head("before", "Before"), head("after", "After"),
			head("change", "Change"), element("td"),
			element("th", { scope: "col" }, "Calls before"),
			element("th", { scope: "col" }, "Calls after"))),
		element("tbody", {}, line(this.total),
			...this.rows.map(line))));
		if (this.count > this.shown)
			this.place.append(element("button", { type: "button",
				class: "more", onclick: () => {
					this.shown += 5 * ROWS_SHOWN;
					this.app.panels.draw();
				} }, `Show more of ${formatPlural(this.count,
				"method")}`));
		const thread = app.comparison.threadOf(app.thread);
		const { label, number } =
			app.comparison.before.threads[thread] ?? {};
		const lacks = [thread === null ? "such thread" : null,
			app.comparison.lackOf(app.measure)].filter((one) =>
			one !== null).map((one) => `no ${one}`).join(" and ");
		const which = (thread === null || thread < 0 ? "" :
			`, ${shorten(label, 60)} ${number}`) +
			(lacks === "" ? "" : `, which has ${lacks}`);
		const [whole, part] = app.range === null ? ["", ""] :
			[", the whole trace", ", in the range"];
		this.status.value = `before: ${shorten(app.traceNames[0], 80)
		}${which}${whole}; after: ${
			shorten(app.traceNames[1], 80)}${part}`;
	}
}
