// tree.js - the calls of threads, summed by path, and the sums of methods
//
// A node is a path of calls. Only the calls and exclusive times of nodes are
// counted; inclusive times and the figures of methods, callers and callees are
// sums of them. These are the figures of "dmtrace report": a call inside a call
// of the same method is recursive, and its time counts for the outer call. A
// call that a window ends after the last event of its thread has a partial CPU
// time, as nobody knows how much it used until then: it is shown as unknown.

import { STRAY } from "./data.js";

const GROWN = ["parent", "method", "calls", "wall", "cpu"];

class CallTree {
	constructor(trace) {
		this.trace = trace;
		this.count = 0;
		this.room = 1024;
		this.parent = new Int32Array(this.room);
		this.method = new Int32Array(this.room);
		this.calls = new Float64Array(this.room);
		this.wall = new Float64Array(this.room);
		this.cpu = new Float64Array(this.room);
		this.slots = new Int32Array(4096);
		this.partial = new Set();	// nodes: exclusive times
		this.add(-1, -1);
	}

	add(parent, method) {
		const node = this.count++;
		if (node === this.room) {
			this.room *= 2;
			for (const name of GROWN) {
				const old = this[name];
				this[name] = new old.constructor(this.room);
				this[name].set(old);
			}
		}
		this.parent[node] = parent;
		this.method[node] = method;
		return node;
	}

	slot(parent, method) {
		const mask = this.slots.length - 1;
		let at = (Math.imul(parent, 0x9e3779b1) ^
			Math.imul(method, 0x85ebca6b));
		at = (at ^ at >>> 15) & mask;
		for (;;) {
			const node = this.slots[at];
			if (node === 0 || (this.parent[node] === parent &&
				this.method[node] === method))
				return at;
			at = at + 1 & mask;
		}
	}

	// Returns the node of a method that is called from another node.
	child(parent, method) {
		let at = this.slot(parent, method);
		if (this.slots[at] !== 0)
			return this.slots[at];
		const node = this.add(parent, method);
		if (this.count * 2 > this.slots.length) {
			this.slots = new Int32Array(this.slots.length * 2);
			for (let i = 1; i < node; i++)
				this.slots[this.slot(this.parent[i],
					this.method[i])] = i;
			at = this.slot(parent, method);
		}
		this.slots[at] = node;
		return node;
	}

	// Adds all calls of a thread.
	addThread(index) {
		const thread = this.trace.threads[index];
		const steps = this.trace.steps(index);
		const walker = new Walker(this, thread.first[1],
			thread.first[0]);
		for (let i = 0; i < steps.count; i++) {
			if (i === steps.known)
				this.partial.add(walker.node);
			walker.step(steps.word[i],
				steps.wall === null ? 0 : steps.wall[i],
				steps.cpu === null ? 0 : steps.cpu[i]);
		}
		walker.pass(thread.last[1], thread.last[0]);
		const nodes = [];
		for (const sum of this.trace.sums(index)) {
			const node = nodes.length === 0 ? 0 : this.child(
				nodes[sum.parent], this.trace.same[sum.method]);
			nodes.push(node);
			this.calls[node] += sum.calls;
			this.wall[node] += sum.wall;
			this.cpu[node] += sum.cpu;
			if (sum.partial)
				this.partial.add(node);
		}
	}

	// Adds what "dmtrace filter --from --to" keeps of a thread: calls that
	// are open at an edge begin or end there. Their CPU time at an edge of
	// wall time is interpolated between the steps around it.
	addWindow(index, clock, from, to, reach) {
		const thread = this.trace.threads[index];
		const steps = this.trace.steps(index);
		const times = steps[clock];
		const other = clock === "wall" ? steps.cpu : steps.wall;
		const events = steps.count - thread.after;
		const comparable = this.trace.comparable && clock === "wall";
		const open = [];		// words of calls that are open
		let first = thread.before, latest = -Infinity;

		// Finds the calls that are open at the start. open is empty at
		// an exit of a call that was open before the trace.
		for (; first < events; first++) {
			latest = Math.max(latest, times[first]);
			if (latest >= from)
				break;
			if (steps.word[first] === STRAY)
				continue;
			if (steps.word[first] !== 0)
				open.push(steps.word[first]);
			else if (open.length > 0)
				open.pop();
		}
		if (first === events && !(comparable && reach >= from))
			return;

		// Finds the end, and the calls from before the trace that end.
		const unentered = [];
		let last = first, depth = open.length, left = 0;
		for (; last < events; last++) {
			latest = Math.max(latest, times[last]);
			if (latest >= to)
				break;
			if (steps.word[last] === STRAY)
				continue;
			if (steps.word[last] !== 0)
				depth++;
			else if (depth > 0)
				depth--;
			else
				left++;
		}
		const closes = last < events || (comparable && reach >= to);
		if (left > 0) {
			let gone = 0, level = 0;
			for (let i = thread.before; i < first; i++)
				if (steps.word[i] === STRAY)
					continue;
				else if (steps.word[i] !== 0)
					level++;
				else if (level > 0)
					level--;
				else
					gone++;
			const end = thread.before - gone;
			for (let i = end - left; i < end; i++)
				unentered.push(steps.word[i]);
		}
		if (open.length === 0 && last === first)
			return;

		const at = (i) => i < thread.before || other === null ? 0 :
			other[i];
		const walker = new Walker(this, 0, 0);
		const walk = (word, time, beside) => clock === "wall" ?
			walker.step(word, time, beside) :
			walker.step(word, beside, time);
		const edge = (next, time) => clock === "wall" &&
			other !== null && next < events && next < steps.known ?
			interpolateCpu(steps, next, time) : at(next - 1);
		const opened = open.length > 0 ? edge(first, from) : 0;
		const start = open.length > 0 ? from : times[first];
		const beside = open.length > 0 ? opened : at(first);
		walker.start(clock === "wall" ? start : beside,
			clock === "wall" ? beside : start);
		for (const word of unentered)
			walk(word, start, beside);
		for (const word of open)
			walk(word, from, opened);
		for (let i = first; i < last; i++) {
			if (i === steps.known)
				this.partial.add(walker.node);
			walk(steps.word[i], times[i], at(i));
		}
		if (!closes || depth === 0)
			return;
		if (last >= Math.min(events, steps.known))
			this.partial.add(walker.node);
		const closed = edge(last, to);
		for (let i = 0; i < depth; i++)
			walk(0, to, closed);
	}

	// Computes children, inclusive times and recursive calls. Nothing may be
	// added afterwards.
	finish() {
		const count = this.count;
		this.firstChild = new Int32Array(count);
		this.next = new Int32Array(count);
		this.recursive = new Uint8Array(count);
		this.inclusive = {
			wall: this.wall.slice(0, count),
			cpu: this.cpu.slice(0, count),
		};
		this.inclusivePartial = new Uint8Array(count);
		for (let node of this.partial)
			for (; node >= 0; node = this.parent[node])
				this.inclusivePartial[node] = 1;
		for (let i = count - 1; i > 0; i--) {
			const parent = this.parent[i];
			this.next[i] = this.firstChild[parent];
			this.firstChild[parent] = i;
			this.inclusive.wall[parent] += this.inclusive.wall[i];
			this.inclusive.cpu[parent] += this.inclusive.cpu[i];
		}
		const open = new Int32Array(this.trace.methods.length);
		let node = this.firstChild[0];
		while (node > 0) {
			this.recursive[node] = open[this.method[node]] > 0;
			if (this.firstChild[node] > 0) {
				open[this.method[node]]++;
				node = this.firstChild[node];
				continue;
			}
			while (node > 0 && this.next[node] === 0) {
				node = this.parent[node];
				if (node > 0)
					open[this.method[node]]--;
			}
			if (node > 0)
				node = this.next[node];
		}
		return this;
	}

	// Return the times of a node, NaN if they are not known.
	inclusiveTime(node, clock) {
		return clock === "cpu" && this.inclusivePartial[node] ? NaN :
			this.inclusive[clock][node];
	}

	exclusiveTime(node, clock) {
		return clock === "cpu" && this.partial.has(node) ? NaN :
			this[clock][node];
	}

	// Returns a row for each method that was called, and one for the time
	// outside of methods.
	profile() {
		if (this.sums !== undefined)
			return this.sums;
		const rows = new Map();
		const total = new ProfileRow(-1);
		total.take(this, 0, false);
		for (let i = 1; i < this.count; i++) {
			if (this.calls[i] === 0 && this.wall[i] === 0 &&
				this.cpu[i] === 0)
				continue;
			let row = rows.get(this.method[i]);
			if (row === undefined) {
				row = new ProfileRow(this.method[i]);
				rows.set(this.method[i], row);
			}
			row.take(this, i, this.recursive[i] !== 0);
		}
		this.sums = { total, rows: [...rows.values()] };
		return this.sums;
	}

	// Returns the callers of a method, or its callees; -1 is outside of
	// methods.
	links(method, callees) {
		const rows = new Map();
		for (let i = 1; i < this.count; i++) {
			const caller = this.method[this.parent[i]];
			const key = callees ? this.method[i] : caller;
			if ((callees ? caller : this.method[i]) !== method ||
				this.calls[i] === 0)
				continue;
			let row = rows.get(key);
			if (row === undefined) {
				row = new ProfileRow(key);
				rows.set(key, row);
			}
			row.take(this, i, this.recursive[i] !== 0);
		}
		return [...rows.values()];
	}
}

class ProfileRow {
	constructor(method) {
		this.method = method;
		this.calls = 0;
		this.recursive = 0;
		this.inclusive = { wall: 0, cpu: 0 };
		this.exclusive = { wall: 0, cpu: 0 };
		this.partial = { inclusive: false, exclusive: false };
	}

	// Returns a time, NaN if it is not known: "inclusive" or "exclusive".
	time(what, clock) {
		return clock === "cpu" && this.partial[what] ? NaN :
			this[what][clock];
	}

	take(tree, node, recursive) {
		if (recursive) {
			this.recursive += tree.calls[node];
		} else {
			this.calls += tree.calls[node];
			this.inclusive.wall += tree.inclusive.wall[node];
			this.inclusive.cpu += tree.inclusive.cpu[node];
		}
		this.exclusive.wall += tree.wall[node];
		this.exclusive.cpu += tree.cpu[node];
		this.partial.inclusive ||= tree.inclusivePartial[node] !== 0;
		this.partial.exclusive ||= tree.partial.has(node);
	}
}

// Follows the steps of a thread, and adds times to the nodes of a tree.
class Walker {
	constructor(tree, wall, cpu) {
		this.tree = tree;
		this.node = 0;
		this.start(wall, cpu);
	}

	start(wall, cpu) {
		this.wall = wall;
		this.cpu = cpu;
	}

	pass(wall, cpu) {
		this.tree.wall[this.node] += wall - this.wall;
		this.tree.cpu[this.node] += cpu - this.cpu;
		this.start(wall, cpu);
	}

	step(word, wall, cpu) {
		const tree = this.tree;
		this.pass(wall, cpu);
		if (word === STRAY)
			return;
		if (word === 0) {
			this.node = tree.parent[this.node];
			return;
		}
		this.node = tree.child(this.node, tree.trace.same[word - 1]);
		tree.calls[this.node]++;
	}
}

// Returns the CPU time at a wall time between a step and the one before it, as
// "dmtrace filter" does: in whole microseconds from there, and no more than the
// wall time that passed.
function interpolateCpu({ wall, cpu }, next, time) {
	const passed = wall[next] - wall[next - 1];
	const used = cpu[next] - cpu[next - 1];
	const part = Math.min(Math.ceil(time / 1000) * 1000, wall[next]) -
		wall[next - 1];
	const share = used <= 0 ? 0 : used >= passed ? part :
		Math.floor(used * part / passed + 0.5);
	return cpu[next - 1] + share - share % 1000;
}

// Makes the tree of one thread, or of all (-1), in a range of the clock, or in
// the whole trace (null).
export function buildTree(trace, thread, clock, range) {
	const tree = new CallTree(trace);
	const reach = trace.span(clock).to;
	for (const one of trace.threads)
		if (thread >= 0 && one.index !== thread)
			continue;
		else if (range === null)
			tree.addThread(one.index);
		else
			tree.addWindow(one.index, clock, range.from, range.to,
				reach);
	return tree.finish();
}
