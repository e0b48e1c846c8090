// page.js - the page: its state, and what is drawn again when that changes
//
// The state is the trace, its clock, the visible part of the time (view), the
// range of time and the thread to which profile, flame graph and calls are
// restricted, the selected call or entry of a log, a method, and a search.
// Setters change the state and draw what depends on it again. The fragment of
// the address has the whole state: see address.js.

import { applyAddress, formatAddress } from "./address.js";
import { CallList } from "./calls.js";
import { CallTreeTable } from "./calltree.js";
import { openMenuOfFocus } from "./choices.js";
import { Palette } from "./colors.js";
import { OTHER, STRAY, Trace } from "./data.js";
import { CompareTable, Comparison, stackDifference } from "./compare.js";
import { EntryList } from "./entries.js";
import { FlameGraph } from "./flame.js";
import { element, formatCount, formatDuration, formatPlural, formatShare,
	formatTime, searchable, shorten } from "./format.js";
import { firstAbove, Lane } from "./lanes.js";
import { Menu } from "./menu.js";
import { legendElement } from "./legend.js";
import { Divider } from "./panes.js";
import { ProfileTable } from "./profile.js";
import { stackAround, stackDown, stackUp } from "./stacks.js";
import { openCopyMenu } from "./takeaway.js";
import { Timeline } from "./timeline.js";
import { transformTree } from "./transforms.js";
import { sumTree } from "./tree.js";

const SLICE = 40;			// ms of summing before it pauses
const MARKS = 800;			// of hits, over the whole time
const NAMES = { wall: "Wall time", cpu: "CPU time" };
const WAITING = [["with", "With waiting"], ["without", "Without waiting"],
	["only", "Only waiting"]];
const DIRECTIONS = [["down", "Top-down"], ["up", "Bottom-up"],
	["around", "Callers and callees"], ["difference", "Difference"]];
const TABS = [["profile", "Profile"], ["flame", "Flame graph"],
	["tree", "Tree"],
	["calls", "Calls"], ["log", "Log"], ["compare", "Compare"]];
const KEYS = [
	["w, s", "zoom in and out, at the pointer"],
	["a, d", "move left and right"],
	["Ctrl and wheel, pinch", "zoom"],
	["Shift and wheel, drag", "move"],
	["Shift and drag, drag on the ruler",
		"select a range of time; a click on the ruler ends it"],
	["Drag on the overview", "choose what is seen"],
	["Click", "select a call"],
	["Double click, f or Enter", "zoom to the call"],
	["Arrows", "go to the caller, a callee, the calls beside it"],
	["m", "select the range of the call"],
	["c, right click", "choices for a call, a frame, a method or a thread"],
	["e, E", "the next entry of the event log, the one before"],
	["/", "search; n and N go to the next hit and back; a search between " +
		"slashes is a regular expression"],
	["0", "the whole trace"],
	["Arrows on the line between", "make the timeline higher or lower"],
	["Escape", "end a drag; drop the range, then the call or entry"],
	["?", "these keys"],
];

class Page {
	constructor(place, traces) {
		this.traces = traces;
		// Equal names are numbered.
		this.traceNames = traces.map(({ name }, i) => {
			const same = traces.filter((one) => one.name === name);
			return same.length < 2 ? name :
				`${name} (${same.indexOf(traces[i]) + 1})`;
		});
		this.at = -1;
		this.clock = "wall";
		this.range = null;
		this.thread = -1;
		this.waiting = "with";
		this.direction = "down";
		this.transforms = [];
		this.selected = null;
		this.entry = -1;
		this.method = -1;
		this.query = "";
		this.hits = this.marks = null;
		this.tab = "profile";
		this.lanes = new Map();
		// Two traces are compared.
		if (traces.length === 2 && traces.every(({ report }) =>
			report === undefined))
			this.pair = new Comparison(...traces);
		this.summed = this.summing = null;
		this.build(place);
		this.listen();
		if (traces.length === 0) {
			this.panels.replaceWith(element("p", { class: "empty" },
				"There is no trace on this page."));
			for (const one of [this.timeline, this.divider])
				one.root.hidden = true;
			this.detail.hidden = true;
			return;
		}
		this.readAddress();
	}

	build(place) {
		this.menu = new Menu();
		this.chips = element("div", { class: "tools chips",
			hidden: true });
		this.timeline = new Timeline(this);
		this.profileTable = new ProfileTable(this);
		this.flame = new FlameGraph(this);
		this.callTree = new CallTreeTable(this);
		this.callList = new CallList(this);
		this.compareTable = new CompareTable(this);
		this.entryList = new EntryList(this);
		// After a choice with the pointer, keys are for the timeline again.
		let pressed = false;
		const choice = (label, change) => element("select", {
			"aria-label": label,
			onpointerdown: () => {
				pressed = true;
			},
			onkeydown: () => {
				pressed = false;
			},
			onchange: () => {
				change();
				if (pressed)
					this.timeline.scroller.focus(
						{ preventScroll: true });
			},
		});
		this.chooser = choice("Trace", () =>
			this.setTrace(Number(this.chooser.value)));
		this.traces.forEach((trace, i) => this.chooser.append(element(
			"option", { value: i }, shorten(this.traceNames[i], 100))));
		this.name = element("h1");
		this.clockChoice = choice("Clock", () =>
			this.setClock(this.clockChoice.value));
		this.searchBox = element("input", {
			type: "search", placeholder: "Search methods",
			title: "Names; with a parenthesis, signatures, too; " +
				"/between slashes/, a regular expression",
			"aria-label": "Search methods",
			oninput: () => {
				clearTimeout(this.searching);
				this.searching = setTimeout(() => {
					this.searching = 0;
					this.search(this.searchBox.value);
				}, 120);
			},
			onkeydown: (event) => {
				if (event.key === "Escape") {
					clearTimeout(this.searching);
					this.searching = 0;
					this.search("");
				}
				if (event.key !== "Enter")
					return;
				clearTimeout(this.searching);
				this.search(this.searchBox.value);
				this.nextHit(event.shiftKey ? -1 : 1);
			},
		});
		const button = (label, title, act, text = label) => element(
			"button", { type: "button", title, "aria-label": title,
				onclick: act }, text);
		this.found = element("output", { class: "found" });
		this.summary = element("p", { class: "summary" });
		this.themeButton = button("Theme",
			"Theme: light, dark or as the system",
			() => this.turnTheme());
		this.keys = element("dialog", { "aria-label": "Keys",
			onclick: () => this.keys.close() },
		element("h2", {}, "Keys and pointer"), element("dl", {},
			...KEYS.flatMap(([key, text]) => [element("dt", {}, key),
				element("dd", {}, text)])),
		element("button", { type: "button" }, "Close"));
		this.about = element("div", { class: "about" });
		this.legend = element("div");
		this.detail = element("aside", { class: "selected",
			"aria-label": "Selected call, and packages" },
		this.about, this.legend);
		this.live = element("div", { class: "hidden", role: "status",
			"aria-live": "polite" });
		this.threadChoice = choice("Threads of profile, flame graph and calls",
			() => this.setThread(Number(this.threadChoice.value)));
		this.waitChoice = choice("Waiting in profile and flame graph", () =>
			this.setWaiting(this.waitChoice.value));
		this.waitChoice.append(...WAITING.map(([value, text]) =>
			element("option", { value }, text)));
		this.directionChoice = choice("Direction of flame graph and tree",
			() => this.setDirection(this.directionChoice.value));
		this.directionChoice.append(...DIRECTIONS.map(([value, text]) =>
			element("option", { value }, text)));
		this.sumText = element("output", { class: "status" });
		this.copyButton = button("Copy", "Copy rows, a stack, a link or " +
			"a command", () => openCopyMenu(this, this.copyButton));
		this.progress = element("progress", { max: 1, hidden: true,
			"aria-label": "Sums of the range" });
		this.rangeText = element("output", { class: "range" });
		this.rangeDrop = button("Whole time", "Whole time: drop the range",
			() => this.setRange(null, true));
		this.tabs = new Map(TABS.map(([key, text]) => [key, element(
			"button", { type: "button", role: "tab", id: `tab-${key}`,
				"aria-controls": "panel", onclick: () =>
					this.setTab(key),
				onkeydown: (event) => this.onTabKey(event, key),
			}, text)]));
		this.panel = element("div", { id: "panel", role: "tabpanel" },
			this.profileTable.root, this.flame.root, this.callTree.root,
			this.callList.root, this.entryList.root,
			this.compareTable.root);
		this.panels = element("section", { class: "panels",
			"aria-label": "Profile, flame graph and calls" },
		element("div", { class: "tools" }, element("div",
			{ role: "tablist", "aria-label": "Panels" },
			...this.tabs.values()), this.threadChoice, this.waitChoice,
		this.directionChoice, this.copyButton, this.sumText, this.rangeText, this.rangeDrop, this.progress),
		this.chips, this.panel);
		this.divider = new Divider(this.timeline, this.panel);
		place.replaceChildren(element("header", {}, this.traces.length >
			1 ? this.chooser : this.name, this.clockChoice,
		element("span", { class: "search", role: "search" },
			this.searchBox, button("Previous hit", "Previous hit (N)",
				() => this.nextHit(-1), "‹"),
			button("Next hit", "Next hit (n)",
				() => this.nextHit(1), "›"), this.found),
		this.themeButton, button("Keys", "Keys (?)", () =>
			this.keys.showModal(), "?")), element("main", {}, element("div", { class: "panes" },
			this.summary, element("p", { id: "keys", class: "hidden" },
				"Arrows go from call to call, Enter zooms to it; w " +
				"and s zoom, a and d move, question mark lists all " +
				"keys."), this.timeline.root, this.divider.root,
			this.panels), this.detail), this.keys, this.menu.root,
		this.flame.tip, this.live);
	}

	listen() {
		const typing = (event) => event.target.closest?.(
			"input, select, textarea, dialog[open]");
		document.addEventListener("keydown", (event) => {
			if (event.ctrlKey || event.metaKey || event.altKey ||
				event.isComposing)
				return;
			if (typing(event)) {
				if (event.key === "Escape" &&
					event.target.tagName === "INPUT")
					event.target.blur();
				return;
			}
			if (this.onKey(event))
				event.preventDefault();
		});
		document.addEventListener("pointerdown", (event) => {
			if (!this.menu.root.contains(event.target))
				this.menu.close();
		});
		document.addEventListener("keyup", (event) =>
			this.timeline.held.delete(event.key.toLowerCase()));
		window.addEventListener("blur", () =>
			this.timeline.held.clear());
		window.addEventListener("hashchange", () => {
			if (location.hash.slice(1) !== this.address)
				this.readAddress();
		});
		window.matchMedia("(prefers-color-scheme: dark)")
			.addEventListener("change", () => this.setPalette());
	}

	onKey(event) {
		const key = event.key.toLowerCase();
		switch (event.key === "N" ? "N" : key) {
		case "w": case "a": case "s": case "d":
			this.timeline.hold(key);
			return true;
		case "0":
			this.setView(this.span);
			return true;
		case "f":
			if (this.selected !== null)
				this.zoomToCall(this.selected);
			else if (this.range !== null)
				this.setView(this.range);
			return true;
		case "m":
			if (this.selected !== null)
				this.rangeOfCall();
			return true;
		case "c":
			return openMenuOfFocus(this);
		case "/":
			this.searchBox.focus();
			this.searchBox.select();
			return true;
		case "n": case "N":
			this.nextHit(event.key === "N" ? -1 : 1);
			return true;
		case "e":
			this.nextEntry(event.key === "E" ? -1 : 1);
			return true;
		case "?":
			this.keys.showModal();
			return true;
		case "escape":
			if (this.timeline.cancelDrag())
				return true;
			if (this.range !== null)
				this.setRange(null, true);
			else
				this.select(null);
			return true;
		default:
			return false;
		}
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
		this.setTab(next);
		this.tabs.get(next).focus();
	}

	turnTheme() {
		const root = document.documentElement;
		const names = ["", "light", "dark"];
		const next = names[(names.indexOf(root.dataset.theme ?? "") + 1) %
			3];
		if (next === "")
			delete root.dataset.theme;
		else
			root.dataset.theme = next;
		this.setPalette();
		this.keepState();
		this.announce(`Theme: ${next || "as the system"}`);
	}

	setPalette() {
		this.palette = new Palette(this.trace);
		this.timeline.request();
		this.drawPanel();
	}

	// Sets the trace and everything that depends on it.
	setTrace(at) {
		this.at = at;
		this.trace = this.traces[at];
		this.comparison = at === 1 ? this.pair : undefined;
		this.chooser.value = String(at);
		const file = shorten(this.traceNames[at], 200);
		this.name.textContent = file;
		this.name.title = shorten(this.trace.name, 2000);
		document.title = `${file} - dmtrace`;
		this.clockChoice.replaceChildren(...this.trace.clocks.map(
			(clock) => element("option", { value: clock },
				NAMES[clock])));
		this.clockChoice.disabled = this.trace.clocks.length < 2;
		this.allThreads = element("option", { value: -1 });
		this.threadChoice.replaceChildren(this.allThreads,
			...this.trace.threads.map(({ index, label, number }) =>
				element("option", { value: index },
					`${shorten(label, 60)} ${number}`)));
		this.thread = this.usualThread;
		this.threadChoice.value = String(this.thread);
		this.method = -1;
		this.transforms = [];
		this.profileTable.unfolded.clear();
		this.palette = new Palette(this.trace);
		this.setClock(this.trace.clocks.includes(this.clock) ?
			this.clock : this.trace.clocks[0]);
		this.search(this.query);
	}

	// Returns the thread that is shown at first. Where figures of single
	// threads are not exact, it is all.
	get usualThread() {
		const { trace } = this;
		return trace.report !== undefined || trace.threadSlices === null ||
			trace.threads.length < 2 ? -1 : trace.main;
	}

	// Returns which times profile and flame graph show: of a clock, or "wait"
	// for the difference.
	get measure() {
		return this.clock === "cpu" || this.trace.clocks.length < 2 ||
			this.waiting === "with" ? this.clock :
			this.waiting === "only" ? "wait" : "cpu";
	}

	setWaiting(waiting) {
		this.waiting = waiting;
		this.waitChoice.value = waiting;
		this.flame.reset();
		this.drawPanel();
		this.keepState();
	}

	setDirection(direction) {
		this.direction = direction;
		this.directionChoice.value = direction;
		this.flame.reset();
		this.drawPanel();
		this.keepState();
	}

	// Returns the trees of calls that flame graph and tree show. Callers and
	// callees are those of the selected method.
	get stacks() {
		const { tree, measure, direction, method } = this;
		const around = direction === "around" && method >= 0;
		const key = [direction, measure, around ? method : -1].join();
		if (this.stacked?.tree !== tree || this.stacked.key !== key)
			this.stacked = { tree, key, roots: direction ===
				"difference" ? [stackDifference(stackDown(tree,
				measure), stackDown(this.comparison.sums(this).tree,
				measure))] : around ?
				stackAround(tree, measure, method) :
				[direction === "up" ? stackUp(tree, measure) :
					stackDown(tree, measure)] };
		return this.stacked.roots;
	}

	// Changes which calls are shown, and how: see transforms.js.
	setTransforms(transforms) {
		if (transforms.length + this.transforms.length === 0)
			return;
		this.transforms = transforms;
		this.lanes.clear();
		this.timeline.hits.clear();
		this.timeline.chosenMethod = -1;
		this.palette = new Palette(this.trace);
		this.search(this.query);
		this.select(null);
		this.chips.hidden = transforms.length === 0;
		this.chips.replaceChildren(...transforms.map((one) => element(
			"button", { type: "button", class: "chip", title: "Remove",
				onclick: () => this.setTransforms(
					this.transforms.filter((other) =>
						other !== one)) },
			shorten(one.text, 120), element("span", {}, " ×"))));
		if (this.trace.thinned !== undefined)
			this.chips.append(element("strong", {}, "Not exact: of " +
				`calls below ${formatTime(this.trace.limit)}, ` +
				"those in (other) are not known"));
		this.timeline.threads.await();
		this.dropTree();
		this.keepState();
	}

	// Says how often the selected method is among the paths, and its share.
	get methodText() {
		const { tree, method, measure } = this;
		if (method < 0)
			return "";
		let frames = 0, time = 0;
		for (let i = 1; i < tree.count; i++)
			if (tree.method[i] === method) {
				frames++;
				time += tree.recursive[i] ? 0 :
					tree.inclusive[measure][i];
			}
		return `${shorten(this.trace.methods[method].label, 120)}: ${
			formatPlural(frames, "frame")}, ${formatShare(time,
			tree.inclusive[measure][0])} %`;
	}

	// What shares are of.
	get stackTotal() {
		return { total: this.tree.inclusive[this.measure][0] };
	}

	get directionText() {
		const { direction, method } = this;
		if (direction === "difference")
			return "As wide as after; red took more time than before, " +
				"blue less";
		return direction === "up" ? "From the bottom up: time spent in a " +
			"method, by its callers" : direction === "down" ?
			"From the top down; a click on a frame zooms" :
			method < 0 ? "Choose a method to see its callers and " +
				"callees" : `Callers of ${shorten(this.nameOf(method),
				120)} above it, callees below`;
	}

	showLegend() {
		const { summed, measure, palette } = this;
		const of = [summed, measure, palette];
		if (this.trace.report !== undefined ||
			of.every((one, i) => one === this.legendOf?.[i]))
			return;
		this.legendOf = of;
		this.legend.replaceChildren(legendElement(this));
	}

	// Says of how many threads figures are sums, and what was left out.
	describeSums() {
		const { trace, tree } = this;
		const total = tree.profile().total;
		const [wall, cpu] = ["wall", "cpu"].map((clock) =>
			total.time("inclusive", clock));
		const parts = [];
		if (this.thread < 0 && trace.threads.length > 1)
			parts.push(`${formatDuration(total.time("inclusive",
				this.measure))} = sum over ${formatPlural(
				trace.threads.length, "thread")}`);
		if (this.measure === "cpu" && this.clock === "wall")
			parts.push(`${formatDuration(Math.max(0, wall - cpu))} ` +
				"of waiting is left out");
		if (this.measure === "wait")
			parts.push(`${formatDuration(cpu)} on the CPU is left out`);
		this.sumText.value = parts.join("; ");
	}

	// Times of different clocks do not correspond, so that view and range
	// are reset.
	setClock(clock) {
		this.clock = clock;
		this.clockChoice.value = clock;
		this.lanes.clear();
		this.span = this.trace.span(clock);
		this.view = this.span;
		this.range = null;
		this.select(null);
		const compares = this.comparison !== undefined;
		this.tabs.get("compare").hidden = !compares;
		this.directionChoice.lastChild.hidden = !compares;
		if (this.direction === "difference" && !compares)
			this.direction = this.directionChoice.value = "down";
		if ((this.tab === "compare" && !compares) ||
			(this.tab === "log" && !this.hasEntries) ||
			(this.tab === "calls" && this.trace.report !== undefined))
			this.tab = "profile";
		this.describeTrace();
		this.timeline.reset(false);
		if (this.trace.report === undefined)
			this.countMarks();
		this.dropTree();
	}

	// Describes a report, which has no timeline and no calls.
	describeReport() {
		const { trace, tree } = this, { report } = trace;
		const parts = trace.clocks.map((clock) =>
			`${formatDuration(tree.inclusiveTime(0, clock))} of ${
				NAMES[clock].replace("Wall", "wall")}`);
		parts.push(formatPlural(trace.events, "event"),
			formatPlural(report.threads, "thread"),
			formatPlural(report.traces, "trace"));
		this.summary.replaceChildren(parts.join(" · "));
		this.warn();
		if (trace.note !== undefined)
			this.summary.append(element("div", {},
				element("strong", {}, trace.note)));
	}

	warn() {
		if (this.trace.bounds)
			this.summary.append(element("strong", {}, " · The " +
				"buffer was full: calls and times are lower " +
				"bounds."));
	}

	describeTrace() {
		const { trace, span } = this;
		for (const one of [this.timeline, this.divider])
			one.root.hidden = trace.report !== undefined;
		this.detail.hidden = trace.report !== undefined;
		this.tabs.get("calls").hidden = trace.report !== undefined;
		this.tabs.get("log").hidden = !this.hasEntries;
		this.threadChoice.hidden = trace.threads.length < 2;
		this.waitChoice.hidden = trace.clocks.length < 2 ||
			this.clock === "cpu";
		const sum = trace.threads.reduce((all, one) =>
			all + trace.lengthOf(one, this.clock), 0);
		this.allThreads.textContent = trace.report !== undefined ?
			"All threads" : `All threads: ${formatDuration(sum)}`;
		if (trace.report !== undefined)
			return;
		const parts = [`${formatDuration(span.length)} of ${
			NAMES[this.clock].replace("Wall", "wall")}`,
		formatPlural(trace.events, "event"),
		formatPlural(trace.calls, "call"),
		formatPlural(trace.threads.length, "thread")];
		const origin = trace.origin_s[this.clock];
		if (origin > 0)
			parts.push(`times are counted from ${
				formatCount(origin)} s`);
		if (this.hasEntries)
			parts.push(formatPlural(trace.entries.time.length,
				"log entry", "log entries"));
		this.summary.replaceChildren(parts.join(" · "));
		this.warn();
		if (trace.thinned !== undefined)
			this.summary.append(element("strong", {}, ` · ${
				formatPlural(trace.summed, "call")} below ${formatTime(
				trace.limit)} not shown one by one, but counted`));
		if (trace.folded > 0)
			this.summary.append(element("strong", {}, `; paths ` +
				`below ${formatDuration(trace.folded)} are in ` +
				"(other) of their caller"));
	}

	hasLane(index) {
		return this.lanes.has(index);
	}

	lane(index) {
		let lane = this.lanes.get(index);
		if (lane === undefined) {
			lane = new Lane(this.trace, index, this.clock,
				this.transforms);
			this.lanes.set(index, lane);
		}
		return lane;
	}

	// Limits the view to between ten units of the clock and the whole trace,
	// plus a tenth that is empty.
	setView({ from, to }) {
		const whole = this.span.to - this.span.from;
		const length = Math.max(Math.min(to - from, whole * 1.1),
			10 * this.trace.unit);
		const middle = (from + to) / 2;
		const start = Math.max(this.span.from - whole * 0.05, Math.min(
			middle - length / 2,
			this.span.to + whole * 0.05 - length));
		this.view = length >= whole * 1.1 ? { from: this.span.from,
			to: this.span.to } : { from: start, to: start + length };
		this.timeline.threads.await();
		this.timeline.request();
		this.keepState();
	}

	// The range is in whole microseconds, as in records and reports.
	setRange(range, done) {
		if (range !== null) {
			const from = Math.max(0, Math.round(range.from / 1000)) *
				1000;
			range = { from, to: Math.max(from + 1000,
				Math.round(range.to / 1000) * 1000) };
		}
		this.range = range;
		this.timeline.request();
		this.showRange();
		if (done) {
			this.dropTree();
			this.keepState();
		}
	}

	showRange() {
		const { range } = this;
		this.rangeDrop.hidden = range === null;
		this.rangeText.value = range === null ? "" : `${formatTime(
			range.from, 1000)} to ${formatTime(range.to, 1000)}, ${
			formatDuration(range.to - range.from)}`;
	}

	setThread(thread) {
		this.thread = thread;
		this.timeline.request();
		this.threadChoice.value = String(thread);
		this.dropTree();
		this.keepState();
	}

	// Makes sure that the panels are about a thread, too.
	includeThread(thread) {
		if (this.thread >= 0 && this.thread !== thread)
			this.setThread(thread);
	}

	setTab(tab) {
		this.tab = tab;
		this.drawPanel();
		this.keepState();
	}

	// Drops the tree, which is made again when it is needed.
	dropTree() {
		this.summed = this.summing = null;
		this.flame.reset();
		this.showRange();
		this.drawPanel();
	}

	// Draws the panel after the timeline, which users wait for.
	drawPanel() {
		for (const [key, tab] of this.tabs) {
			tab.setAttribute("aria-selected", String(key ===
				this.tab));
			tab.tabIndex = key === this.tab ? 0 : -1;
		}
		this.panel.setAttribute("aria-labelledby", `tab-${this.tab}`);
		this.directionChoice.hidden = this.tab !== "flame" &&
			this.tab !== "tree";
		const panels = { profile: this.profileTable, flame: this.flame,
			tree: this.callTree,
			calls: this.callList, log: this.entryList,
			compare: this.compareTable };
		for (const [key, one] of Object.entries(panels))
			one.root.hidden = key !== this.tab;
		clearTimeout(this.drawing);
		const draw = () => {
			if (["profile", "flame", "tree", "compare"].includes(
				this.tab) &&
				this.summed === null) {
				this.progress.hidden = this.sumFor(SLICE);
				this.drawing = setTimeout(draw);
				return;
			}
			this.drawing = 0;
			if (this.summed !== null) {
				this.describeSums();
				this.showLegend();
			}
			panels[this.tab].draw();
			if (this.trace.report !== undefined && this.thread < 0)
				this.describeReport();
			if (this.wanted !== undefined) {
				const method = this.wanted;
				this.wanted = undefined;
				this.profileTable.goTo(method);
			}
		};
		this.drawing = setTimeout(draw, this.summed === null ? 30 : 0);
	}

	// The calls of the range and the threads, summed by path.
	get tree() {
		while (!this.sumFor(Infinity));
		return this.summed;
	}

	// Sums for some milliseconds; true: the tree is complete.
	sumFor(most) {
		if (this.summed !== null)
			return true;
		this.summing ??= sumTree(this.trace, this.thread, this.clock,
			this.range);
		for (const end = performance.now() + most;;) {
			const { value, done } = this.summing.next();
			if (done) {
				this.summed = this.transforms.reduce(transformTree,
					value);
				this.summing = null;
				this.progress.hidden = true;
				return true;
			}
			this.progress.value = value;
			if (performance.now() >= end)
				return false;
		}
	}

	nameOf(method) {
		if (method === OTHER)
			return this.range === null ? "(other)" : "(left out)";
		if (method < 0)
			return "(toplevel)";
		const { label, signature } = this.trace.methods[method];
		return signature === "" ? label : `${label} ${signature}`;
	}

	// Names calls that were left out.
	leftText({ calls }) {
		return `${formatPlural(calls, "call")} < ${
			formatTime(this.trace.limit)}`;
	}

	nameParts(method) {
		if (method < 0)
			return [this.nameOf(method)];
		const { label, short, parameters } = this.trace.methods[method];
		const head = label.slice(0, label.length - short.length);
		return [element("span", { class: "note scope" },
			shorten(head, 200)),
			shorten(short), element("span", { class: "note" },
				shorten(parameters, 200))];
	}

	describeCall(call) {
		const what = this.lane(call.thread).describe(call);
		const times = this.trace.clocks.map((clock) => element("div", {},
			`${NAMES[clock]}: ${formatDuration(what.inclusive[clock])
			} inclusive, ${formatDuration(what.exclusive[clock])
			} exclusive`));
		const { label, parameters, place } = what.method;
		return [element("div", {}, element("strong", {}, shorten(label)),
			element("span", { class: "note" },
				shorten(parameters))),
		element("div", { class: "note" }, shorten(place, 120)),
			element("div", {}, `${shorten(what.thread.label, 80)} ${
				what.thread.number}, depth ${what.depth + 1}, at ${
				formatTime(what.start, 1000)}, ${formatPlural(
				what.children, "callee")}${what.left > 0 ?
				`, ${what.left === what.children ? "all" :
					formatCount(what.left)} of them below ${
					formatTime(this.trace.limit)}` : ""}`),
		...times];
	}

	select(call) {
		this.selected = call;
		this.entry = -1;
		this.detail.classList.toggle("none", call === null);
		this.timeline.request();
		this.keepState();
		if (call === null) {
			this.about.replaceChildren(element("p",
				{ class: "note" }, "A click on a call, or an " +
				"arrow key, selects it: its times are shown here."));
			return;
		}
		const what = this.lane(call.thread).describe(call);
		const button = (text, act) => element("button",
			{ type: "button", onclick: act }, text);
		this.showDetail(this.describeCall(call), [
			button("Zoom to it", () => this.zoomToCall(call)),
			button("Select its range", () => this.rangeOfCall()),
			button("Show in profile", () => {
				this.includeThread(call.thread);
				this.showMethod(what.method.index);
			}),
			button("All calls", () => {
				this.includeThread(call.thread);
				this.showCalls(what.method.index);
			})]);
		this.chooseMethod(what.method.index);
		this.announce(`${shorten(what.method.label)}, ${formatDuration(
			what.inclusive[this.clock])}, exclusive ${formatDuration(
			what.exclusive[this.clock])}, depth ${what.depth + 1}, ${
			shorten(what.thread.label, 60)}`);
	}

	// Shows what is selected, beside the timeline or, on a phone, over the
	// lower part of the page.
	showDetail(parts, buttons) {
		this.detail.classList.remove("none");
		this.about.replaceChildren(element("div", {}, ...parts),
			element("div", { class: "tools" }, ...buttons,
				element("button", { type: "button", class: "close",
					onclick: () => this.select(null) },
				"Close")));
	}

	goTo(call) {
		this.timeline.reveal(call);
		this.select(call);
	}

	zoomToCall(call) {
		const level = this.lane(call.thread).levels[call.depth];
		const [start, end] = [level.start[call.at], level.end[call.at]];
		const part = Math.max(end - start, this.trace.unit) * 0.05;
		this.setView({ from: start - part, to: end + part });
	}

	rangeOfCall() {
		const { thread, depth, at } = this.selected;
		const level = this.lane(thread).levels[depth];
		this.setRange({ from: level.start[at], to: level.end[at] }, true);
	}

	// Entries have only wall times.
	get hasEntries() {
		return this.clock === "wall" &&
			this.trace.entries.time.length > 0;
	}

	threadOfEntry(entry) {
		const number = this.trace.entries.number[entry];
		const thread = this.trace.threads.find((one) =>
			one.number === number);
		return thread === undefined ? `thread ${number}` :
			`${shorten(thread.label, 60)} ${number}`;
	}

	describeEntry(entry) {
		const { entries, start_us: start } = this.trace;
		const time = entries.time[entry];
		const us = start + Math.floor(time / 1000);
		const date = new Date(Math.floor(us / 1000)).toISOString();
		return [element("strong", {}, shorten(entries.name[entry])),
			element("div", {}, `${this.threadOfEntry(entry)}, at ${
				formatTime(time, 1000)}`),
			element("div", { class: "note" }, date.replace("Z",
				`${String(us % 1000).padStart(3, "0")}Z`)),
			element("div", {}, shorten(entries.detail[entry], 1000))];
	}

	selectEntry(entry) {
		this.select(null);
		this.entry = entry;
		if (this.tab === "log")
			this.drawPanel();
		if (entry < 0)
			return;
		const { entries } = this.trace, time = entries.time[entry];
		const { from, to } = this.view;
		if (time < from || time > to)
			this.setView({ from: time - (to - from) / 2,
				to: time + (to - from) / 2 });
		this.showDetail(this.describeEntry(entry), [element("button",
			{ type: "button", onclick: () => this.setTab("log") },
			"Show in the log")]);
		this.announce(`${shorten(entries.name[entry])}, ${
			this.threadOfEntry(entry)}, at ${formatTime(time, 1000)}: ${
			shorten(entries.detail[entry])}`);
	}

	nextEntry(by) {
		if (!this.hasEntries)
			return;
		const { time } = this.trace.entries;
		const next = this.entry >= 0 ? this.entry + by : by > 0 ?
			firstAbove(time, this.view.from - 1) :
			firstAbove(time, this.view.to) - 1;
		if (next >= 0 && next < time.length)
			this.selectEntry(next);
		else
			this.announce("No more entries");
	}

	chooseMethod(method) {
		this.method = method;
		this.profileTable.markChosen();
		this.timeline.request();
		if (this.tab !== "profile" && this.tab !== "log")
			this.drawPanel();
		this.keepState();
	}

	showMethod(method) {
		this.tab = "profile";
		this.wanted = method;
		this.drawPanel();
	}

	showCalls(method) {
		this.method = method;
		this.setTab("calls");
		this.tabs.get("calls").focus();
	}

	search(query) {
		const { trace } = this;
		this.query = query;
		if (this.searchBox.value !== query)
			this.searchBox.value = query;
		const wanted = searchable(query.trim());
		const regex = /^\/(.+)\/$/s.exec(query.trim());
		let matches = (text) => searchable(text).includes(wanted);
		this.timeline.hits.clear();
		this.hits = null;
		this.found.value = "";
		if (wanted !== "") {
			let count = 0;
			this.hits = new Uint8Array(trace.methods.length);
			const signatures = regex === null && wanted.includes("(");
			try {
				const pattern = regex === null ? null :
					new RegExp(regex[1], "i");
				if (pattern !== null)
					matches = (text) => pattern.test(text);
			} catch {
				this.found.value = "no regular expression";
				matches = () => false;
			}
			trace.methods.forEach((method, i) => {
				if (trace.same[i] === i && !method.absent && matches(!signatures ?
					method.label : method.label +
					method.parameters + this.nameOf(i))) {
					this.hits[i] = 1;
					count++;
				}
			});
			this.found.value ||= formatPlural(count, "method");
		}
		if (trace.report === undefined && !this.found.value.startsWith("no"))
			this.countMarks();
		this.timeline.request();
		if (this.tab === "flame")
			this.drawPanel();
		this.keepState();
	}

	// Finds the places where the overview shows hits.
	countMarks() {
		const { trace, hits } = this;
		this.marks = null;
		if (hits === null)
			return;
		const { from, to } = this.span;
		const marks = new Uint32Array(MARKS);
		let calls = 0, methods = 0;
		for (const thread of trace.threads) {
			const steps = trace.steps(thread.index);
			const times = steps[this.clock];
			for (let i = 0; i < steps.count; i++) {
				const word = steps.word[i];
				if (word === 0 || word === STRAY ||
					hits[trace.same[word - 1]] === 0)
					continue;
				calls++;
				marks[Math.max(0, Math.min(MARKS - 1, Math.floor(
					(times[i] - from) / (to - from) *
					MARKS)))]++;
			}
		}
		for (const one of hits)
			methods += one;
		// The places of calls that were left out are not known.
		if (trace.thinned !== undefined)
			calls = hits.reduce((sum, one, method) => one === 0 ? sum :
				trace.durationsOf(method).counts.reduce(
					(all, [, count]) => all + count, sum), 0);
		this.marks = marks;
		this.found.value = `${formatPlural(calls, "call")} of ${
			formatPlural(methods, "method")}`;
	}

	// Selects the next call, in time, of a method that the search finds.
	nextHit(by) {
		if (this.hits === null)
			return;
		const now = this.selected === null ? [by > 0 ? this.view.from :
			this.view.to, -1, 0] : this.placeOf(this.selected);
		const compare = (a, b) => a[0] - b[0] || a[1] - b[1] ||
			a[2] - b[2];
		let best = null, found = null;
		for (const thread of this.trace.threads) {
			const lane = this.lane(thread.index);
			lane.levels.forEach((level, depth) => {
				const hits = this.timeline.levelHits(level);
				const place = (i) => [hits.start[i], thread.index,
					hits.step[i]];
				let i = firstAbove(hits.start, now[0]);
				while (i > 0 && compare(place(i - 1), now) >= 0)
					i--;
				while (by > 0 && i < hits.start.length &&
					compare(place(i), now) <= 0)
					i++;
				if (by < 0)
					i--;
				if (i < 0 || i >= hits.start.length || (best !==
					null && compare(place(i), best) * by > 0))
					return;
				best = place(i);
				found = { thread: thread.index, depth, at:
					firstAbove(level.step, hits.step[i]) - 1 };
			});
		}
		if (found !== null)
			this.goTo(found);
		else
			this.announce("No more hits");
	}

	placeOf({ thread, depth, at }) {
		const level = this.lane(thread).levels[depth];
		return [level.start[at], thread, level.step[at]];
	}

	announce(text) {
		this.live.textContent = text;
	}

	// Zooms, tabs, ranges and the like become entries of the history, so that
	// Back goes to the one before; what is selected does not.
	writeAddress() {
		const before = this.address;
		this.address = formatAddress(this);
		const place = (text) => text.split("&").filter((part) =>
			!/^(method|call|entry|search|sort|filter|find)=/.test(part))
			.join("&");
		const pushes = !this.reading &&
			place(this.address) !== place(before);
		this.reading = false;
		try {
			if (pushes)
				history.pushState(null, "", `#${this.address}`);
			else
				history.replaceState(null, "",
					`#${this.address}`);
		} catch {
			this.address = location.hash.slice(1);
		}
	}

	keepState() {
		clearTimeout(this.keeping);
		this.keeping = setTimeout(() => {
			this.keeping = 0;
			this.writeAddress();
		}, 300);
	}

	readAddress() {
		this.address = location.hash.slice(1);
		this.reading = true;
		applyAddress(this, this.address);
		this.keepState();
	}

	// Whether no text was selected with the pointer.
	get isNothingSelected() {
		return String(document.getSelection()) === "";
	}
}

export function startPage() {
	const texts = document.querySelectorAll("script.trace");
	const traces = [...texts].map((one, at) => new Trace(
		JSON.parse(one.textContent), (what, thread) =>
			document.getElementById(`${what}-${at}-${thread}`)
				?.textContent ?? ""));
	window.dmtrace = new Page(document.getElementById("page"), traces);
	performance.mark("usable");
}

if (typeof document !== "undefined")
	startPage();
