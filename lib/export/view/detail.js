// detail.js - what is selected: a call or an entry of a log, described beside
// the timeline or, in a small window, over the lower part of the page

import { button } from "./controls.js";
import { element, formatCount, formatDuration, formatPlural, formatTime, NAMES,
	shorten } from "./format.js";
import { makeLegend } from "./legend.js";

// Returns what tips and the details say of a call.
export function describeCall(app, call) {
	const { trace, aboutCall: about } = app;
	const lane = app.lane(call.thread), what = lane.describe(call);
	const before = lane.before(call);
	const { label, parameters, place } = what.method;
	const left = what.left === 0 ? "" : `, ${what.left === what.children ?
		"all" : formatCount(what.left)} of them below ${
		formatTime(trace.limit)}`;
	return [element("div", {}, element("strong", {}, shorten(label)),
		element("span", { class: "note" }, shorten(parameters))),
	element("div", { class: "note" }, shorten(place, 120)),
	element("div", {}, `${shorten(what.thread.label, 80)} ${
		what.thread.number}, depth ${what.depth + 1}${before === 0 ?
		"" : ` with ${formatPlural(before, "call")} from before the ` +
			"trace"}, at ${
		formatTime(what.start, 1000)}, ${about}${formatPlural(
		what.children, "callee")}${left}`),
	...trace.clocks.map((clock) => element("div", {}, `${NAMES[clock]}: ${
		formatDuration(what.inclusive[clock])} inclusive, ${about}${
		formatDuration(what.exclusive[clock])} exclusive`))];
}

export function threadOfEntry({ trace }, entry) {
	const number = trace.entries.number[entry];
	const thread = trace.threads.find((one) => one.number === number);
	return thread === undefined ? `thread ${number}` :
		`${shorten(thread.label, 60)} ${number}`;
}

// The same of an entry.
export function describeEntry(app, entry) {
	const { entries, start_us: start } = app.trace;
	const time = entries.time[entry];
	const us = start + Math.floor(time / 1000);
	const date = new Date(Math.floor(us / 1000)).toISOString();
	return [element("strong", {}, shorten(entries.name[entry])),
		element("div", {}, `${threadOfEntry(app, entry)}, at ${
			formatTime(time, 1000)}`),
		element("div", { class: "note" }, date.replace("Z",
			`${String(us % 1000).padStart(3, "0")}Z`)),
		element("div", {}, shorten(entries.detail[entry], 1000))];
}

export class Detail {
	constructor(app) {
		this.app = app;
		this.about = element("div", { class: "about" });
		this.legend = element("div");
		this.root = element("aside", { class: "selected",
			"aria-label": "Selected call, and packages" },
		this.about, this.legend);
	}

	showNothing() {
		this.root.classList.add("none");
		this.about.replaceChildren(element("p", { class: "note" },
			"A click on a call, or an arrow key, selects it: its " +
			"times are shown here."));
	}

	showCall(call) {
		const { app } = this, { method, thread, depth, inclusive,
			exclusive } = app.lane(call.thread).describe(call);
		const act = (text, choice) => button(text, null, choice);
		this.show(describeCall(app, call), [
			act("Zoom to it", () => app.zoomToCall(call)),
			act("Select its range", () => app.rangeOfCall()),
			act("Show in profile", () => {
				app.includeThread(call.thread);
				app.panels.profile.goTo(method.index);
			}),
			act("All calls", () => {
				app.includeThread(call.thread);
				app.showCalls(method.index);
			})]);
		app.announce(`${shorten(method.label)}, ${formatDuration(
			inclusive[app.clock])}, exclusive ${app.aboutCall}${
			formatDuration(exclusive[app.clock])}, depth ${
			depth + 1}, ${shorten(thread.label, 60)}`);
	}

	showEntry(entry) {
		const { app } = this, { name, time, detail } =
			app.trace.entries;
		this.show(describeEntry(app, entry), [button("Show in the log",
			null, () => app.setTab("log"))]);
		app.announce(`${shorten(name[entry])}, ${threadOfEntry(app,
			entry)}, at ${formatTime(time[entry], 1000)}: ${
			shorten(detail[entry])}`);
	}

	show(parts, buttons) {
		this.root.classList.remove("none");
		const close =
			button("Close", null, () => this.app.select(null));
		close.className = "close";
		this.about.replaceChildren(element("div", {}, ...parts),
			element("div", { class: "tools" }, ...buttons, close));
	}

	// Shows the packages of the sums, if they have changed.
	*showLegend() {
		const { app } = this, { sums: { work }, measure, palette } =
			app;
		const of = [work, measure, palette];
		if (app.trace.report !== undefined ||
			of.every((one, i) => one === this.legendOf?.[i]))
			return;
		this.legend.replaceChildren(yield* makeLegend(app));
		this.legendOf = of;
	}
}
