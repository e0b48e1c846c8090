// page.js - the page: its state, and what is drawn again when that changes
//
// The state is the trace, its clock, the visible part of the time (view), the
// range of time and the thread to which profile, flame graph and calls are
// restricted, how they show calls (waiting, direction, transforms), the
// selected call or entry of a log, and a method. Setters change the state and
// draw what depends on it again. Each part of the page is an object that asks
// for the state: the search, the timeline, the details of what is selected, the
// sums, and the panels. The fragment of the address has the whole state.

import { Address } from "./address.js";
import { Palette } from "./colors.js";
import { Comparison } from "./compare.js";
import { OTHER, Trace } from "./data.js";
import { Detail } from "./detail.js";
import { element, formatPlural, formatTime, shorten } from "./format.js";
import { Frame } from "./frame.js";
import { listenToKeys } from "./keys.js";
import { firstAbove, makeLane } from "./lanes.js";
import { Menu } from "./menu.js";
import { Panels } from "./panels.js";
import { Divider } from "./panes.js";
import { Search } from "./search.js";
import { Sums } from "./sums.js";
import { Timeline } from "./timeline.js";
import { complete, runFor, SharedWork } from "./work.js";

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
		this.tab = "profile";
		this.lanes = new Map();
		// Two traces are compared.
		if (traces.length === 2 && traces.every(({ report }) =>
			report === undefined))
			this.pair = new Comparison(...traces);
		this.address = new Address(this);
		this.menu = new Menu();
		this.sums = new Sums(this);
		this.search = new Search(this);
		this.timeline = new Timeline(this);
		this.panels = new Panels(this);
		this.divider = new Divider(this.timeline, this.panels.place);
		this.detail = new Detail(this);
		this.frame = new Frame(this);
		this.frame.putInto(place);
		listenToKeys(this);
		document.addEventListener("pointerdown", (event) => {
			if (!this.menu.root.contains(event.target))
				this.menu.close();
		});
		window.matchMedia("(prefers-color-scheme: dark)")
			.addEventListener("change", () => this.setPalette());
		if (traces.length === 0)
			this.frame.showNoTrace();
		else
			this.address.read();
	}

	// Makes it light if it is dark, and dark if it is light.
	turnTheme() {
		const { dataset } = document.documentElement;
		const usual = window.matchMedia("(prefers-color-scheme: dark)")
			.matches ? "dark" : "light";
		const next = (dataset.theme ?? usual) === "dark" ? "light" :
			"dark";
		if (next === usual)
			delete dataset.theme;
		else
			dataset.theme = next;
		this.setPalette();
		this.address.keep();
		this.announce(`Theme: ${next}`);
	}

	setPalette() {
		this.palette = new Palette(this.trace);
		this.timeline.request();
		this.panels.draw();
	}

	// Sets the trace and everything that depends on it.
	setTrace(at) {
		this.at = at;
		this.trace = this.traces[at];
		this.comparison = at === 1 ? this.pair : undefined;
		this.method = -1;
		this.transforms = [];
		this.thread = this.usualThread;
		this.frame.setTrace(at);
		this.panels.setTrace();
		this.timeline.threads.reset();
		this.palette = new Palette(this.trace);
		this.setClock(this.trace.clocks.includes(this.clock) ?
			this.clock : this.trace.clocks[0]);
	}

	// Returns the thread that is shown at first. Where figures of single
	// threads are not exact, it is all.
	get usualThread() {
		const { trace } = this;
		return trace.report !== undefined || trace.threadSlices ===
			false || trace.threads.length < 2 ? -1 : trace.main;
	}

	// Returns which times profile and flame graph show: of a clock, or
	// "wait" for the difference.
	get measure() {
		return this.clock === "cpu" || this.trace.clocks.length < 2 ||
			this.waiting === "with" ? this.clock :
			this.waiting === "only" ? "wait" : "cpu";
	}

	// Returns the mark of figures of a trace that was thinned, whose bounds
	// are not known: through transforms.
	aboutOf({ thinned }) {
		return thinned !== undefined && this.transforms.length > 0 ?
			"~" : "";
	}

	get about() {
		return this.aboutOf(this.trace);
	}

	// Returns the mark of callees and exclusive time of single calls: those
	// that were left out count for the call around them, and so does time
	// that goes elsewhere in sums.
	get aboutCall() {
		return this.about || (this.transforms.some(({ moves }) =>
			moves) ? "~" : "");
	}

	setWaiting(waiting) {
		this.waiting = waiting;
		this.panels.waiting.value = waiting;
		this.panels.flame.reset();
		this.panels.draw();
		this.address.keep();
	}

	setDirection(direction) {
		this.direction = direction;
		this.panels.direction.value = direction;
		this.panels.flame.reset();
		this.panels.draw();
		this.address.keep();
	}

	// Changes which calls are shown, and how: see transforms.js.
	setTransforms(transforms) {
		if (transforms.length + this.transforms.length === 0)
			return;
		this.transforms = transforms;
		this.lanes.clear();
		this.timeline.chosenMethod = -1;
		this.palette = new Palette(this.trace);
		this.search.set(this.search.query);
		this.select(null);
		this.panels.showChips();
		this.timeline.threads.await();
		this.dropSums();
		this.address.keep();
	}

	// Times of different clocks do not correspond, so that view and range
	// are reset.
	setClock(clock) {
		this.clock = clock;
		this.frame.clock.value = clock;
		this.lanes.clear();
		this.span = this.trace.span(clock);
		this.view = this.span;
		this.range = null;
		this.select(null);
		this.panels.showChoices();
		if (this.trace.report === undefined)
			this.frame.showSummary();
		this.timeline.reset();
		this.search.set(this.search.query);
		this.dropSums();
	}

	hasLane(index) {
		return this.lanes.get(index)?.isDone === true;
	}

	lane(index) {
		return complete(this.makeLane(index));
	}

	// Makes it, in pieces.
	*makeLane(index) {
		if (!this.lanes.has(index))
			this.lanes.set(index, new SharedWork(makeLane(
				this.trace, index, this.clock,
				this.transforms)));
		return yield* this.lanes.get(index).run();
	}

	// Limits the view to between ten units of the clock and the whole
	// trace, plus a tenth that is empty.
	setView({ from, to }) {
		const whole = this.span.to - this.span.from;
		const length = Math.max(Math.min(to - from, whole * 1.1),
			10 * this.trace.unit);
		const middle = (from + to) / 2;
		const start = Math.max(this.span.from - whole * 0.05, Math.min(
			middle - length / 2,
			this.span.to + whole * 0.05 - length));
		this.view = length >= whole * 1.1 ? { from: this.span.from,
			to: this.span.to } :
				{ from: start, to: start + length };
		this.timeline.threads.await();
		this.timeline.request();
		this.address.keep();
	}

	// The range is in whole microseconds, as in records and reports.
	setRange(range, done) {
		if (range !== null) {
			const from =
				Math.max(0, Math.round(range.from / 1000)) *
				1000;
			range = { from, to: Math.max(from + 1000,
				Math.round(range.to / 1000) * 1000) };
		}
		this.range = range;
		this.timeline.request();
		this.panels.showRange();
		if (done) {
			this.dropSums();
			this.address.keep();
		}
	}

	setThread(thread) {
		this.thread = thread;
		this.timeline.request();
		this.panels.thread.value = String(thread);
		this.dropSums();
		this.address.keep();
	}

	// Makes sure that the panels are about a thread, too.
	includeThread(thread) {
		if (this.thread >= 0 && this.thread !== thread)
			this.setThread(thread);
	}

	setTab(tab) {
		this.tab = tab;
		this.panels.draw();
		this.address.keep();
	}

	// Drops the sums, which are made again when they are needed.
	dropSums() {
		this.sums.drop();
		this.panels.flame.reset();
		this.panels.showRange();
		this.panels.draw();
	}

	nameOf(method) {
		if (method === OTHER)
			return this.range === null ? "(other)" : "(left out)";
		if (method < 0)
			return "(toplevel)";
		const { label, signature } = this.trace.methods[method];
		return signature === "" ? label : `${label} ${signature}`;
	}

	// The same for people: with parameters as in a program.
	textOf(method) {
		if (method < 0)
			return this.nameOf(method);
		const { label, parameters } = this.trace.methods[method];
		return label + parameters;
	}

	// Names calls that were left out.
	leftText({ calls }) {
		return `${this.about}${formatPlural(
			calls, "call")} < ${formatTime(this.trace.limit)}`;
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

	select(call) {
		this.selected = call;
		this.entry = -1;
		this.timeline.request();
		this.address.keep();
		if (call === null) {
			this.detail.showNothing();
			return;
		}
		this.detail.showCall(call);
		const { levels } = this.lane(call.thread);
		this.chooseMethod(levels[call.depth].method[call.at]);
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
		this.setRange({ from: level.start[at], to: level.end[at] },
			true);
	}

	// Entries have only wall times.
	get hasEntries() {
		return this.clock === "wall" &&
			this.trace.entries.time.length > 0;
	}

	selectEntry(entry) {
		this.select(null);
		this.entry = entry;
		if (this.tab === "log")
			this.panels.draw();
		if (entry >= 0)
			this.detail.showEntry(entry);
	}

	goToEntry(entry) {
		const time = this.trace.entries.time[entry];
		const { from, to } = this.view;
		if (time < from || time > to)
			this.setView({ from: time - (to - from) / 2,
				to: time + (to - from) / 2 });
		this.selectEntry(entry);
	}

	nextEntry(by) {
		if (!this.hasEntries)
			return;
		const { time } = this.trace.entries;
		const next = this.entry >= 0 ? this.entry + by : by > 0 ?
			firstAbove(time, this.view.from - 1) :
			firstAbove(time, this.view.to) - 1;
		if (next >= 0 && next < time.length)
			this.goToEntry(next);
		else
			this.announce("No more entries");
	}

	chooseMethod(method) {
		this.method = method;
		this.panels.profile.markChosen();
		this.timeline.request();
		if (this.tab !== "profile" && this.tab !== "log")
			this.panels.draw();
		this.address.keep();
	}

	showCalls(method) {
		this.method = method;
		this.setTab("calls");
		this.panels.tabs.get("calls").focus();
	}

	announce(text) {
		this.frame.live.textContent = text;
	}

	// Whether no text was selected with the pointer.
	get isNothingSelected() {
		return String(document.getSelection()) === "";
	}
}

export function startPage() {
	const work = readTraces(document.querySelectorAll("script.trace"));
	const goOn = () => {
		const { value: traces, done } = runFor(work);
		if (!done) {
			setTimeout(goOn);
			return;
		}
		window.dmtrace = new Page(document.getElementById("page"),
			traces);
		performance.mark("usable");
	};
	goOn();
}

function* readTraces(texts) {
	const traces = [];
	for (const [at, one] of texts.entries()) {
		const trace = new Trace(JSON.parse(one.textContent), (what) =>
			document.getElementById(`${what}-${at}`)
				?.textContent ?? "");
		yield* trace.describeMethods();
		traces.push(trace);
	}
	return traces;
}

if (typeof document !== "undefined")
	startPage();
