// histogram.js - how long the calls of a method took: a bar for each power of
// two

import { element, formatDuration, formatPlural } from "./format.js";

// Returns the counts of durations: [number of bits of the nanoseconds, count].
export function countDurations(durations) {
	const counts = new Map();
	for (const ns of durations) {
		const bits = ns < 1 ? 0 : Math.floor(Math.log2(ns)) + 1;
		counts.set(bits, (counts.get(bits) ?? 0) + 1);
	}
	return [...counts].sort(([a], [b]) => a - b);
}

// Returns the bars; what says of which calls they are.
export function histogramElement(counts, what) {
	if (counts.length === 0)
		return "";
	const most = Math.max(...counts.map(([, count]) => count));
	const from = (bits) => bits === 0 ? 0 : 2 ** (bits - 1);
	const [first, last] = [counts[0][0], counts[counts.length - 1][0]];
	const byBits = new Map(counts), bars = [];
	for (let bits = first; bits <= last; bits++) {
		const count = byBits.get(bits) ?? 0;
		bars.push(element("div", { title: `${formatDuration(from(bits))
		} to ${formatDuration(from(bits + 1))}: ${formatPlural(count,
			"call")}`, style: `height:${count === 0 ? 0 :
			Math.max(3, 100 * count / most)}%` }));
	}
	const text = `Durations${what} from ${formatDuration(from(first))} to ${
		formatDuration(from(last + 1))}; most often ${formatDuration(
		from(counts.find(([, count]) => count === most)[0]))} or more`;
	return element("figure", { class: "histogram" },
		element("div", { class: "bars-of", role: "img",
			"aria-label": text }, ...bars),
		element("figcaption", {}, text));
}
