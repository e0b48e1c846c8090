// tree.js - the calls of threads, summed by path, and the sums of methods
//
// A node is a path of calls. Only the calls and exclusive times of nodes are
// counted; inclusive times and the figures of methods, callers and callees are
// sums of them. These are the figures of "dmtrace report": a call inside a call
// of the same method is recursive, and its time counts for the outer call. A
// call that a window ends after the last event of its thread has a partial CPU
// time, as nobody knows how much it used until then: it is shown as unknown.
//
// A page that was thinned has the long calls as steps. Its whole tree has the
// other calls by path, and its profile has them by slices, which are exact. If
// there are very many paths, those of a thread that took little time are a node
// OTHER of their caller; a path of several threads may be one of these in some
// of them, and from the bottom up they are not known: see lacksOf. In
// a range of time, calls that were left out between two steps are a node OTHER
// of the call that made them; between the steps at an edge of the range, and in
// the slices there, it is only known how many there may be: figures are lower
// bounds, with the slack up to the upper one. The CPU time at an edge of wall
// time is between those of the events around it.

import { OTHER, STRAY } from "./data.js";
import { boundCpu, boundLeft } from "./slices.js";
import { complete, PIECE } from "./work.js";

const CLOCKS = ["wall", "cpu"];
const GROWN = ["parent", "method", "calls", "wall", "cpu"];

export class CallTree {
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
		this.slack = new Map();		// by node: of exclusive times
		// How much more CPU time a node may have, and what it calls.
		this.edges = new Map();
		this.edgesInside = new Map();
		// How many threads have something, and how many more may.
		this.threads = { least: 0, more: 0 };
		this.parts = [];		// of threads: nodes, and OTHER
		this.moves = false;		// see transforms.js
		this.ranged = false;		// of a page that was thinned
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

	// Adds all calls of a thread: by path those that were left out, or,
	// with apart, as nodes OTHER.
	*addThread(index, apart) {
		const thread = this.trace.threads[index];
		const steps = this.trace.steps(index);
		this.threads.least++;
		const walker = new Walker(this, thread.first[1],
			thread.first[0]);
		for (let i = 0; i < steps.count; i++) {
			if (i === steps.known)
				this.partial.add(walker.node);
			if (apart)
				walker.leave(steps, i);
			walker.step(steps.word[i],
				steps.wall === null ? 0 : steps.wall[i],
				steps.cpu === null ? 0 : steps.cpu[i]);
			if (i % PIECE === PIECE - 1)
				yield i / steps.count;
		}
		walker.pass(thread.last[1], thread.last[0]);
		if (apart) {
			const [calls, cpu, wall] = thread.left;
			walker.add(calls, wall, cpu);
			return;
		}
		const nodes = [], has = new Set(), others = new Map();
		if (this.trace.folded > 0)
			this.parts.push({ has, others });
		for (const sum of this.trace.sums(index)) {
			const method = sum.method === OTHER ? OTHER :
				this.trace.same[sum.method];
			const node = nodes.length === 0 ? 0 :
				this.child(nodes[sum.parent], method);
			this.calls[node] += sum.calls;
			this.wall[node] += sum.wall;
			this.cpu[node] += sum.cpu;
			if (sum.partial)
				this.partial.add(node);
			if (method === OTHER)
				others.set(nodes[sum.parent], sum);
			else
				has.add(node);
			if (nodes.push(node) % PIECE === 0)
				yield 1;
		}
	}

	// Adds what "dmtrace filter --from --to" keeps of a thread: calls that
	// are open at an edge begin or end there. Their CPU time at an edge of
	// wall time is interpolated between the steps around it.
	*addWindow(index, clock, range, latest) {
		const thread = this.trace.threads[index];
		const steps = this.trace.steps(index);
		const times = steps[clock];
		const other = clock === "wall" ? steps.cpu : steps.wall;
		const thinned = steps.left !== null;
		const window = new ThreadWindow(this.trace, index, clock,
			range, latest);
		const { first, last, events, end, closes } = window;
		const { from, to } = range;
		if (window.isEmpty)
			return;

		// Finds the calls that are open at the start. open is empty at
		// an exit of a call that was open before the trace.
		const open = [];		// words
		for (let i = thread.before; i < first; i++)
			if (steps.word[i] === STRAY)
				continue;
			else if (steps.word[i] !== 0)
				open.push(steps.word[i]);
			else if (open.length > 0)
				open.pop();

		// Finds the calls from before the trace that end.
		const unentered = [];
		let depth = open.length, left = 0;
		for (let i = first; i < last; i++)
			if (steps.word[i] === STRAY)
				continue;
			else if (steps.word[i] !== 0)
				depth++;
			else if (depth > 0)
				depth--;
			else
				left++;
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
			const until = thread.before - gone;
			for (let i = until - left; i < until; i++)
				unentered.push(steps.word[i]);
		}
		const cpuAt = (next, time) => boundCpu(this.trace, index, next,
			time);
		if (open.length === 0 && last === first) {
			// Calls may have been left out.
			const begin = Math.max(from, thread.first[
				clock === "cpu" ? 0 : 1]);
			if (!thinned || end < from || begin >= to)
				return;
			this.threads.more++;
			const most = Math.min(to, end) - begin;
			this.addSlack(0, { wall: most, cpu: clock === "cpu" ?
				most : cpuAt(last, to).most -
					cpuAt(first, from).least,
			calls: first < steps.count ? steps.left.calls[first] :
				thread.left[0] });
			return;
		}

		this.threads.least++;
		const at = (i) => i < thread.before || other === null ? 0 :
			other[i];
		const walker = new Walker(this, 0, 0);
		const walk = (word, time, beside) => clock === "wall" ?
			walker.step(word, time, beside) :
			walker.step(word, beside, time);
		const edge = (next, time) => {
			if (clock === "wall" && thinned)
				return cpuAt(next, time);
			const cpu = clock === "wall" && other !== null &&
				next < events && next < steps.known ?
				interpolateCpu(steps, next, time) :
				at(next - 1);
			return { least: cpu, most: cpu };
		};
		const { least, most: opened } = open.length > 0 ?
			edge(first, from) : { least: 0, most: 0 };
		const start = open.length > 0 ? from : times[first];
		const beside = open.length > 0 ? opened : at(first);
		walker.start(clock === "wall" ? start : beside,
			clock === "wall" ? beside : start);
		for (const word of unentered)
			walk(word, start, beside);
		for (const word of open)
			walk(word, from, opened);
		this.addEdge(walker.node, opened - least);
		for (let i = first; i < last; i++) {
			if (i === steps.known)
				this.partial.add(walker.node);
			if (thinned && i > first)
				walker.leave(steps, i);
			else if (thinned)
				walker.leavePart(steps, i, clock, from, to,
					thread);
			walk(steps.word[i], times[i], at(i));
			if (i % PIECE === PIECE - 1)
				yield (i - first) / (last - first);
		}
		if (thinned && (closes || last === first))
			walker.leavePart(steps, last, clock, from, to, thread);
		if (thinned && !closes) {
			walker.pass(thread.last[1], thread.last[0]);
			// All of what follows the last step is in the range.
			const [calls, cpu, wall] = thread.left;
			if (last > first)
				walker.add(calls, wall, cpu);
		}
		if (!closes || depth === 0)
			return;
		if (last >= Math.min(events, steps.known))
			this.partial.add(walker.node);
		const { least: before, most } = edge(last, to);
		const closed = last > first ? before :
			Math.max(before, Math.min(opened, most));
		this.addEdge(walker.node, most - closed);
		for (let i = 0; i < depth; i++)
			walk(0, to, closed);
	}

	addSlack(node, { wall, cpu, calls = 0 }) {
		const slack = this.slack.get(node) ??
			{ wall: 0, cpu: 0, calls: 0 };
		this.slack.set(node, { wall: slack.wall + wall,
			cpu: slack.cpu + cpu, calls: slack.calls + calls });
	}

	addEdge(node, more) {
		if (more > 0)
			this.edges.set(node, more +
				(this.edges.get(node) ?? 0));
	}

	// Returns the slack of a node: of a measure, or of its "calls" that are
	// not shown one by one.
	slackOf(node, what) {
		const slack = this.slack.get(node);
		return slack === undefined ? 0 : what === "wait" ? slack.wall +
			slack.cpu : slack[what];
	}

	// Returns how much time of a clock all of it has at most.
	mostOf(clock) {
		return this.inclusive[clock][0] + this.slackOf(0, clock) +
			(clock === "cpu" ? this.edgesInside.get(0) ?? 0 : 0);
	}

	// Returns how much more a node of the whole trace may have, which is in
	// OTHER of a caller in threads that do not have the node: of a measure,
	// or calls.
	lacksOf(node, what) {
		let sum = 0;
		const clock = what === "wait" ? "wall" : what;
		for (let one = node; this.ranged && one > 0;) {
			one = this.parent[one];
			const other = this.slots[this.slot(one, OTHER)];
			sum += Math.max(0, other > 0 ? this[clock][other] : 0) +
				this.slackOf(one, what);
		}
		for (const { has, others } of this.parts) {
			let outer = node;
			while (outer > 0 && !has.has(outer))
				outer = this.parent[outer];
			const other = outer === node ? undefined :
				others.get(outer);
			if (other !== undefined)
				sum += Math.max(0, other[clock]);
		}
		return sum;
	}

	// Returns what all nodes OTHER have of that, if it is of paths, or of a
	// range, where it is as much as they may have.
	get folded() {
		if (this.parts.length === 0 && !this.ranged)
			return { calls: 0, wall: 0, cpu: 0, wait: 0 };
		if (this.foldedSums === undefined) {
			const sums = { calls: 0, wall: 0, cpu: 0, wait: 0 };
			for (const { others } of this.parts)
				for (const { calls, wall, cpu } of
					others.values()) {
					sums.calls += calls;
					sums.wall += Math.max(0, wall);
					sums.cpu += Math.max(0, cpu);
					sums.wait += Math.max(0, wall);
				}
			for (let i = 1; this.ranged && i < this.count; i++)
				if (this.method[i] === OTHER) {
					sums.calls += this.calls[i];
					sums.wall += Math.max(0, this.wall[i]);
					sums.cpu += Math.max(0, this.cpu[i]);
					sums.wait += Math.max(0, this.wall[i]);
				}
			for (const node of this.slack.keys())
				for (const what of Object.keys(sums))
					sums[what] += this.slackOf(node, what);
			this.foldedSums = sums;
		}
		return this.foldedSums;
	}

	// Whether paths do not have all calls of their methods.
	get lacks() {
		return this.ranged || this.folded.calls > 0;
	}

	// Returns how much more the calls of a method may have that are in
	// nodes OTHER: what its row of the profile has beyond the others. In a
	// range it is an upper bound, or, with least, a lower one.
	foldedOf(method, what, clock, least = false) {
		if (!this.lacks)
			return 0;
		if (this.ranged) {
			const one = this.left.get(method);
			if (one === undefined)
				return 0;
			const row = new ProfileRow(method);
			row.addLeft(one);
			const [few, slack] = what === "calls" ?
				[row.calls + row.recursive,
					row.slack.calls + row.slack.recursive] :
				[row, row.slack].map((part) => part[what ===
					"self" ? "exclusive" : "inclusive"][
					clock]);
			return Math.max(0, least ? few : few + slack);
		}
		complete(this.sumFolded());
		const one = this.known.get(method);
		return one === undefined ? 0 : Math.max(0, what === "calls" ?
			one.calls : one[clock][what]);
	}

	// Returns the bounds of that, also of time off the CPU.
	restOf(method, what, measure) {
		const waits = measure === "wait" && what !== "calls";
		return [true, false].map((least) => this.foldedOf(method, what,
			waits ? "wall" : measure, least) - (waits ?
			this.foldedOf(method, what, "cpu", !least) : 0));
	}

	// Computes that, in pieces.
	*sumFolded() {
		if (this.known !== undefined || this.ranged ||
			this.folded.calls === 0)
			return;
		const calls = ({ calls: one, recursive }) => one + recursive;
		const own = yield* this.makeRows(new Map());
		const known = new Map();
		for (const row of own.rows) {
			known.set(row.method, { calls: -calls(row),
				...Object.fromEntries(CLOCKS.map((one) => [
					one, { total: -row.inclusive[one],
						self: -row.exclusive[one] },
				])) });
			if (known.size % PIECE === 0)
				yield 1;
		}
		const { rows } = yield* this.sumMethods();
		for (let i = 0; i < rows.length; i++) {
			const row = rows[i];
			if (i % PIECE === PIECE - 1)
				yield 1;
			if (!known.has(row.method))
				known.set(row.method, { calls: 0,
					wall: { total: 0, self: 0 },
					cpu: { total: 0, self: 0 } });
			const one = known.get(row.method);
			one.calls += calls(row);
			for (const clock of CLOCKS) {
				one[clock].total += row.inclusive[clock];
				one[clock].self += row.exclusive[clock];
			}
		}
		this.known = known;
	}

	// Computes children, inclusive times and recursive calls. Nothing may
	// be added afterwards.
	*finish() {
		const count = this.count;
		this.firstChild = new Int32Array(count);
		this.next = new Int32Array(count);
		this.recursive = new Uint8Array(count);
		const wall = this.wall.slice(0, count);
		const cpu = this.cpu.slice(0, count);
		// Time off the CPU. It may be below zero, as the clocks are
		// read one after the other: sums of it count as none then.
		this.wait = new Float64Array(count);
		for (let i = 0; i < count; i++)
			this.wait[i] = wall[i] - cpu[i];
		const wait = this.wait.slice();
		this.inclusive = { wall, cpu, wait };
		this.inclusivePartial = new Uint8Array(count);
		for (let node of this.partial)
			for (; node >= 0 && !this.inclusivePartial[node];
				node = this.parent[node])
				this.inclusivePartial[node] = 1;
		for (const [outer, more] of this.edges)
			for (let node = outer; node >= 0; node =
				this.parent[node])
				this.edgesInside.set(node, more +
					(this.edgesInside.get(node) ?? 0));
		for (let i = count - 1; i > 0; i--) {
			const parent = this.parent[i];
			this.next[i] = this.firstChild[parent];
			this.firstChild[parent] = i;
			wall[parent] += wall[i];
			cpu[parent] += cpu[i];
			wait[parent] += wait[i];
			if (i % PIECE === 0)
				yield 1;
		}
		const open = new Int32Array(this.trace.methods.length + 2);
		let node = this.firstChild[0];
		for (let i = 1; node > 0; i++) {
			if (i % PIECE === 0)
				yield 1;
			this.recursive[node] = open[this.method[node] + 2] > 0;
			if (this.firstChild[node] > 0) {
				open[this.method[node] + 2]++;
				node = this.firstChild[node];
				continue;
			}
			while (node > 0 && this.next[node] === 0) {
				node = this.parent[node];
				if (node > 0)
					open[this.method[node] + 2]--;
			}
			if (node > 0)
				node = this.next[node];
		}
		this.sums = null;
		return this;
	}

	// Return the times of a node, NaN if they are not known. They are
	// "wall", "cpu" or "wait".
	inclusiveTime(node, clock) {
		return clock !== "wall" && this.inclusivePartial[node] ? NaN :
			this.inclusive[clock][node];
	}

	exclusiveTime(node, clock) {
		return clock !== "wall" && this.partial.has(node) ? NaN :
			this[clock][node];
	}

	// Returns a row for each method that was called, and one for the time
	// outside of methods.
	profile() {
		return complete(this.sumMethods());
	}

	// The same in pieces. Of a page that was thinned, kept has what is
	// among the steps, and left what is not: see boundLeft.
	*sumMethods() {
		this.sums ??= yield* (this.kept ?? this).makeRows(this.left ??
			new Map());
		return this.sums;
	}

	*makeRows(left) {
		const rows = new Map();
		const rowOf = (method) => {
			let row = rows.get(method);
			if (row === undefined) {
				row = new ProfileRow(method);
				rows.set(method, row);
			}
			return row;
		};
		const total = new ProfileRow(-1);
		total.take(this, 0, false);
		for (let i = 1; i < this.count; i++) {
			if (this.method[i] !== OTHER && (this.calls[i] !== 0 ||
				this.wall[i] !== 0 || this.cpu[i] !== 0))
				rowOf(this.method[i]).take(this, i,
					this.recursive[i] !== 0);
			if (i % PIECE === 0)
				yield 1;
		}
		for (const [method, one] of left) {
			rowOf(method).addLeft(one);
			if (rows.size % (PIECE / 10) === 0)
				yield 1;
		}
		total.addWait();
		for (const row of rows.values())
			row.addWait();
		return { total, rows: [...rows.values()].filter((row) =>
			row.most("calls") + row.most("recursive") > 0 ||
			row.inclusive.wall !== 0 || row.inclusive.cpu !== 0) };
	}

	// Returns the callers of a method, or its callees; -1 is outside of
	// methods. The inclusive time is that of calls of the method that are
	// not recursive, or of what these call, as in a report.
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
			row.take(this, i, this.recursive[callees ?
				this.parent[i] : i] !== 0);
		}
		const made = [...rows.values()];
		if (this.trace.thinned !== undefined && !this.transformed)
			this.boundLinks(made, method, callees);
		for (const row of made)
			row.addWait();
		return made;
	}

	// Adds to callers and callees how much more they may have, on a page
	// that was thinned: all calls of the method, or of the callee, that are
	// not among the paths, and their time. That of a callee is known only
	// if it is not recursive, but calls of the method have no more time
	// than is not known of what they call.
	boundLinks(links, method, callees) {
		const byMethod = ({ rows }) => new Map(rows.map((row) =>
			[row.method, row]));
		this.own ??= byMethod(complete(this.makeRows(new Map())));
		const all = byMethod(this.profile());
		const lackOf = (one, get) => {
			const row = all.get(one), own = this.own.get(one);
			return row === undefined ? 0 : Math.max(0, get(row) +
				get(row.slack) - (own ? get(own) : 0));
		};
		const countOf = ({ calls, recursive }) => calls + recursive;
		const left = callees ? this.leftOf(method) : null;
		for (const link of links) {
			const one = callees ? link.method : method;
			link.slack.calls += lackOf(one, countOf);
			for (const clock of CLOCKS) {
				const get = ({ inclusive }) => inclusive[clock];
				const more = lackOf(one, get);
				link.slack.inclusive[clock] += !callees ? more :
					Math.min(left[clock] + lackOf(method,
						get), all.get(one)?.most(
						"recursive") === 0 ? more :
						Infinity);
			}
		}
	}

	// Returns the times that calls of a method, which are not recursive,
	// have in calls that are not known, at most.
	leftOf(method) {
		const left = { wall: 0, cpu: 0, wait: 0 };
		for (let i = 0; i < this.count; i++) {
			const of = this.method[i] === OTHER ? this.parent[i] : i;
			if (this.method[of] !== method || this.recursive[of])
				continue;
			for (const clock of CLOCKS)
				left[clock] += of === i ? this.slackOf(i,
					clock) : this.inclusive[clock][i];
		}
		return left;
	}
}

class ProfileRow {
	constructor(method) {
		this.method = method;
		this.calls = 0;
		this.recursive = 0;
		this.inclusive = { wall: 0, cpu: 0, wait: 0 };
		this.exclusive = { wall: 0, cpu: 0, wait: 0 };
		this.partial = { inclusive: false, exclusive: false };
		// How much more there may be, on a page that was thinned.
		this.slack = { calls: 0, recursive: 0,
			inclusive: { wall: 0, cpu: 0, wait: 0 },
			exclusive: { wall: 0, cpu: 0, wait: 0 } };
	}

	// Returns how many calls there may be.
	most(what) {
		return this[what] + this.slack[what];
	}

	addLeft({ least, most, partial }) {
		for (const what of ["calls", "recursive"]) {
			this[what] += least[what];
			this.slack[what] += most[what] - least[what];
		}
		for (const what of ["inclusive", "exclusive"]) {
			const [few, many] = [least[what], most[what]];
			for (const clock of CLOCKS) {
				this[what][clock] += few[clock];
				this.slack[what][clock] += many[clock] -
					few[clock];
			}
		}
		this.partial.inclusive ||= partial;
		this.partial.exclusive ||= partial;
	}

	// Computes the time off the CPU, when the others are complete: none
	// below zero, which comes from clocks that are read one after the other.
	addWait() {
		for (const what of ["inclusive", "exclusive"]) {
			const [time, slack] = [this[what], this.slack[what]];
			time.wait = Math.max(0, time.wall - time.cpu -
				slack.cpu);
			slack.wait = Math.max(0, time.wall + slack.wall -
				time.cpu) - time.wait;
		}
	}

	// Returns a time, NaN if it is not known: "inclusive" or "exclusive".
	time(what, clock) {
		return clock !== "wall" && this.partial[what] ? NaN :
			this[what][clock];
	}

	take(tree, node, recursive) {
		const { inclusive } = tree;
		if (recursive)
			this.recursive += tree.calls[node];
		else
			this.calls += tree.calls[node];
		for (const one of CLOCKS) {
			if (!recursive)
				this.inclusive[one] += inclusive[one][node];
			this.exclusive[one] += tree[one][node];
		}
		this.partial.inclusive ||= tree.inclusivePartial[node] !== 0;
		this.partial.exclusive ||= tree.partial.has(node);
		this.slack.exclusive.cpu += tree.edges.get(node) ?? 0;
		if (!recursive)
			this.slack.inclusive.cpu +=
				tree.edgesInside.get(node) ?? 0;
		const slack = tree.slack.get(node);
		if (slack === undefined)
			return;
		for (const clock of CLOCKS) {
			this.slack.exclusive[clock] += slack[clock];
			if (node === 0)
				this.slack.inclusive[clock] += slack[clock];
			else
				this.exclusive[clock] -= slack[clock];
		}
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

	// Moves the time of calls that were left out to a node of theirs.
	add(calls, wall, cpu) {
		const { tree, node } = this;
		if (calls === 0 && wall === 0 && cpu === 0)
			return;
		const other = tree.child(node, OTHER);
		tree.calls[other] += calls;
		tree.wall[other] += wall;
		tree.cpu[other] += cpu;
		tree.wall[node] -= wall;
		tree.cpu[node] -= cpu;
	}

	leave({ left }, i) {
		if (left.calls[i] > 0)
			this.add(left.calls[i], left.wall[i], left.cpu[i]);
	}

	// The same of the part of the time between two steps that is in a
	// range: it has at least what does not fit into the rest. Outside of
	// calls, time is counted from the first event in the range to the last
	// one.
	leavePart(steps, i, clock, from, to, thread) {
		const ends = i === steps.count;
		const [calls, cpu, wall] = !ends ? [steps.left.calls[i],
			steps.left.cpu[i], steps.left.wall[i]] : thread.left;
		if (calls === 0)
			return;
		const end = !ends ? steps[clock][i] :
			thread.last[clock === "cpu" ? 0 : 1];
		const start = i > 0 ? steps[clock][i - 1] :
			thread.first[clock === "cpu" ? 0 : 1];
		const begin = Math.max(from, start);
		const part = Math.max(0, Math.min(to, end) - begin);
		const took = clock === "wall" ? wall : cpu;
		const least = Math.max(0, Math.min(part,
			took - (end - start - part)));
		const slack = Math.min(took, part) - least;
		const { tree, node } = this;
		const more = part >= end - start ? 0 : calls;
		this.add(calls - more, clock === "wall" ? least : 0,
			clock === "cpu" ? least : 0);
		if (node === 0)
			tree[clock][0] += least;
		const slacks = { wall, cpu, calls: more };
		slacks[clock] = node === 0 ? part - least : slack;
		if (clock === "wall") {
			const passed = boundCpu(tree.trace, thread.index, i,
				Math.min(to, end)).most - boundCpu(tree.trace,
				thread.index, i, begin).least;
			slacks.cpu = node === 0 ? passed :
				Math.min(cpu, passed);
		}
		tree.addSlack(node, slacks);
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

// The part of a thread that is in a range of a clock: its events from first on,
// before last, by the latest time until each of them. latest is the time of the
// last event of any thread: by a clock that all share, each goes on until then.
export class ThreadWindow {
	constructor(trace, index, clock, { from, to }, latest) {
		const { before, after, last } = trace.threads[index];
		const steps = trace.steps(index), times = steps[clock];
		const events = steps.count - after;
		let now = -Infinity;
		const find = (start, time) => {
			for (let i = start; i < events; i++) {
				now = Math.max(now, times[i]);
				if (now >= time)
					return i;
			}
			return events;
		};
		this.before = before;
		this.events = events;
		this.first = find(before, from);
		this.last = find(this.first, to);
		// A page that was thinned may lack calls after the last step.
		this.end = steps.left === null ? -Infinity :
			last[clock === "cpu" ? 0 : 1];
		const reach = trace.comparable && clock === "wall" ?
			Math.max(this.end, latest) : this.end;
		this.isEmpty = this.first === events && reach < from;
		this.closes = this.last < events || reach >= to;
	}

	// Whether it has a call, by the steps at which that begins and ends. Of
	// one that was open before the trace, only the end is known.
	hasCall(enter, exit) {
		return !this.isEmpty && exit >= this.first &&
			(enter < this.before ? exit : enter) < this.last;
	}
}

function* addThreads(tree, thread, clock, range, apart) {
	const { trace } = tree, latest = trace.span(clock).to;
	for (const { index } of trace.threads) {
		if (thread >= 0 && index !== thread)
			continue;
		// Its steps may have to be decoded first.
		yield index / trace.threads.length;
		yield* trace.decodeSteps(index);
		if (range === null)
			yield* tree.addThread(index, apart);
		else
			yield* tree.addWindow(index, clock, range, latest);
	}
	yield 1;
	return yield* tree.finish();
}

// Makes the tree of one thread, or of all (-1), in a range of the clock, or in
// the whole trace (null). It yields from time to time.
export function* sumTree(trace, thread, clock, range) {
	const tree = yield* addThreads(new CallTree(trace), thread, clock,
		range, false);
	if (trace.thinned !== undefined) {
		tree.ranged = range !== null;
		tree.left = yield* boundLeft(trace, thread, clock, range);
		tree.kept = range !== null ? tree : yield* addThreads(
			new CallTree(trace), thread, clock, null, true);
	}
	yield* tree.sumMethods();
	return tree;
}

export function buildTree(...asked) {
	return complete(sumTree(...asked));
}
