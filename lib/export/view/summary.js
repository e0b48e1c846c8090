// summary.js - the line below the head of the page: what a trace has

import { element, formatCount, formatDuration, formatPlural, formatTime, NAMES }
	from "./format.js";

const ofClock = (clock) => NAMES[clock].replace("Wall", "wall");

// Returns what it says of a trace.
export function summaryOfTrace({ trace, span, clock, hasEntries }) {
	const parts = [`${formatDuration(span.length)} of ${ofClock(clock)}`,
		formatPlural(trace.events, "event"),
		formatPlural(trace.calls, "call"),
		formatPlural(trace.threads.length, "thread") +
			(trace.silent > 0 ? `, and ${formatCount(
				trace.silent)} without ${
				trace.selection.length > 0 ? "selected " : ""
			}events` : "")];
	const origin = trace.origin_s[clock];
	if (origin > 0)
		parts.push(`times are counted from ${formatCount(origin)} s`);
	if (hasEntries)
		parts.push(formatPlural(trace.entries.time.length, "log entry",
			"log entries"));
	const strong = (text) => element("strong", {}, text);
	return [parts.join(" · "), ...warning(trace),
		trace.thinned === undefined ? "" : strong(` · ${formatPlural(
			trace.summed, "call")} below ${formatTime(
			trace.limit)} not shown one by one, but counted`),
		!(trace.folded > 0) ? "" : strong(`; ${trace.folded >
			trace.span(trace.thinned).length ? "their paths" :
			`paths below ${formatDuration(trace.folded)}${
				trace.threads.length > 1 ? " of a thread" : ""}`
		} are in (other) of their caller`)];
}

// The same of a report, which has no timeline and no calls.
export function summaryOfReport({ trace, sums: { tree } }) {
	const { report } = trace;
	const parts = trace.clocks.map((clock) => `${formatDuration(
		tree.inclusiveTime(0, clock))} of ${ofClock(clock)}`);
	parts.push(formatPlural(trace.events, "event"),
		formatPlural(report.threads, "thread"),
		formatPlural(report.traces, "trace"));
	return [parts.join(" · "), ...warning(trace), trace.note === undefined ?
		"" : element("div", {}, element("strong", {}, trace.note))];
}

function warning({ bounds }) {
	return !bounds ? [] :
		[element("strong", {}, " · The buffer was full: " +
		"calls and times are lower bounds.")];
}
