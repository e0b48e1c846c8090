// lanes.js - the calls of a thread by depth, and bars of them
//
// Calls of the same depth do not overlap, so their starts and ends rise, and
// the calls that can be seen are found by bisection. A row of bars is painted
// pixel by pixel. If calls are shorter than a pixel, it has the color of the
// first one, and the others that end in it are skipped by steps that double.
// The time for a row therefore depends on its width, not on the number of
// calls. Where calls were left out, between two steps, is a level of its own.

import { STRAY } from "./data.js";
import { transformWords } from "./transforms.js";
import { PIECE } from "./work.js";

// Returns the first position from i on whose value is above the limit.
export function firstAbove(values, limit, i = 0) {
	const count = values.length;
	let step = 1;
	while (i < count && values[i] <= limit) {
		const next = i + step;
		if (next >= count || values[next] > limit) {
			let low = i + 1, high = Math.min(next, count);
			while (low < high) {
				const middle = low + high >>> 1;
				if (values[middle] <= limit)
					low = middle + 1;
				else
					high = middle;
			}
			return low;
		}
		i = next;
		step *= 2;
	}
	return i;
}

// Makes the lane of a thread, in pieces.
export function* makeLane(trace, index, clock, transforms) {
	const steps = { ...yield* trace.decodeSteps(index) };
	if (transforms.length > 0)
		steps.word = yield* transformWords(trace, steps.word,
			transforms);
	const lane = new Lane(trace, index, steps);
	yield* lane.countCalls();
	yield* lane.placeCalls(clock);
	return lane;
}

class Lane {
	constructor(trace, index, steps) {
		this.trace = trace;
		this.index = index;
		this.thread = trace.threads[index];
		this.steps = steps;
	}

	// Makes levels, and gaps where calls were left out, that are empty.
	*countCalls() {
		const { steps, thread } = this;
		const counts = new Uint32Array(thread.depth + 2);
		const gapCounts = new Uint32Array(thread.depth + 2);
		let depth = 0;
		for (let i = 0; i < steps.count; i++) {
			if (i % PIECE === PIECE - 1)
				yield i / steps.count;
			if (steps.left !== null && steps.left.calls[i] > 0)
				gapCounts[depth]++;
			if (steps.word[i] === 0)
				depth--;
			else if (steps.word[i] !== STRAY)
				counts[depth++]++;
		}
		gapCounts[0] += thread.left?.[0] > 0;
		this.levels = [];
		for (let i = 0; i < counts.length && counts[i] > 0; i++)
			this.levels.push({
				start: new Float64Array(counts[i]),
				end: new Float64Array(counts[i]),
				step: new Uint32Array(counts[i]),
				method: new Uint32Array(counts[i]),
				exit: new Uint32Array(counts[i]),
			});
		// By depth; method is 0 for a color.
		this.gaps = Array.from(gapCounts, (count) => ({
			start: new Float64Array(count),
			end: new Float64Array(count),
			step: new Uint32Array(count),
			method: new Uint32Array(count),
		}));
	}

	*placeCalls(clock) {
		const { trace, steps, thread } = this, times = steps[clock];
		const counts = new Uint32Array(thread.depth + 2);
		const gapCounts = new Uint32Array(thread.depth + 2);
		let depth = 0;
		let latest = thread.first[clock === "cpu" ? 0 : 1];
		const addGap = (start, i) => {
			const gaps = this.gaps[depth], at = gapCounts[depth]++;
			gaps.start[at] = start;
			gaps.end[at] = latest;
			gaps.step[at] = i;
		};
		for (let i = 0; i < steps.count; i++) {
			if (i % PIECE === PIECE - 1)
				yield i / steps.count;
			const before = latest;
			if (times[i] > latest)
				latest = times[i];
			if (steps.left !== null && steps.left.calls[i] > 0)
				addGap(before, i);
			if (steps.word[i] === STRAY)
				continue;
			if (steps.word[i] !== 0) {
				const level = this.levels[depth];
				const at = counts[depth++];
				level.start[at] = latest;
				level.step[at] = i;
				level.method[at] =
					trace.same[steps.word[i] - 1];
			} else {
				const level = this.levels[--depth];
				const at = counts[depth]++;
				level.end[at] = latest;
				level.exit[at] = i;
			}
		}
		if (thread.left?.[0] > 0) {
			const before = latest;
			latest = Math.max(latest,
				thread.last[clock === "cpu" ? 0 : 1]);
			addGap(before, steps.count);
		}
	}

	// Returns how many rows it has: levels of calls, and of what was left
	// out below them.
	get rows() {
		return this.levels.length + (this.gaps[this.levels.length]
			?.start.length > 0);
	}

	// Returns the number and times of calls that were left out before a
	// step.
	leftBefore(step) {
		const { steps: { left, count }, thread } = this;
		return step === count ? { calls: thread.left[0],
			wall: thread.left[2], cpu: thread.left[1] } :
			{ calls: left.calls[step], wall: left.wall[step],
				cpu: left.cpu[step] };
	}

	// Returns where calls were left out, at a depth and a time, or null.
	findGap(depth, time) {
		const gaps = this.gaps[depth];
		if (gaps === undefined)
			return null;
		const at = firstAbove(gaps.end, time);
		return at === gaps.start.length || gaps.start[at] > time ?
			null :
			{ start: gaps.start[at], end: gaps.end[at],
				...this.leftBefore(gaps.step[at]) };
	}

	// Returns the methods of the calls that are open from one time to
	// another, the outermost first.
	spanning(from, to) {
		const found = [];
		for (const { start, end, method } of this.levels) {
			const at = firstAbove(end, from);
			if (at === end.length || start[at] > from ||
				end[at] < to)
				break;
			found.push(method[at]);
		}
		return found;
	}

	// Returns the call at a depth and a time; pixel is the time of a pixel.
	find(depth, time, pixel) {
		const level = this.levels[depth];
		if (level === undefined)
			return null;
		const at = firstAbove(level.end, time - pixel);
		if (at === level.start.length || level.start[at] > time + pixel)
			return null;
		return { thread: this.index, depth, at };
	}

	// Describes a call.
	describe({ depth, at }) {
		const level = this.levels[depth];
		const below = this.levels[depth + 1];
		const [enter, exit] = [level.step[at], level.exit[at]];
		const passed = (clock, from, to) => this.steps[clock] === null ?
			0 : this.steps[clock][to] - this.steps[clock][from];
		const took = (clock) => passed(clock, enter, exit);
		const inclusive = { wall: took("wall"), cpu: took("cpu") };
		const exclusive = { ...inclusive };
		let children = 0;
		if (below !== undefined)
			for (let i = firstAbove(below.step, enter);
				i < below.step.length && below.step[i] < exit;
				i++) {
				children++;
				for (const clock of this.trace.clocks)
					exclusive[clock] -= passed(clock,
						below.step[i], below.exit[i]);
			}
		const gaps = this.gaps[depth + 1];
		let left = 0;
		for (let i = firstAbove(gaps.step, enter);
			i < gaps.step.length && gaps.step[i] <= exit; i++) {
			const one = this.leftBefore(gaps.step[i]);
			left += one.calls;
			for (const clock of this.trace.clocks)
				exclusive[clock] -= one[clock];
		}
		// A window ended it after the last event of its thread.
		const known = (times, lacks) =>
			lacks ? { ...times, cpu: NaN } : times;
		return {
			method: this.trace.methods[level.method[at]],
			thread: this.thread, depth, left, children: children +
				left,
			start: level.start[at], end: level.end[at],
			inclusive: known(inclusive, exit >= this.steps.known),
			exclusive: known(exclusive, exit === this.steps.known),
		};
	}

	// Returns how many calls began before the trace, of a call and those
	// around it.
	before(call) {
		let count = 0;
		for (let one = call; one !== null; one = this.caller(one))
			count += this.levels[one.depth].step[one.at] <
				this.thread.before;
		return count;
	}

	caller({ depth, at }) {
		if (depth === 0)
			return null;
		const step = this.levels[depth].step[at];
		return { thread: this.index, depth: depth - 1, at:
			firstAbove(this.levels[depth - 1].step, step) - 1 };
	}

	callee({ depth, at }) {
		const level = this.levels[depth];
		const below = this.levels[depth + 1];
		if (below === undefined)
			return null;
		const first = firstAbove(below.step, level.step[at]);
		return first < below.step.length &&
			below.step[first] < level.exit[at] ?
			{ thread: this.index, depth: depth + 1, at: first } :
			null;
	}

	beside({ depth, at }, by) {
		return at + by < 0 || at + by >=
			this.levels[depth].step.length ?
			null : { thread: this.index, depth, at: at + by };
	}
}

// Returns the calls of a level whose methods are wanted.
export function selectCalls(level, wanted) {
	let count = 0;
	for (let i = 0; i < level.method.length; i++)
		count += wanted[level.method[i]];
	const some = {
		start: new Float64Array(count),
		end: new Float64Array(count),
		method: new Uint32Array(count),
		step: new Uint32Array(count),
	};
	for (let i = 0, at = 0; at < count; i++)
		if (wanted[level.method[i]] !== 0) {
			some.start[at] = level.start[i];
			some.end[at] = level.end[i];
			some.method[at] = level.method[i];
			some.step[at++] = level.step[i];
		}
	return some;
}

// Paints a level into a row of pixels, from a time on; pixel is the time of
// one. Calls label(first pixel, end, position) for bars that are wide enough
// for text.
export function paintBars(row, level, from, pixel, colors, gap, room, label) {
	const { start, end, method } = level;
	const width = row.length, count = start.length;
	const until = from + width * pixel;
	let i = firstAbove(end, from), painted = 0;
	if (i > 0 && end[i - 1] === from && start[i - 1] === from)
		i--;
	while (i < count && start[i] < until) {
		const x = Math.max(Math.floor((start[i] - from) / pixel),
			painted);
		let stop = Math.min(Math.floor((end[i] - from) / pixel), width);
		if (stop <= x)
			stop = x + 1;
		if (x >= width)
			break;
		row.fill(colors[method[i]], x, stop - x > 2 * gap ?
			stop - gap : stop);
		if (label !== null && stop - x >= room)
			label(x, stop, i);
		painted = stop;
		i = firstAbove(end, Math.max(from + stop * pixel, end[i]),
			i + 1);
	}
}
