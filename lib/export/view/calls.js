// calls.js - the calls of a method, longest first

import { durationElement, element, formatPlural, formatTime, shorten }
	from "./format.js";

const CALLS_SHOWN = 100;

export class CallList {
	constructor(app) {
		this.app = app;
		this.shown = CALLS_SHOWN;
		this.status = element("output", { class: "status" });
		this.place = element("div", { class: "scrolls" });
		this.root = element("div", {}, element("div", { class: "tools" },
			this.status), this.place);
	}

	// Collects the calls in the range, of the selected threads.
	collect(method) {
		const { app } = this, { range } = app;
		const calls = [];
		for (const thread of app.trace.threads) {
			if (app.thread >= 0 && thread.index !== app.thread)
				continue;
			const lane = app.lane(thread.index);
			lane.levels.forEach((level, depth) => {
				level.method.forEach((one, at) => {
					const start = level.start[at];
					const end = level.end[at];
					if (one === method && (range === null ||
						(start < range.to &&
						end >= range.from)))
						calls.push({ thread: thread.index,
							depth, at,
							took: end - start, start });
				});
			});
		}
		return calls.sort((a, b) => b.took - a.took ||
			a.start - b.start);
	}

	draw() {
		const { app } = this;
		if (app.method < 0) {
			this.status.value = "Choose a method in the profile, " +
				"or a call in the timeline.";
			this.place.replaceChildren();
			return;
		}
		const calls = this.collect(app.method);
		this.status.value = `${shorten(app.nameOf(app.method), 160)}: ${
			formatPlural(calls.length, "call")}`;
		const body = element("tbody");
		for (const call of calls.slice(0, this.shown)) {
			const { thread, start, inclusive, exclusive } =
				app.lane(call.thread).describe(call);
			const time = (times) => element("td", {},
				durationElement(times[app.clock]));
			body.append(element("tr", {}, element("th",
				{ scope: "row" }, element("button", {
					type: "button", onclick: () => {
						app.goTo(call);
						app.zoomToCall(call);
						app.timeline.root.scrollIntoView();
					},
				}, `at ${formatTime(start, 1000)}`)),
			time(inclusive), time(exclusive), element("td",
				{ class: "text" }, shorten(thread.label, 60),
				` ${thread.number}`),
			element("td", {}, String(call.depth + 1))));
		}
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
					this.draw();
				},
			}, "Show more"));
	}
}
