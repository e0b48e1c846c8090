// address.js - the state of a page, as the fragment of its address

import { Transform } from "./transforms.js";

// Returns the fragment. Parts of the state with their first value are left out.
export function formatAddress(page) {
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
	add("clock", page.clock, trace.clocks[0]);
	add("view", ends(view), ends(span));
	add("range", range === null ? "" : ends(range), "");
	const numberOf = (thread) => thread < 0 ? "all" :
		trace.threads[thread].number;
	add("thread", numberOf(page.thread), numberOf(page.usualThread));
	add("waiting", page.waiting, "with");
	add("only", page.transforms.map(({ code }) => code).join("_"), "");
	add("direction", page.direction, "down");
	add("tab", page.tab, compares && page.at === 1 ? "compare" : "profile");
	add("sort", (page.profileTable.falls ? "" : "-") +
		page.profileTable.sort, trace.report === undefined ?
		"inclusive" : "");
	const { threads } = page.timeline;
	const folded = [...threads.folded].sort((a, b) => a - b);
	add("folded", folded.map((index) => trace.threads[index].number)
		.join("."), [...threads.foldedAtFirst].sort((a, b) =>
		a - b).map((index) => trace.threads[index].number).join("."));
	add("threads", page.timeline.filterBox.value, "");
	add("order", threads.order, "main");
	for (const [key, set] of [["hidden", threads.hidden],
		["pinned", threads.pinned], ["groups", threads.unfoldedGroups]])
		add(key, [...set].map((index) => trace.threads[index].number)
			.join("."), "");
	add("filter", page.profileTable.filterBox.value, "");
	add("path", (page.flame.wanted ?? (page.summed === null ? [] :
		page.flame.path)).join("."), "");
	add("theme", document.documentElement.dataset.theme ?? "", "");
	add("method", page.method, -1);
	add("call", selected === null ? "" : `${trace.threads[
		selected.thread].number}.${selected.depth}.${selected.at}`,
	"");
	add("entry", page.entry, -1);
	add("search", page.query, "");
	return parts.join("&");
}

// Makes the page show the state of a fragment, as far as the page has it.
export function applyAddress(page, text) {
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
	page.query = asked.get("search") ?? "";
	const waiting = asked.get("waiting");
	page.waiting = waiting === "without" || waiting === "only" ? waiting :
		"with";
	page.waitChoice.value = page.waiting;
	const direction = asked.get("direction");
	page.direction = ["up", "around", "difference"].includes(direction) ?
		direction : "down";
	page.directionChoice.value = page.direction;
	page.tab = page.tabs.has(asked.get("tab")) ? asked.get("tab") :
		compares && at === 1 ? "compare" : "profile";
	const sort = asked.get("sort") ?? (usual === "name" ? "-name" :
		usual);
	page.profileTable.falls = !sort.startsWith("-");
	page.profileTable.sort = sort.replace(/^-/, "");
	page.setTrace(at >= 0 && at < page.traces.length ? at : 0);
	const threadOf = (one) => page.trace.threads.findIndex(
		(thread) => thread.number === one);
	const thread = threadOf(number("thread", -1));
	if (thread >= 0 || asked.get("thread") === "all")
		page.setThread(thread);
	page.setTransforms(Transform.parse(page.trace, asked.get("only") ?? ""));
	const { threads } = page.timeline, setOf = (key) => new Set(
		(asked.get(key) ?? "").split(".").map((one) => one === "" ? -1 :
			threadOf(Number(one))).filter((index) => index >= 0));
	if (["main", "cpu", "start", "name", "calls"].includes(
		asked.get("order")))
		threads.order = asked.get("order");
	threads.choice.value = threads.order;
	if (asked.has("folded"))
		threads.folded = setOf("folded");
	threads.hidden = setOf("hidden");
	threads.pinned = setOf("pinned");
	threads.unfoldedGroups = setOf("groups");
	page.timeline.setFilter(asked.get("threads") ?? "");
	page.profileTable.setFilter(asked.get("filter") ?? "");
	if (asked.has("path"))
		page.flame.wanted = asked.get("path").split(".").map(Number);
	if (ends("range") !== null)
		page.setRange(ends("range"), true);
	if (ends("view") !== null)
		page.setView(ends("view"));
	const [owner, depth, place] = (asked.get("call") ?? "")
		.split(".").map(Number);
	const lane = place >= 0 && threadOf(owner) >= 0 ?
		page.lane(threadOf(owner)) : null;
	if (lane !== null && place < (lane.levels[depth]?.step.length ??
		0))
		page.goTo({ thread: threadOf(owner), depth, at: place });
	const entry = number("entry", -1);
	if (page.hasEntries && entry >= 0 &&
		entry < page.trace.entries.time.length)
		page.selectEntry(entry);
	const method = number("method", -1);
	if (method >= 0 && method < page.trace.methods.length) {
		if (page.tab === "profile" && lane === null)
			page.wanted = page.trace.same[method];
		page.chooseMethod(page.trace.same[method]);
	}
}
