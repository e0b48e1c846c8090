// stacks.js - trees of calls for flame graph and tree, made as far as they are
// needed
//
// A node has a method, and nodes of the sums (tree.js) that it stands for: from
// the top down those of all paths that lead to it, each with all its time; from
// the bottom up the ends of paths, with the time that was spent there, and how
// far up each one is. Children are made when they are asked for, the longest
// first, so that a tree of any size costs what is looked at.

import { OTHER } from "./data.js";
import { complete, PIECE, sortInPieces } from "./work.js";

// A node of a tree whose children are made when they are needed.
export class LazyNode {
	constructor(method, parent) {
		this.method = method;
		this.parent = parent;
		this.depth = parent === null ? 0 : parent.depth + 1;
	}

	get children() {
		return complete(this.grow());
	}

	// Makes the children, in pieces.
	*grow() {
		if (this.made === undefined) {
			const made = yield* this.makeChildren();
			this.made ??= made;
		}
		return this.made;
	}

	// Returns the methods from the outermost node to this one.
	get path() {
		const path = [];
		for (let node = this; node.parent !== null; node = node.parent)
			path.unshift(node.method);
		return path;
	}

	// Returns the node of a path, as far as there is one.
	*follow(path) {
		let node = this;
		for (const method of path) {
			const next = (yield* node.grow()).find((one) =>
				one.method === method);
			if (next === undefined)
				break;
			node = next;
		}
		return node;
	}
}

class StackNode extends LazyNode {
	constructor(kind, method, parent) {
		super(method, parent);
		this.kind = kind;
		this.total = this.self = this.calls = 0;
		// Whether some CPU time in these is not known.
		this.partial = { total: false, self: false };
		// Of a page that was thinned, how much less self may be; from
		// the bottom up, total, too.
		this.loose = 0;
		// How much more CPU time there may be at the edges of a range.
		this.edges = { total: 0, self: 0, calls: 0 };
		// Nodes of the sums, and, from the bottom up, where each is.
		this.ends = [];
		this.places = [];
	}

	// Adds a node of the sums.
	take(end, place) {
		const { tree, measure } = this.kind;
		this.ends.push(end);
		this.places.push(place);
		this.total += this.kind.times[end];
		this.calls += tree.calls[end];
		const edge = tree.edges.get(end) ?? 0;
		this.edges.total += this.kind.all ? edge :
			tree.edgesInside.get(end) ?? 0;
		this.partial.total ||= this.kind.all ? tree.partial.has(end) :
			tree.inclusivePartial[end] !== 0;
		if (end > 0)
			this.loose += tree.slackOf(end, measure);
		if (this.kind.up && end !== place)
			return;
		this.edges.self += edge;
		this.self += tree[measure][end];
		this.partial.self ||= tree.partial.has(end);
	}

	// Returns the bounds of a figure, "total", "self" or "calls", as the
	// least and how much more it may be. What is not shown one by one has
	// what its caller may lack, and so may the time outside of calls. A time
	// that is not known is NaN.
	boundsOf(what) {
		const { kind: { measure } } = this, edge = this.edges[what];
		if (measure !== "wall" && this.partial[what])
			return [NaN, 0];
		const [least, more] = this.exactBounds(what);
		if (measure !== "wait")
			return [least, measure === "wall" || edge === 0 ? more :
				Math.min(more + edge, this.kind.tree.mostOf(
					measure) - least)];
		const from = Math.max(0, least - edge);
		return [from, Math.max(0, least + more) - from];
	}

	// The same, of time off the CPU also below zero.
	exactBounds(what) {
		const { kind: { tree, up, measure, around }, method, parent } =
			this;
		const over = what === "total" && tree.moves ? Math.min(
			this.total, tree.folded[measure]) : 0;
		const less = over + (what === "self" || (what === "total" &&
			up && !around) ? this.loose : 0);
		if (tree.lacks && !(tree.ranged && ((parent === null &&
			!around) || (method === OTHER && !up))))
			return this.widened(what, [this[what] - less, less +
				Math.min(this.lacks(what), this.room(what))]);
		const inside = parent !== null && method === OTHER ?
			parent.ends : this.ends.filter((end) => end === 0);
		const slackOf = (one) => inside.reduce((sum, end) => sum +
			tree.slackOf(end, one), 0);
		if (what === "calls")
			return [this.calls, method === OTHER ? slackOf(what) :
				0];
		const under = less + (measure === "wait" ? slackOf("cpu") : 0);
		return [this[what] - under, under + slackOf(measure ===
			"wait" ? "wall" : measure)];
	}

	// What lacks calls may have more CPU time than wall time in them, and so
	// may what is left out at an edge of a range.
	widened(what, [least, more]) {
		if (this.kind.measure !== "wait" || what === "calls")
			return [least, more];
		const under = this.kind.all && this.depth === 1 ? 0 :
			this.lacks(what, "cpu");
		return [least - under, more + under + this.loose];
	}

	// Returns how much less than all a time is. Through transforms it is
	// not known what all is.
	room(what) {
		const { tree, measure } = this.kind;
		return what === "calls" || measure === "wait" ||
			tree.transformed ? Infinity :
			Math.max(0, tree.mostOf(measure) - this[what]);
	}

	// Returns how much more a figure may be: of the whole trace, because
	// short paths are a node OTHER, of a range, because short calls are.
	lacks(what, measure = this.kind.measure) {
		const { tree, up, all, around } = this.kind;
		const one = what === "calls" ? what : measure;
		if (tree.transformed)
			return tree.folded[one];
		const own = all && what === "total" ? "self" : what;
		const ofMethod = (method) => tree.foldedOf(method, own,
			measure === "wait" ? "wall" : measure);
		if (!up && !around) {
			if (this.method === OTHER)
				return 0;
			const more = this.ends.reduce((sum, end) => sum +
				tree.lacksOf(end, one), 0);
			// Profiles have no inclusive time of recursive calls.
			return !tree.ranged || (what === "total" &&
				this.ends.some((end) => tree.recursive[end])) ?
				more : Math.min(more, ofMethod(this.method));
		}
		if (all && this.depth === 1) {
			const [least, most] = tree.restOf(this.method, own,
				measure);
			return most - least;
		}
		if (this.method === OTHER || (!up && this.parent !== null))
			return tree.folded[one];
		if (up && what === "self" && this.depth > (all ? 1 : 0))
			return 0;
		let top = this;
		while (top.depth > (all ? 1 : 0))
			top = top.parent;
		return top.method < 0 ? 0 : ofMethod(top.method);
	}

	*makeChildren() {
		const { tree, up, times, all } = this.kind, made = new Map();
		let done = 0;
		const add = (method, end, place) => {
			let child = made.get(method);
			if (child === undefined) {
				child = new StackNode(this.kind, method, this);
				made.set(method, child);
			}
			child.take(end, place);
		};
		if (!up)
			for (const end of this.ends)
				for (let one = tree.firstChild[end]; one > 0;
					one = tree.next[one]) {
					add(tree.method[one], one, one);
					if (++done % PIECE === 0)
						yield 1;
				}
		else if (this.parent === null && all)
			for (let one = 1; one < tree.count; one++) {
				if (times[one] !== 0 || tree.calls[one] > 0)
					add(tree.method[one], one, one);
				if (one % PIECE === 0)
					yield one / tree.count;
			}
		else
			for (let i = 0; i < this.ends.length; i++) {
				const place = tree.parent[this.places[i]];
				if (place > 0)
					add(tree.method[place], this.ends[i],
						place);
				if (i % PIECE === PIECE - 1)
					yield i / this.ends.length;
			}
		if (up && this.parent === null && all && !tree.transformed &&
			tree.lacks)
			yield* this.addFolded(made);
		return yield* sortInPieces([...made.values()].filter((one) =>
			one.total > 0 || one.calls > 0), (a, b) =>
			b.total - a.total || a.method - b.method);
	}

	// Adds what methods have in nodes OTHER: their own figures are known,
	// from their profile, but not which callers have them.
	*addFolded(made) {
		const { tree, measure } = this.kind;
		made.delete(OTHER);
		let done = 0;
		for (const { method, partial } of
			(yield* tree.sumMethods()).rows) {
			const one = made.get(method) ??
				new StackNode(this.kind, method, this);
			one.partial.total = one.partial.self =
				partial.exclusive;
			const [time] = tree.restOf(method, "self", measure);
			one.total += time;
			one.self += time;
			const [calls] = tree.restOf(method, "calls", measure);
			one.calls += calls;
			made.set(method, one);
			if (++done % PIECE === 0)
				yield 1;
		}
	}

	// Whether it may have children, before they are made.
	get isInner() {
		if (this.made !== undefined)
			return this.made.length > 0;
		const { tree, up, all } = this.kind;
		return up && this.parent === null && all ? tree.count > 1 :
			this.ends.some((end, i) => up ?
				tree.parent[this.places[i]] > 0 :
				tree.firstChild[end] > 0);
	}
}

// The tree from the outermost calls down.
export function stackDown(tree, measure) {
	const root = new StackNode({ tree, measure, up: false,
		times: tree.inclusive[measure] }, -1, null);
	root.take(0, 0);
	return root;
}

// The tree from the innermost calls up: of the time spent in them.
export function stackUp(tree, measure) {
	const root = new StackNode({ tree, measure, up: true, all: true,
		times: tree[measure] }, -1, null);
	root.total = tree.inclusive[measure][0];
	root.self = tree[measure][0];
	root.partial.total = tree.inclusivePartial[0] !== 0;
	root.partial.self = tree.partial.has(0);
	root.ends = [0];
	root.edges.total = tree.edgesInside.get(0) ?? 0;
	return root;
}

// The callers of a method, from it up, and its callees, from it down. Calls
// inside a call of the same method are part of that.
export function* stackAround(tree, measure, method) {
	const times = tree.inclusive[measure], roots = [];
	for (const up of [true, false]) {
		const root = new StackNode({ tree, measure, up, times,
			around: true }, method, null);
		for (let one = 1; one < tree.count; one++) {
			if (tree.method[one] === method && !tree.recursive[one])
				root.take(one, one);
			if (one % PIECE === 0)
				yield one / tree.count;
		}
		roots.push(root);
	}
	return roots;
}
