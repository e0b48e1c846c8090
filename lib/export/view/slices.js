// slices.js - what a range of time has of the calls that a page left out
//
// A page that was thinned has sums of these calls by method and slice of time
// (see view_slices.c): of each row exact sums, and before each slice how many
// quanta the sum so far has. They are read where they are needed: a row notes
// what is known before every STRIDE slices, and goes on from there.

import { Digits } from "./data.js";
import { firstAbove } from "./lanes.js";

const UNARY_MOST = 12;
const STRIDE = 128;

// Reads bits, 13 of two digits.
class Bits {
	constructor(text, start) {
		this.text = text;
		this.start = start;
	}

	seek(at) {
		this.at = this.start + 2 * Math.floor(at / 13);
		this.position = at;
		this.word = this.count = 0;
		this.fill();
		this.word <<= at % 13;
		this.count -= at % 13;
	}

	fill() {
		while (this.count <= 19) {
			const high = this.text.charCodeAt(this.at++) - 32;
			const low = this.text.charCodeAt(this.at++) - 32;
			const pair = (high > 28 ? high - 1 : high) * 92 +
				(low > 28 ? low - 1 : low);
			this.word |= pair << 19 - this.count;
			this.count += 13;
		}
	}

	take(count) {
		const bits = count === 0 ? 0 : this.word >>> 32 - count;
		this.word <<= count;
		this.count -= count;
		this.position += count;
		return bits;
	}

	// Returns the next Rice code.
	rice(parameter) {
		this.fill();
		const ones = Math.clz32(~this.word);
		if (ones >= UNARY_MOST) {
			this.take(UNARY_MOST);
			this.fill();
			return this.take(16);
		}
		this.take(ones + 1);
		if (parameter === 0)
			return ones;
		this.fill();
		return ones << parameter | this.take(parameter);
	}
}

// The sums of the calls of a method. fields says of what they are: [what,
// clock, unit].
class SliceRow {
	constructor(digits, most, fields, start) {
		this.method = digits.next();
		this.wide = 2 ** digits.next();
		this.count = Math.ceil(most / this.wide);
		this.cells = digits.next();
		this.start = start;
		this.end = start + digits.next();
		this.partial = digits.next();
		this.back = digits.next();
		this.skip = digits.next();
		this.sums = fields.map((field) => {
			const sum = digits.next(), below = digits.next();
			return { field, sum, below, used: sum + below > 0,
				quantum: sum + below > 0 ? digits.next() : 1,
				rice: sum + below > 0 ? digits.next() : 0 };
		});
		this.coded = this.sums.filter(({ used }) => used);
		this.marks = null;
	}

	// Reads slices from a state on, those before a slice.
	read(bits, state, before) {
		bits.seek(state.at);
		const { coded, cells } = this, { quanta } = state;
		while (state.slice < before &&
			(cells === 0 || state.done < cells)) {
			if (cells > 0) {
				const { position } = bits;
				const slice = state.slice +
					bits.rice(this.skip);
				if (slice >= before) {
					state.at = position;
					return;
				}
				state.slice = slice;
			}
			for (let i = 0; i < coded.length; i++)
				quanta[i] += bits.rice(coded[i].rice);
			state.slice++;
			state.done++;
			state.at = bits.position;
		}
	}

	begin() {
		return { at: this.start, slice: 0, done: 0,
			quanta: new Uint32Array(this.coded.length) };
	}

	// Notes what is known before each STRIDE slices. It yields.
	*mark(bits) {
		const marks = [], state = this.begin();
		for (let slice = 0; slice < this.count; slice += STRIDE) {
			this.read(bits, state, slice);
			marks.push({ ...state, quanta: state.quanta.slice() });
			if (marks.length % 8 === 0)
				yield 1;
		}
		this.marks = marks;
	}

	// Returns the bounds of each sum before a slice.
	before(bits, slice) {
		if (slice <= 0 || slice >= this.count)
			return this.sums.map(({ sum }) => slice <= 0 ?
				[0, 0] : [sum, sum]);
		const mark = this.marks === null ? this.begin() :
			this.marks[Math.floor(slice / STRIDE)];
		const state = { ...mark, quanta: mark.quanta.slice() };
		this.read(bits, state, slice);
		let i = 0;
		return this.sums.map(({ used, sum, quantum }) => {
			if (!used)
				return [0, 0];
			const quanta = state.quanta[i++];
			return [Math.max(0, (quanta - this.back) * quantum),
				Math.min(sum, (quanta + this.back + 1) *
					quantum - 1)];
		});
	}
}

export class Slices {
	constructor(trace, text) {
		const digits = new Digits(text);
		this.from = digits.next();
		const most = digits.next();	// slices of a row
		this.width = digits.next();
		this.late = digits.next();
		this.limit = trace.limit;
		const fields = [["calls", "", 1], ["recursive", "", 1]];
		for (const clock of trace.clocks)
			for (const what of ["inclusive", "exclusive"])
				fields.push([what, clock, trace.scale]);
		this.rows = [];
		let at = 0;
		for (let count = digits.next(); count > 0; count--) {
			const row = new SliceRow(digits, most, fields,
				at);
			this.rows.push(row);
			at = row.end;
		}
		this.bits = new Bits(text, digits.at);
	}

	// Adds a row to the bounds of a method: inner is what is in the range
	// for sure, outer what may be. Slices have the calls that end there,
	// also those that began before the range, and the times that passed,
	// unless they are late. A call that is not recursive and goes on after
	// the range is the only one of its thread.
	addRow(one, row, { inner, outer, threads }) {
		const width = this.width * row.wide, { bits, late } = this;
		const place = (time) => (time - this.from) / width;
		const from = Math.floor(place(outer.from));
		const to = Math.ceil(place(outer.to));
		const last = Math.ceil(place(outer.to + this.limit));
		if (last <= 0 && last < row.count)
			return;
		const find = (slice, or, known) => slice === or ? known :
			row.before(bits, slice);
		const first = Math.ceil(place(inner.from));
		const starts = row.before(bits, first);
		const lates = find(Math.ceil(place(inner.from + late)), first,
			starts);
		const ends = row.before(bits,
			Math.max(0, Math.floor(place(inner.to))));
		const few = row.before(bits, from), many = row.before(bits, to);
		const lately = find(Math.ceil(place(outer.to + late)), to,
			many);
		const open = find(last, to, many);
		const all = inner.from === -Infinity && inner.to === Infinity;
		row.sums.forEach(({ field: [what, clock, unit], used, below },
			i) => {
			if (!used)
				return;
			const counts = clock === "";
			const least = Math.max(0, ends[i][0] -
				(counts ? starts : lates)[i][1]);
			const most = counts ? Math.min(open[i][1], what ===
				"calls" ? many[i][1] + threads : Infinity) :
				lately[i][1];
			add(one.least, what, clock, (least - below) * unit);
			add(one.most, what, clock, (most - few[i][0] -
				(all ? below : 0)) * unit);
		});
		one.partial ||= row.partial > 0 && last >= row.partial;
	}

	// The same of all rows.
	*bound(bounds, ranges) {
		for (const row of this.rows) {
			if (row.marks === null && row.count > STRIDE &&
				ranges.outer.from !== -Infinity)
				yield* row.mark(this.bits);
			let one = bounds.get(row.method);
			if (one === undefined) {
				one = { least: emptySums(), most: emptySums(),
					partial: false };
				bounds.set(row.method, one);
			}
			this.addRow(one, row, ranges);
			yield 1;
		}
	}
}

function add(sums, what, clock, number) {
	if (clock === "")
		sums[what] += number;
	else
		sums[what][clock] += number;
}

function emptySums() {
	return { calls: 0, recursive: 0, inclusive: { wall: 0, cpu: 0 },
		exclusive: { wall: 0, cpu: 0 } };
}

// The wall times between which a range of the CPU time of a thread is for sure,
// and at most.
function wallRanges(trace, index, range) {
	const { wall, cpu, count } = trace.steps(index);
	const { first, last } = trace.threads[index];
	// The first event at a time or after it is between a step and the next
	// one, and after a mark, but not after the part of the next one.
	const marks = trace.marksOf(index), { width } = trace.marks;
	const bounds = (time) => {
		const step = firstAbove(cpu, time - 1);
		const mark = firstAbove(marks.cpu, time - 1);
		return {
			least: Math.max(step > 0 ? wall[step - 1] : first[1],
				mark > 0 ? marks.from[mark - 1] : -Infinity),
			most: Math.min(step < count ? wall[step] : last[1] + 1,
				mark < marks.cpu.length ? marks.from[mark] +
					width : Infinity),
		};
	};
	const from = bounds(range.from), to = bounds(range.to);
	return {
		inner: { from: Math.min(from.most, last[1]), to: to.least },
		outer: { from: from.least, to: to.most },
	};
}

// Returns between which CPU times a thread was at a wall time that is between a
// step and the one before it.
export function boundCpu(trace, index, next, time) {
	const { cpu, count } = trace.steps(index);
	const { first, last } = trace.threads[index];
	if (cpu === null)
		return { least: 0, most: 0 };
	const marks = trace.marksOf(index), { width } = trace.marks;
	const before = firstAbove(marks.from, time - width) - 1;
	const after = firstAbove(marks.from, time - 1);
	return {
		least: Math.max(next > 0 ? cpu[next - 1] : first[0],
			before >= 0 ? marks.cpu[before] : -Infinity),
		most: Math.min(next < count ? cpu[next] : last[0],
			after < marks.cpu.length ? marks.cpu[after] : Infinity),
	};
}

const ALWAYS = { from: -Infinity, to: Infinity };
const NEVER = { from: Infinity, to: -Infinity };

// Returns what was left out of a thread, or of all (-1), in a range, by method:
// least and most.
export function* boundLeft(trace, thread, clock, range) {
	const bounds = new Map();
	const span = trace.span(clock);
	let rangesOf = () => ({ inner: ALWAYS, outer: ALWAYS });
	if (!trace.hasSlices(thread) || (range !== null &&
		clock !== trace.thinned && !trace.threadSlices))
		rangesOf = () => ({ inner: NEVER, outer: ALWAYS });
	else if (range !== null && clock === trace.thinned)
		rangesOf = () => ({ inner: {
			from: range.from <= span.from ? -Infinity : range.from,
			to: range.to >= span.to ? Infinity : range.to,
		}, outer: range });
	else if (range !== null)
		rangesOf = (index) => wallRanges(trace, index, range);
	const together = thread < 0 || !trace.threadSlices ?
		trace.slicesOf(-1) : null;
	if (together !== null && (range === null || !trace.threadSlices ||
		clock === trace.thinned)) {
		yield* together.bound(bounds, { ...rangesOf(-1),
			threads: trace.threads.length });
		return bounds;
	}
	for (const { index } of trace.threads)
		if (thread < 0 || thread === index)
			yield* trace.slicesOf(index).bound(bounds, {
				...rangesOf(index), threads: 1 });
	return bounds;
}
