// work.js - long work in pieces, so that the page can do other things meanwhile
//
// What may take long is a generator that yields after a piece of it, of some
// milliseconds at most: how far it is, from 0 to 1. It runs to its end where
// all of it is needed at once, else for some time, again and again.

// How many things are done before work pauses.
export const PIECE = 10000;

// Does all of some work, and returns its result.
export function complete(work) {
	for (;;) {
		const { value, done } = work.next();
		if (done)
			return value;
	}
}

// Work whose result several need: what one of them does is done for all.
export class SharedWork {
	constructor(work) {
		this.work = work;
		this.isDone = false;
	}

	*run() {
		while (!this.isDone) {
			const { value, done } = this.work.next();
			if (done) {
				this.result = value;
				this.isDone = true;
			} else {
				yield value;
			}
		}
		return this.result;
	}
}

const SLICE = 25;			// ms of work before it pauses

// Works for some milliseconds; done: to the end.
export function runFor(work, most = SLICE) {
	for (const end = performance.now() + most;;) {
		const step = work.next();
		if (step.done || performance.now() >= end)
			return step;
	}
}

// Returns the first rows in an order, so many at most. Sorting them all would
// take long in one piece, and a table shows few.
export function* firstOf(rows, count, compare) {
	const most = Math.max(1, Math.min(count, rows.length));
	let found = [], last;
	for (let i = 0; i < rows.length; i++) {
		if (last === undefined || compare(rows[i], last) < 0)
			found.push(rows[i]);
		if (found.length >= 2 * most + 100) {
			found = found.sort(compare).slice(0, most);
			last = found[most - 1];
		}
		if (i % (PIECE / 10) === 0)
			yield i / rows.length;
	}
	return found.sort(compare).slice(0, most);
}

// Returns the rows in an order: short runs are sorted, then merged.
export function* sortInPieces(rows, compare) {
	let runs = [];
	for (let i = 0; i < rows.length; i += PIECE) {
		runs.push(rows.slice(i, i + PIECE).sort(compare));
		if (runs.length > 1)
			yield 1;
	}
	while (runs.length > 1) {
		const next = [];
		for (let i = 0; i < runs.length; i += 2)
			next.push(i + 1 === runs.length ? runs[i] :
				yield* merge(runs[i], runs[i + 1], compare));
		runs = next;
	}
	return runs[0] ?? [];
}

function* merge(a, b, compare) {
	const made = [];
	for (let i = 0, k = 0; i < a.length || k < b.length;) {
		made.push(k === b.length || (i < a.length &&
			compare(a[i], b[k]) <= 0) ? a[i++] : b[k++]);
		if (made.length % PIECE === 0)
			yield 1;
	}
	return made;
}
