// data.js - the traces of the page, decoded when they are needed
//
// What takes long is a generator, which yields after some thousand numbers, so
// that the page can do other things meanwhile.

import { codeOf } from "./colors.js";
import { formatSignature, scopeOf } from "./format.js";
import { Slices } from "./slices.js";
import { complete, PIECE, SharedWork } from "./work.js";

// Reads the numbers of a text one after the other (see export_view.c).
export class Digits {
	constructor(text) {
		this.text = text;
		this.at = 0;
	}

	next() {
		const text = this.text;
		let number = 0;
		for (;;) {
			let digit = text.charCodeAt(this.at++) - 32;
			if (digit > 28)
				digit--;	// there is no "<"
			if (digit < 60)
				return number * 60 + digit;
			number = number * 32 + digit - 60;
		}
	}

	// Returns the next number, which may be negative.
	nextSigned() {
		return unfold(this.next());
	}

	get ended() {
		return this.at >= this.text.length;
	}
}

function unfold(number) {
	return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
}

// The word of a step that neither begins nor ends a call.
export const STRAY = 0xffffffff;

// In place of a method: paths that were summed up, and calls that are not shown
// one by one.
export const OTHER = -2;

// Decodes the steps of a thread. A word is 0 for an exit, STRAY, or the index
// of a method plus 1; times are nanoseconds. From the step known on, all exits
// are at the end of a window, and their CPU time is not known: it is that of
// the step before.
function* decodeSteps(trace, thread, text) {
	const count = thread.steps;
	const digits = new Digits(text);
	const hasWall = trace.clocks.includes("wall");
	const hasCpu = trace.clocks.includes("cpu");
	const steps = {
		count, known: count,
		word: new Uint32Array(count),
		wall: hasWall ? new Float64Array(count) : null,
		cpu: hasCpu ? new Float64Array(count) : null,
		left: null,
	};
	// What was left out between a step and the one before it.
	if (trace.thinned !== undefined)
		steps.left = {
			calls: new Uint32Array(count),
			wall: new Float64Array(count),
			cpu: new Float64Array(count),
		};
	let cpu = thread.first[0], wall = thread.first[1];
	for (let i = 0; i < count; i++) {
		if (i % PIECE === PIECE - 1)
			yield i / count;
		steps.word[i] = digits.next();
		let passed = 0;
		if (hasWall) {
			const code = digits.next();
			passed = code === 0 ? digits.nextSigned() :
				(code - 1) * trace.unit;
			wall += passed;
			steps.wall[i] = wall;
		}
		if (hasCpu) {
			const code = digits.next();
			const number = code === 0 ? digits.next() : 0;
			if (number >= 2 ** 63)
				steps.known = Math.min(steps.known, i);
			else
				cpu += code === 0 ? unfold(number) :
					passed - unfold(code - 1) * trace.unit;
			steps.cpu[i] = cpu;
		}
		if (steps.left === null)
			continue;
		const calls = steps.left.calls[i] = digits.next();
		for (const clock of calls > 0 ? trace.clocks : [])
			steps.left[clock][i] = digits.nextSigned() *
				trace.scale;
	}
	return steps;
}

// Decodes the sums, by path, of calls that are not among the steps.
function* decodeSums(text, scale = 1) {
	const digits = new Digits(text);
	for (let i = 0; !digits.ended; i++) {
		const parent = i - digits.next(), word = digits.next();
		const calls = digits.next();
		yield {
			parent, calls: Math.floor(calls / 2),
			method: word > 0 || i === 0 ? word - 1 : OTHER,
			partial: calls % 2 === 1,
			cpu: digits.nextSigned() * scale,
			wall: digits.nextSigned() * scale,
		};
	}
}

// The strips of threads, by bin: the share of the CPU in twentieths, whether
// calls were open, and a method of the package that used most of it.
function decodeStrips(trace, text) {
	const digits = new Digits(text), { bins } = trace.strips;
	return trace.threads.map(() => {
		const strip = { level: new Uint8Array(bins),
			open: new Uint8Array(bins),
			method: new Uint32Array(bins) };
		for (let i = 0; i < bins && !digits.ended;) {
			const end = Math.min(bins, i + digits.next());
			const code = digits.next();
			strip.level.fill(code >> 1, i, end);
			strip.open.fill(code % 2, i, end);
			if (code > 1)
				strip.method.fill(digits.next(), i, end);
			i = end;
		}
		return strip;
	});
}

// The durations of methods by index: counts by the number of bits of the
// nanoseconds, and the slowest calls that are not among the steps.
function* decodeDurations(trace, text) {
	const digits = new Digits(text);
	const methods = new Map();
	while (!digits.ended) {
		const method = digits.next();
		const one = { counts: [], slowest: [] };
		for (let count = digits.next(); count > 0; count--)
			one.counts.push([digits.next(), digits.next()]);
		for (let count = digits.next(); count > 0; count--)
			one.slowest.push({
				thread: digits.next(),
				start: digits.nextSigned() * trace.scale,
				took: digits.nextSigned() * trace.scale,
			});
		one.slowest.sort((a, b) => b.took - a.took);
		methods.set(method, one);
		if (methods.size % (PIECE / 10) === 0)
			yield 1;
	}
	return methods;
}

// Decodes the entries of an event log, in the order of time.
function decodeEntries(text) {
	const rows = JSON.parse(`[${text.trim().replace(/\n/g, ",")}]`);
	return {
		time: Float64Array.from(rows, ([time]) => time),
		number: rows.map(([, number]) => number),
		name: rows.map(([, , name]) => name),
		detail: rows.map(([, , , detail]) => detail),
	};
}

function describeMethod([className, name, signature, file, line], index) {
	const slash = Math.max(className.lastIndexOf("/"),
		className.lastIndexOf("."));
	const scope = scopeOf(className, signature);
	const label = name ? scope + name :
		scope.replace(/(::|\.)$/, "") || className;
	const made = {
		index, className, name, signature,
		parameters: formatSignature(signature),
		label: label || "(none)",
		short: scope ? label.slice(slash + 1) : label || "(none)",
		package: (scope ? className.slice(0, Math.max(slash, 0)) :
			className).replaceAll("/", "."),
		place: file === undefined ? "" :
			line === undefined ? file : `${file}:${line}`,
	};
	made.color = codeOf(made);
	return made;
}

// What the row of a thread has.
const THREAD = ["number", "name", "calls", "steps", "before", "after", "depth",
	"first", "last", "left", "durations"];

// A trace of the page; textOf(what) returns its texts.
export class Trace {
	constructor(json, textOf) {
		Object.assign(this, json);
		this.textOf = textOf;
		this.threads = json.threads.map((row, index) => {
			const thread = { index };
			row.forEach((one, i) => {
				thread[THREAD[i]] = one;
			});
			thread.label = thread.name || `thread ${thread.number}`;
			return thread;
		});
		this.lines = new Map();
		this.marksOfThreads = new Map();
		this.decoded = new Map();
		this.slices = new Map();
	}

	// Describes the methods, in pieces; nothing else may be asked before.
	// Rows with the same name are one method: the first of them. Dots and
	// slashes of classes are the same.
	*describeMethods() {
		const rows = this.methods;
		this.methods = [];
		this.same = new Uint32Array(rows.length);
		this.byName = new Map();
		for (let i = 0; i < rows.length; i++) {
			const method = describeMethod(rows[i], i);
			const name = JSON.stringify([
				method.className.replaceAll("/", "."),
				method.name, method.signature]);
			if (!this.byName.has(name))
				this.byName.set(name, i);
			this.methods.push(method);
			this.same[i] = this.byName.get(name);
			if (i % (PIECE / 10) === PIECE / 10 - 1)
				yield 1;
		}
	}

	// Returns a thread's line of a text.
	lineOf(what, index) {
		if (!this.lines.has(what))
			this.lines.set(what, this.textOf(what).split("\n"));
		return this.lines.get(what)[index];
	}

	// Returns the method that stands for all of a package, which is made.
	methodOfPackage(name) {
		this.packageMethods ??= new Map();
		let index = this.packageMethods.get(name);
		if (index === undefined) {
			index = this.methods.length;
			const label = `${name || "(none)"}.*`;
			this.methods.push({ index, className: name, name: label,
				signature: "", parameters: "", label, short:
					label,
				package: name, place: "", made: true });
			this.same = Uint32Array.from([...this.same, index]);
			this.packageMethods.set(name, index);
		}
		return index;
	}

	get calls() {
		return this.threads.reduce((sum, one) => sum + one.calls, 0);
	}

	// Returns the times of the first and the last event, by a clock.
	span(clock) {
		const at = clock === "cpu" ? 0 : 1;
		let from = Infinity, to = -Infinity;
		for (const thread of this.threads) {
			from = Math.min(from, thread.first[at]);
			to = Math.max(to, thread.last[at]);
		}
		return from <= to ? { from, to: Math.max(to, from + 1),
			length: to - from } : { from: 0, to: 1, length: 0 };
	}

	// Returns how long a thread ran, by a clock.
	lengthOf({ first, last }, clock) {
		const at = clock === "cpu" ? 0 : 1;
		return last[at] - first[at];
	}

	// Returns the main thread: the one of that name, that of the process,
	// or the one with most CPU time.
	get main() {
		const { threads } = this;
		const named = threads.findIndex(({ name }) => name === "main");
		const own = named >= 0 ? named : threads.findIndex(
			({ number }) => number === Number(this.pid));
		if (own >= 0)
			return own;
		const clock = this.clocks.includes("cpu") ? "cpu" : "wall";
		return threads.reduce((best, one, i) => best >= 0 &&
			this.lengthOf(threads[best], clock) >=
			this.lengthOf(one, clock) ? best : i, -1);
	}

	// Returns of a thread of a page that was thinned the CPU time of its
	// first event in each part of the time in which it has any, and when
	// these parts begin.
	marksOf(index) {
		if (!this.marksOfThreads.has(index)) {
			const digits = new Digits(this.lineOf("marks", index));
			const marks = { cpu: [], from: [] };
			const { from, width } = this.marks;
			for (let at = 0, cpu = 0; !digits.ended; at++) {
				at += digits.next();
				cpu += digits.nextSigned();
				marks.cpu.push(cpu);
				marks.from.push(from + at * width);
			}
			this.marksOfThreads.set(index, marks);
		}
		return this.marksOfThreads.get(index);
	}

	stripOf(index) {
		this.stripsOfThreads ??= decodeStrips(this,
			this.textOf("strips"));
		return this.stripsOfThreads[index];
	}

	steps(index) {
		return complete(this.decodeSteps(index));
	}

	*decodeSteps(index) {
		if (!this.decoded.has(index))
			this.decoded.set(index, new SharedWork(decodeSteps(this,
				this.threads[index], this.lineOf("steps",
					index))));
		return yield* this.decoded.get(index).run();
	}

	get entries() {
		this.log ??= decodeEntries(this.textOf("entries"));
		return this.log;
	}

	// Returns the sums of a thread, one after the other.
	sums(index) {
		return this.thinned !== undefined || this.report !== undefined ?
			decodeSums(this.lineOf("sums", index), this.scale) : [];
	}

	// Whether there are slices of a thread, or only of all.
	hasSlices(thread) {
		return thread < 0 || this.threadSlices;
	}

	// Returns the slices of a thread, or of all (-1): null, if those of
	// each thread are as good.
	slicesOf(thread) {
		if (!this.slices.has(thread)) {
			const text = thread < 0 ? this.textOf("slices") :
				this.lineOf("threadSlices", thread);
			this.slices.set(thread, text === "" ? null :
				new Slices(this, text));
		}
		return this.slices.get(thread);
	}

	*decodeDurations() {
		this.known ??= new SharedWork(decodeDurations(this,
			this.textOf("durations")));
		return yield* this.known.run();
	}

	// Returns the durations of a method, of a trace that was thinned.
	durationsOf(method) {
		return complete(this.decodeDurations()).get(method) ??
			{ counts: [], slowest: [] };
	}
}
