// frame.js - the elements of the page that are around timeline and panels

import { button, choice } from "./controls.js";
import { element, NAMES, shorten } from "./format.js";
import { keysDialog } from "./keys.js";
import { summaryOfReport, summaryOfTrace } from "./summary.js";

export class Frame {
	constructor(app) {
		this.app = app;
		this.traces = choice(app, "Trace", () =>
			app.setTrace(Number(this.traces.value)),
		app.traceNames.map((name, i) => element("option", { value: i },
			shorten(name, 100))));
		this.name = element("h1");
		this.clock = choice(app, "Clock", () =>
			app.setClock(this.clock.value));
		this.summary = element("p", { class: "summary" });
		this.empty = element("p", { class: "empty", hidden: true },
			"This trace has no events, or none was selected: " +
			"there is nothing to show.");
		this.keys = keysDialog();
		// What changes is read out by a screen reader.
		this.live = element("div", { class: "hidden", role: "status",
			"aria-live": "polite" });
		const { timeline, divider, panels } = app;
		this.header = element("header", {}, app.traces.length > 1 ?
			this.traces : this.name, this.clock, app.search.root,
		button("Theme", "Theme: light or dark",
			() => app.turnTheme()),
		button("Keys", "Keys (?)", () => this.keys.showModal(), "?"));
		this.main = element("main", {}, element("div",
			{ class: "panes" }, this.summary, element("p",
				{ id: "keys", class: "hidden" },
				"Arrows go from call to call, Enter zooms to " +
				"it; w and s zoom, a and d move, question " +
				"mark lists all keys."),
			this.empty, timeline.root, divider.root, panels.root),
		app.detail.root);
	}

	putInto(place) {
		const { menu, panels } = this.app;
		place.replaceChildren(this.header, this.main, this.keys,
			menu.root, panels.flame.tip, this.live);
	}

	// Of a page without traces only the head is left.
	showNoTrace() {
		const { timeline, divider, panels, detail } = this.app;
		this.empty.hidden = false;
		this.empty.textContent = "There is no trace on this page.";
		for (const one of [timeline, divider, panels, detail])
			one.root.hidden = true;
	}

	setTrace(at) {
		const { trace, traceNames } = this.app;
		const file = shorten(traceNames[at], 200);
		this.traces.value = String(at);
		this.name.textContent = file;
		this.name.title = shorten(trace.name, 2000);
		document.title = `${file} - dmtrace`;
		this.clock.replaceChildren(...trace.clocks.map((clock) =>
			element("option", { value: clock }, NAMES[clock])));
		this.clock.disabled = trace.clocks.length < 2;
		// A report has no timeline and no calls.
		const { timeline, divider, detail, panels } = this.app;
		const isReport = trace.report !== undefined;
		const isEmpty = !isReport && trace.events === 0;
		this.empty.hidden = !isEmpty;
		panels.root.hidden = isEmpty;
		for (const one of [timeline, divider, detail])
			one.root.hidden = isReport || isEmpty;
	}

	showSummary() {
		const { app } = this;
		this.summary.replaceChildren(...app.trace.report === undefined ?
			summaryOfTrace(app) : summaryOfReport(app));
	}
}
