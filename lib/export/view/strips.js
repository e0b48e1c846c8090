// strips.js - what threads did over time, at a glance
//
// A strip has a bar for each bin of time: as high as the share of the CPU, in
// the color of the package that used most of it, before a light ground where
// calls were open, which waited. It was computed from all events when the page
// was made.

import { formatDuration, formatTime } from "./format.js";

const LEVELS = 20;			// of a share of the CPU

export const WITHOUT_STRIPS = "By CPU time; what threads did over wall time " +
	"is shown with that clock";

// Returns the strip of several: sums of shares, and the method of the highest.
export function sumStrips(strips) {
	const bins = strips[0]?.level.length ?? 0;
	const sum = { level: new Float64Array(bins), open: new Uint8Array(bins),
		method: new Uint32Array(bins) };
	const most = new Uint8Array(bins);
	for (const { level, open, method } of strips)
		for (let i = 0; i < bins; i++) {
			sum.level[i] += level[i];
			sum.open[i] |= open[i];
			if (level[i] > most[i]) {
				most[i] = level[i];
				sum.method[i] = method[i];
			}
		}
	return sum;
}

// Draws a strip; x returns the place of a time, and most is the level that is
// as high as the strip.
export function drawStrip(context, strip, { from, width }, x, box, most, css,
	light) {
	const { y, height } = box;
	for (let i = 0; i < strip.level.length;) {
		const { level, open, method } = strip;
		let next = i + 1;
		while (next < level.length && level[next] === level[i] &&
			open[next] === open[i] && method[next] === method[i])
			next++;
		const left = x(from + i * width);
		const size = x(from + next * width) - left;
		if (left + size > 0 && left < box.width) {
			if (open[i]) {
				context.fillStyle = light;
				context.fillRect(left, y + height * 0.35, size,
					height * 0.65);
			}
			if (level[i] > 0) {
				const high = Math.max(2, Math.min(1,
					level[i] / most) * height);
				context.fillStyle = css === null ?
					strip.color : css[method[i]];
				context.fillRect(left, y + height - high,
					Math.max(1, size), high);
			}
		}
		i = next;
	}
}

// Describes the bin of a time, or returns null.
export function describeStrip(strip, trace, time) {
	const { from, width } = trace.strips;
	const bin = Math.floor((time - from) / width);
	const level = strip.level[bin];
	if (level === undefined)
		return null;
	const { package: name, label } = trace.methods[strip.method[bin]] ?? {};
	return `${level * 100 / LEVELS} % of a CPU${level > 0 ? `, mostly ${
		name || label}` : strip.open[bin] ?
		", waiting" : ""}, from ${formatTime(from + bin * width,
		width / 10)} for ${formatDuration(width)}`;
}
