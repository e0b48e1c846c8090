// panels.js - the panels below the timeline: their tabs, the choices of what
// they show, and when they are drawn
//
// A panel is drawn after the timeline, which users wait for: first it prepares
// what it shows, in slices, then its elements are made.

import { CallList } from "./calls.js";
import { CallTreeTable } from "./calltree.js";
import { CompareTable } from "./compare.js";
import { button, choice } from "./controls.js";
import { EntryList } from "./entries.js";
import { FlameGraph } from "./flame.js";
import { element, formatDuration, formatTime, shorten } from "./format.js";
import { ProfileTable } from "./profile.js";
import { transformChips } from "./sums.js";
import { openCopyMenu } from "./takeaway.js";
import { runFor } from "./work.js";

const WAITING = [["with", "With waiting"], ["without", "Without waiting"],
	["only", "Only waiting"]];
const DIRECTIONS = [["down", "Top-down"], ["up", "Bottom-up"],
	["around", "Callers and callees"], ["difference", "Difference"]];
const TABS = [["profile", "Profile"], ["flame", "Flame graph"],
	["tree", "Tree"], ["calls", "Calls"], ["log", "Log"],
	["compare", "Compare"]];

export class Panels {
	constructor(app) {
		this.app = app;
		this.profile = new ProfileTable(app);
		this.flame = new FlameGraph(app);
		this.tree = new CallTreeTable(app);
		this.calls = new CallList(app);
		this.log = new EntryList(app);
		this.compare = new CompareTable(app);
		this.drawing = 0;
		const options = (rows) => rows.map(([value, text]) =>
			element("option", { value }, text));
		this.thread =
			choice(app, "Threads of profile, flame graph and calls",
			() => app.setThread(Number(this.thread.value)));
		this.waiting = choice(app, "Waiting in profile and flame graph",
			() => app.setWaiting(this.waiting.value),
			options(WAITING));
		this.direction =
			choice(app, "Direction of flame graph and tree",
			() => app.setDirection(this.direction.value),
			options(DIRECTIONS));
		this.copy =
			button("Copy",
				"Copy rows, a stack, a link or a command",
			() => openCopyMenu(app, this.copy));
		this.rangeText = element("output", { class: "range" });
		this.rangeDrop =
			button("Whole time", "Whole time: drop the range",
			() => app.setRange(null, true));
		this.chips = element("div", { class: "tools chips",
			hidden: true });
		this.tabs = new Map(TABS.map(([key, text]) => [key, element(
			"button",
				{ type: "button", role: "tab", id: `tab-${key}`,
				"aria-controls": "panel", onclick: () =>
					app.setTab(key),
				onkeydown: (event) => this.onTabKey(event, key),
			}, text)]));
		this.place = element("div", { id: "panel", role: "tabpanel" },
			...TABS.map(([key]) => this[key].root));
		this.root = element("section", { class: "panels",
			"aria-label": "Profile, flame graph and calls" },
		element("div", { class: "tools" }, element("div",
			{ role: "tablist", "aria-label": "Panels" },
			...this.tabs.values()), this.thread, this.waiting,
		this.direction, this.copy, app.sums.status, this.rangeText,
		this.rangeDrop, app.sums.progress), this.chips, this.place);
	}

	onTabKey(event, key) {
		const names = TABS.map(([name]) => name).filter((name) =>
			!this.tabs.get(name).hidden);
		const by = event.key === "ArrowRight" ? 1 :
			event.key === "ArrowLeft" ? names.length - 1 : 0;
		if (by === 0)
			return;
		event.preventDefault();
		const next = names[(names.indexOf(key) + by) % names.length];
		this.app.setTab(next);
		this.tabs.get(next).focus();
	}

	// Prepares for another trace: its threads.
	setTrace() {
		const { trace } = this.app;
		this.allThreads = element("option", { value: -1 });
		this.thread.replaceChildren(this.allThreads,
			...trace.threads.map(({ index, label, number }) =>
				element("option", { value: index },
					`${shorten(label, 60)} ${number}`)));
		this.thread.value = String(this.app.thread);
		this.profile.unfolded.clear();
		this.showChips();
	}

	// Shows the transforms.
	showChips() {
		this.chips.hidden = this.app.transforms.length === 0;
		this.chips.replaceChildren(...transformChips(this.app));
	}

	// Shows what the trace has for the clock.
	showChoices() {
		const { app } = this, { trace, clock } = app;
		const isReport = trace.report !== undefined;
		const compares = app.comparison !== undefined;
		this.tabs.get("compare").hidden = !compares;
		this.tabs.get("calls").hidden = isReport;
		this.tabs.get("log").hidden = !app.hasEntries;
		if (this.tabs.get(app.tab).hidden)
			app.tab = "profile";
		this.direction.lastChild.hidden = !compares;
		if (app.direction === "difference" && !compares)
			app.direction = "down";
		this.direction.value = app.direction;
		this.thread.hidden = trace.threads.length < 2;
		this.waiting.hidden = trace.clocks.length < 2 || clock ===
			"cpu";
		const sum = trace.threads.reduce((all, one) =>
			all + trace.lengthOf(one, clock), 0);
		this.allThreads.textContent = isReport ? "All threads" :
			`All threads: ${formatDuration(sum)}`;
	}

	showRange() {
		const { range } = this.app;
		this.rangeDrop.hidden = range === null;
		this.rangeText.value = range === null ? "" : `${formatTime(
			range.from, 1000)} to ${formatTime(range.to, 1000)}, ${
			formatDuration(range.to - range.from)}`;
	}

	// Draws the chosen one soon, when its sums are there.
	draw() {
		const { app } = this, { tab, sums } = app;
		for (const [key, one] of this.tabs) {
			one.setAttribute("aria-selected", String(key === tab));
			one.tabIndex = key === tab ? 0 : -1;
			this[key].root.hidden = key !== tab;
		}
		this.place.setAttribute("aria-labelledby", `tab-${tab}`);
		this.direction.hidden = tab !== "flame" && tab !== "tree";
		clearTimeout(this.drawing);
		this.work = this.show(this[tab]);
		const draw = () => {
			this.drawing = this.drawFor() ? 0 :
				setTimeout(draw);
		};
		this.drawing = setTimeout(draw, sums.isComplete ? 0 : 30);
	}

	// Works on that for some milliseconds; true: it is drawn.
	drawFor(most) {
		const { progress } = this.app.sums;
		const { value, done } = runFor(this.work, most);
		progress.hidden = done;
		progress.value = done ? 1 : value;
		return done;
	}

	// Shows a panel, then what else is said of the sums.
	*show(panel) {
		const { app } = this, { sums } = app;
		yield* panel.prepare();
		panel.render();
		yield* sums.make();
		sums.describe();
		yield* app.detail.showLegend();
		if (app.trace.report !== undefined && app.thread < 0)
			app.frame.showSummary();
	}

	// Draws the chosen one now.
	drawNow() {
		this.draw();
		clearTimeout(this.drawing);
		this.drawing = 0;
		this.drawFor(Infinity);
	}
}
