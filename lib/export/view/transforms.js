// transforms.js - other ways to look at the same calls: some are left out, or
// belong to their callers
//
// A transform looks at a path from the outermost call down. It has a state for
// each call, a number that it computes from that of the caller, and from both
// says how the call is shown: as a method, as a part of its caller, as a part
// of the outermost call of its method, or not at all. The sums by path and the
// calls of the timeline go through the same functions, so that they agree.

import { STRAY } from "./data.js";
import { CallTree } from "./tree.js";
import { PIECE } from "./work.js";

// In place of a method that is shown. What is part of the outermost call of its
// method goes there with what it calls, whatever is between.
const PART = -3, OUTSIDE = -4, PART_OF_OUTERMOST = -5;

// The kinds, by the letter that they have in the address. enter returns the
// state of a call, and show the method that is shown.
const KINDS = {
	f: {
		name: "Only", outside: true,
		make: ([method]) => ({
			enter: (state, one) => state || one === method,
			show: (before, state, one) => state ? one : OUTSIDE,
		}),
	},
	s: {
		name: "Only the path to", outside: true,
		// The state is the length of what agrees with the path.
		make: (path) => ({
			enter: (state, one) => state === path.length ? state :
				state >= 0 && path[state] === one ?
					state + 1 : -1,
			show: (before, state, one) => state === path.length ?
				one : OUTSIDE,
		}),
	},
	m: {
		name: "Merged",
		make: ([method]) => ({
			enter: () => 0,
			show: (before, state, one) => one === method ? PART :
				one,
		}),
	},
	p: {
		name: "Collapsed",
		make: ([method], trace) => {
			const { package: name } = trace.methods[method];
			const made = trace.methodOfPackage(name);
			const isIn = (one) => trace.methods[one]?.package ===
				name;
			return {
				made,
				enter: (state, one) => isIn(one),
				show: (before, state, one) => !state ? one :
					before ? PART : made,
			};
		},
	},
	r: {
		name: "Without recursion of", moves: true,
		// The state is the place of the outermost call.
		make: ([method]) => ({
			enter: (state, one, place) => state ||
				(one === method ? place : 0),
			show: (before, state, one) => before && one === method ?
				PART_OF_OUTERMOST : one,
		}),
	},
};

// Returns a method as an address has it. One that was made for a package has no
// index that lasts: it is that of a method in the package, after a "p".
export function codeOfMethod({ methods, packageMethods }, method) {
	const { package: name } = methods[method] ?? {};
	return method >= 0 && packageMethods?.get(name) === method ?
		`p${methods.findIndex((one) => one.package === name)}` :
		String(method);
}

export function methodOfCode(trace, code) {
	const one = trace.methods[code.slice(1)];
	return !code.startsWith("p") ? Number(code || NaN) :
		one === undefined ? NaN : trace.methodOfPackage(one.package);
}

export class Transform {
	constructor(trace, kind, methods) {
		this.trace = trace;
		this.kind = kind;
		this.methods = methods;
		Object.assign(this, KINDS[kind].make(methods, trace));
		this.outside = KINDS[kind].outside === true;
		// Whether time goes elsewhere than to callers, so that a path
		// may have some of (other) that is not its own.
		this.moves = KINDS[kind].moves === true;
		const { label, package: name } = trace.methods[
			methods[methods.length - 1]];
		this.text = `${KINDS[kind].name} ${kind === "p" ? `${name}.*` :
			label}`;
	}

	get code() {
		return `${this.kind}${this.methods.map((method) =>
			codeOfMethod(this.trace, method)).join(".")}`;
	}

	// Returns the transforms of an address, as far as the trace has them.
	static parse(trace, text) {
		return text.split("_").map((one) => [one[0], one.slice(1)
			.split(".").map((code) => methodOfCode(trace, code))])
			.filter(([kind, methods]) => kind in KINDS &&
				methods.every((one) => trace.methods[one]))
			.map(([kind, methods]) => new Transform(trace, kind,
				methods));
	}
}

// Returns the sums by path as a transform shows them.
export function* transformTree(tree, transform) {
	const made = new CallTree(tree.trace), { count } = tree;
	const places = new Int32Array(count), states = new Int32Array(count);
	places[0] = transform.outside ? -1 : 0;
	for (let i = 0; i < count; i++) {
		if (i % PIECE === PIECE - 1)
			yield 1;
		const outer = tree.parent[i], method = tree.method[i];
		let shown = PART;
		if (i > 0) {
			states[i] = Number(transform.enter(states[outer],
				method, i));
			shown = transform.show(states[outer], states[i],
				method);
			places[i] = shown === OUTSIDE ? -1 :
				shown === PART ? places[outer] :
				shown === PART_OF_OUTERMOST ?
					places[states[i]] :
					made.child(Math.max(0, places[outer]),
						shown);
		}
		const place = places[i];
		if (place < 0)
			continue;
		if (shown !== PART && shown !== PART_OF_OUTERMOST)
			made.calls[place] += tree.calls[i];
		made.wall[place] += tree.wall[i];
		made.cpu[place] += tree.cpu[i];
		if (tree.partial.has(i))
			made.partial.add(place);
	}
	made.threads = tree.threads;
	made.parts = tree.parts;
	made.transformed = true;
	made.moves = tree.moves || transform.moves;
	return yield* made.finish();
}

// Returns the words of a thread's steps as transforms show them: those of calls
// that are not shown are STRAY.
export function* transformWords(trace, words, transforms) {
	const made = words.slice();
	const open = [];			// how calls are shown
	const states = [transforms.map(() => 0)];
	for (let i = 0; i < words.length; i++) {
		if (i % PIECE === PIECE - 1)
			yield i / words.length;
		if (words[i] === STRAY)
			continue;
		if (words[i] === 0) {
			if (!open.pop())
				made[i] = STRAY;
			states.pop();
			continue;
		}
		const now = states[states.length - 1].slice();
		let shown = trace.same[words[i] - 1];
		for (let k = 0; k < transforms.length && shown >= 0; k++) {
			const before = now[k];
			now[k] = Number(transforms[k].enter(before, shown,
				states.length));
			shown = transforms[k].show(before, now[k], shown);
			// To those that follow, its callees are of that call.
			if (shown === PART_OF_OUTERMOST)
				now.splice(k + 1, Infinity,
					...states[now[k]].slice(k + 1));
		}
		states.push(now);
		open.push(shown >= 0);
		made[i] = shown >= 0 ? shown + 1 : STRAY;
	}
	return made;
}
