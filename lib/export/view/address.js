// address.js - the state of a page, as the fragment of its address, and its
// history

import { codeOfMethod, methodOfCode, Transform } from "./transforms.js";

const KEPT_AFTER = 300;		// ms of no change, before it is written

// What is selected, searched and sorted is in the address, but Back does not
// undo it.
const PASSING = /^(method|call|entry|search|sort|changes|filter|entries)=/;

export class Address {
	constructor(app) {
		this.app = app;
		this.text = "";
		this.reading = false;
		this.keeping = 0;
		window.addEventListener("hashchange", () => {
			if (location.hash.slice(1) !== this.text)
				this.read();
		});
	}

	// Makes the page show what the address says.
	read() {
		this.text = location.hash.slice(1);
		this.reading = true;
		applyAddress(this.app, this.text);
		this.keep();
	}

	// Writes the state soon.
	keep() {
		clearTimeout(this.keeping);
		this.keeping = setTimeout(() => {
			this.keeping = 0;
			this.write();
		}, KEPT_AFTER);
	}

	// Zooms, tabs, ranges and the like become entries of the history, so
	// that Back goes to the one before.
	write() {
		const before = this.text;
		this.text = formatAddress(this.app);
		const place = (text) => text.split("&").filter((part) =>
			!PASSING.test(part)).join("&");
		const pushes = !this.reading && place(this.text) !==
			place(before);
		this.reading = false;
		try {
			if (pushes)
				history.pushState(null, "", `#${this.text}`);
			else
				history.replaceState(null, "", `#${this.text}`);
		} catch {
			this.text = location.hash.slice(1);
		}
	}
}

// Returns the fragment. Parts of the state with their first value are left out.
function formatAddress(page) {
	const { trace, span, view, range, selected } = page;
	const parts = [];
	const add = (key, value, usual) => {
		if (value !== usual)
			parts.push(`${key}=${encodeURIComponent(value)}`);
	};
	const ends = (one) => `${Math.round(one.from)}..${
		Math.round(one.to)}`;
	const compares = page.traces[1]?.compare === true;
	add("trace", page.at, compares ? 1 : 0);
	add("clock", page.clock, page.traces[0].clocks[0]);
	add("view", ends(view), ends(span));
	add("range", range === null ? "" : ends(range), "");
	const numberOf = (thread) => thread < 0 ? "all" :
		trace.threads[thread].number;
	add("thread", numberOf(page.thread), numberOf(page.usualThread));
	add("waiting", page.waiting, "with");
	add("only", page.transforms.map(({ code }) => code).join("_"), "");
	add("direction", page.direction, "down");
	add("tab", page.tab, compares && page.at === 1 ? "compare" : "profile");
	add("sort", (page.panels.profile.falls ? "" : "-") +
		page.panels.profile.sort, trace.report === undefined ?
		"inclusive" : "");
	const { compare } = page.panels;
	add("compared", compare.way, "absolute");
	add("of", compare.what, "inclusive");
	add("changes", (compare.falls ? "" : "-") + compare.sort, "change");
	const { threads } = page.timeline;
	const folded = [...threads.folded].sort((a, b) => a - b);
	add("folded", folded.map((index) => trace.threads[index].number)
		.join("."), [...threads.foldedAtFirst].sort((a, b) =>
		a - b).map((index) => trace.threads[index].number).join("."));
	add("threads", page.timeline.filterBox.value, "");
	add("order", threads.order, "main");
	for (const [key, set] of [["hidden", threads.hidden],
		["pinned", threads.pinned], ["groups", threads.unfoldedGroups],
		["opened", threads.opened]])
		add(key, [...set].map((index) => trace.threads[index].number)
			.join("."), "");
	add("filter", page.panels.profile.filterBox.value, "");
	add("entries", page.panels.log.filterBox.value, "");
	add("path", (page.panels.flame.wanted ?? (!page.sums.isComplete ? [] :
		page.panels.flame.path)).map((method) => codeOfMethod(trace,
		method)).join("."), "");
	add("theme", document.documentElement.dataset.theme ?? "", "");
	add("method", codeOfMethod(trace, page.method), "-1");
	add("call", selected === null ? "" : `${trace.threads[
		selected.thread].number}.${selected.depth}.${selected.at}`,
	"");
	add("entry", page.entry, -1);
	add("search", page.search.query, "");
	return parts.join("&");
}

// Makes the page show the state of a fragment, as far as the page has it.
function applyAddress(page, text) {
	const { method: before } = page;
	const asked = new URLSearchParams(text);
	const number = (key, usual) => {
		const value = parseInt(asked.get(key) ?? "", 10);
		return Number.isNaN(value) ? usual : value;
	};
	const ends = (key) => {
		const found = /^(-?\d+)\.\.(-?\d+)$/.exec(asked.get(key) ?? "");
		return found === null || Number(found[1]) >=
			Number(found[2]) ? null :
			{ from: Number(found[1]), to: Number(found[2]) };
	};
	const compares = page.traces[1]?.compare === true;
	const at = number("trace", compares ? 1 : 0);
	const theme = asked.get("theme");
	if (theme === "light" || theme === "dark")
		document.documentElement.dataset.theme = theme;
	else
		delete document.documentElement.dataset.theme;
	const usual = page.traces[0].report?.sort ?? "inclusive";
	page.clock = asked.get("clock") ?? page.traces[0].clocks[0];
	page.search.query = asked.get("search") ?? "";
	const waiting = asked.get("waiting");
	page.waiting = waiting === "without" || waiting === "only" ? waiting :
		"with";
	page.panels.waiting.value = page.waiting;
	const direction = asked.get("direction");
	page.direction = ["up", "around", "difference"].includes(direction) ?
		direction : "down";
	page.panels.direction.value = page.direction;
	page.tab = page.panels.tabs.has(asked.get("tab")) ? asked.get("tab") :
		compares && at === 1 ? "compare" : "profile";
	const sort = asked.get("sort") ?? (usual === "name" ? "-name" :
		usual);
	page.panels.profile.falls = !sort.startsWith("-");
	page.panels.profile.sort = sort.replace(/^-/, "");
	page.panels.compare.choose({ way: asked.get("compared"),
		what: asked.get("of"), sort: asked.get("changes") });
	page.setTrace(at >= 0 && at < page.traces.length ? at : 0);
	const threadOf = (one) => page.trace.threads.findIndex(
		(thread) => thread.number === one);
	const thread = threadOf(number("thread", -1));
	if (thread >= 0 || asked.get("thread") === "all")
		page.setThread(thread);
	page.setTransforms(Transform.parse(page.trace, asked.get("only") ??
		""));
	const { threads } = page.timeline, setOf = (key) => new Set(
		(asked.get(key) ?? "").split(".").map((one) => one === "" ? -1 :
			threadOf(Number(one))).filter((index) => index >= 0));
	threads.order = ["cpu", "start", "name", "calls"].includes(
		asked.get("order")) ? asked.get("order") : "main";
	threads.choice.value = threads.order;
	if (asked.has("folded"))
		threads.folded = setOf("folded");
	threads.hidden = setOf("hidden");
	threads.pinned = setOf("pinned");
	threads.opened = setOf("opened");
	threads.unfoldedGroups = setOf("groups");
	page.timeline.setFilter(asked.get("threads") ?? "");
	page.panels.profile.setFilter(asked.get("filter") ?? "");
	page.panels.log.filterBox.value = asked.get("entries") ?? "";
	if (ends("range") !== null)
		page.setRange(ends("range"), true);
	if (asked.has("path"))
		page.panels.flame.wanted =
			asked.get("path").split(".").map((code) =>
				methodOfCode(page.trace, code));
	if (ends("view") !== null)
		page.setView(ends("view"));
	const [owner, depth, place] = (asked.get("call") ?? "")
		.split(".").map(Number);
	const lane = place >= 0 && threadOf(owner) >= 0 ?
		page.lane(threadOf(owner)) : null;
	if (lane !== null && place < (lane.levels[depth]?.step.length ??
		0)) {
		page.select({ thread: threadOf(owner), depth, at: place });
		page.timeline.scrollTo(page.selected);
	}
	const entry = number("entry", -1);
	if (page.hasEntries && entry >= 0 &&
		entry < page.trace.entries.time.length)
		page.selectEntry(entry);
	const method = methodOfCode(page.trace, asked.get("method") ?? "");
	if (method >= 0 && method < page.trace.methods.length) {
		if (page.tab === "profile" && lane === null &&
			page.trace.same[method] !== before)
			page.panels.profile.wanted = page.trace.same[method];
		page.chooseMethod(page.trace.same[method]);
	}
}
