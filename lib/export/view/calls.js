// calls.js - the calls of a method, longest first

import { countDurations, histogramElement } from "./histogram.js";
import { durationElement, element, formatCount, formatPlural, formatTime,
	shorten } from "./format.js";
import { ThreadWindow } from "./tree.js";
import { PIECE, sortInPieces } from "./work.js";

const CALLS_SHOWN = 100;

export class CallList {
	constructor(app) {
		this.app = app;
		this.shown = CALLS_SHOWN;
		this.status = element("output", { class: "status" });
		this.histogram = element("div");
		this.place = element("div", { class: "scrolls" });
		this.root =
			element("div", {}, element("div", { class: "tools" },
			this.status), this.histogram, this.place);
	}

	// Collects the calls in the range, of the selected threads.
	*prepare() {
		const { app } = this, { method, range } = app;
		const calls = [];
		for (const { index } of method < 0 ? [] : app.trace.threads) {
			if (app.thread >= 0 && index !== app.thread)
				continue;
			yield index / app.trace.threads.length;
			const { levels } = yield* app.makeLane(index);
			const window = range === null ? null :
				new ThreadWindow(app.trace, index, app.clock,
					range, app.span.to);
			for (let depth = 0; depth < levels.length; depth++) {
				const level = levels[depth];
				for (let at = level.method.indexOf(method);
					at >= 0; at = level.method.indexOf(
						method, at + 1)) {
					const start = level.start[at];
					const took = level.end[at] - start;
					if (window === null || window.hasCall(
						level.step[at], level.exit[at]))
						calls.push({ thread: index,
							depth, at, start, took });
					if (calls.length % PIECE === 0)
						yield 1;
				}
			}
		}
		this.calls = yield* sortInPieces(calls, (a, b) =>
			b.took - a.took || a.start - b.start);
		// Their number is in the sums, if some are not shown.
		if (method >= 0 && app.trace.thinned !== undefined) {
			yield* app.trace.decodeDurations();
			yield* (yield* app.sums.make()).sumMethods();
		}
	}

	// Whether durations of calls are known that the timeline does not show:
	// by the other clock, and through transforms, they are not.
	get knowsOthers() {
		const { trace, clock, transforms } = this.app;
		return trace.thinned === clock && transforms.length === 0;
	}

	// Says how many calls there are. On a page that was thinned, the list
	// has the slowest.
	countText(listed) {
		const { app } = this;
		if (app.trace.thinned === undefined)
			return formatPlural(listed, "call");
		const row = app.sums.tree.profile().rows.find(({ method }) =>
			method === app.method);
		const calls = row === undefined ? 0 : row.calls + row.recursive;
		const most = row === undefined ? 0 : row.most("calls") +
			row.most("recursive");
		return `${app.about}${
			most > calls ? `${formatCount(calls)} to ` : ""}${
			formatPlural(most, "call")}; those of ${
			formatTime(app.trace.limit)} or more${
			this.knowsOthers ? " and the slowest others" : ""}`;
	}

	// Returns the slowest calls that the timeline does not show.
	slowest() {
		const { app } = this, { range, trace } = app;
		return !this.knowsOthers ? [] :
			trace.durationsOf(app.method).slowest.filter((one) =>
				(app.thread < 0 || one.thread === app.thread) &&
				(range === null || (one.start < range.to &&
				one.start + one.took >= range.from)));
	}

	// Makes the row of a call that the timeline does not show.
	slowRow({ thread, start, took }) {
		const { app } = this, { label, number } =
			app.trace.threads[thread];
		return element("tr", {}, element("th", { scope: "row" },
			element("button", { type: "button", onclick: () => {
				app.setView({ from: start - took, to: start +
					2 * took });
				app.timeline.root.scrollIntoView();
			} }, `at ${formatTime(start, 1000)}`)),
				element("td", {},
			durationElement(took)), element("td", {}),
		element("td", { class: "text" }, shorten(label, 60),
			` ${number}`), element("td", {}));
	}

	render() {
		const { app, calls } = this;
		if (app.method < 0) {
			this.status.value = "Choose a method in the profile, " +
				"or a call in the timeline.";
			this.histogram.replaceChildren();
			this.place.replaceChildren();
			return;
		}
		this.status.value = `${shorten(app.textOf(app.method), 160)}: ${
			this.countText(calls.length)}`;
		this.histogram.replaceChildren(this.knowsOthers ?
			histogramElement(app.trace.durationsOf(app.method)
				.counts, " in the whole trace") :
			histogramElement(countDurations(calls.map(({ took }) =>
				took)), app.trace.thinned === undefined ? "" :
				" of the calls in the list"));
		const body = element("tbody"), { timeline } = app;
		for (const call of calls.slice(0, this.shown)) {
			const { thread, start, inclusive, exclusive } =
				app.lane(call.thread).describe(call);
			const time = (times, about) => element("td", {}, about,
				durationElement(times[app.clock]));
			body.append(element("tr", {}, element("th",
				{ scope: "row" }, element("button", {
					type: "button", onclick: () => {
						app.goTo(call);
						app.zoomToCall(call);
						timeline.root.scrollIntoView();
					},
				}, `at ${formatTime(start, 1000)}`)),
			time(inclusive, ""), time(exclusive, app.aboutCall),
			element("td", { class: "text" }, shorten(thread.label,
				60), ` ${thread.number}`),
			element("td", {}, String(call.depth + 1))));
		}
		if (calls.length <= this.shown)
			body.append(...this.slowest().map((one) =>
				this.slowRow(one)));
		const head = (text, name = null) => element("th",
			{ scope: "col", class: name }, text);
		this.place.replaceChildren(element("table", { class: "calls" },
			element("caption", { class: "hidden" },
				"Calls of the method"),
			element("thead", {}, element("tr", {}, head("Start"),
				head("Inclusive"), head("Exclusive"),
				head("Thread", "text"), head("Depth"))), body));
		if (calls.length > this.shown)
			this.place.append(element("button", {
				type: "button", class: "more", onclick: () => {
					this.shown += 10 * CALLS_SHOWN;
					app.panels.draw();
				},
			}, "Show more"));
	}
}
