// threads.js - the threads of the timeline: their order, places and names
//
// A thread is a line with its name, which stays visible while its calls are
// scrolled, and a row for each depth of its calls. Calls that span all that is
// seen need no rows: they are named on the line, one after the other, and a
// press on them shows their rows. Which calls do so changes with the view;
// rows move only when the view has been at rest for a moment.

import { element, formatPlural, shorten } from "./format.js";

export const HEADER = 22, ROW = 16, FOLDED = 8;
const SPACE = 6;
const ROWS_UNFOLDED = 90;		// of all threads, at first
const REST = 200;			// ms

export class ThreadList {
	constructor(timeline) {
		this.timeline = timeline;
		this.folded = new Set();
		this.foldedAtFirst = this.folded;
		this.opened = new Set();	// all of their calls have rows
		this.filter = "";
		this.items = [];
		this.places = new Map();	// of threads on the page
		this.root = element("div", { class: "spacer" });
	}

	get app() {
		return this.timeline.app;
	}

	// Prepares for another trace: unfolds the threads that fit on two
	// screens.
	reset() {
		const { trace } = this.app;
		let rows = 0;
		this.folded.clear();
		this.opened.clear();
		for (const index of trace.order) {
			rows += trace.threads[index].depth + 2;
			if (rows > ROWS_UNFOLDED && index !== trace.order[0])
				this.folded.add(index);
		}
		this.foldedAtFirst = new Set(this.folded);
	}

	// Arranges them again when the view has been at rest.
	await() {
		clearTimeout(this.waiting);
		this.waiting = setTimeout(() => {
			this.waiting = 0;
			if (this.timeline.drag !== null)
				this.await();
			else
				this.arrange();
		}, REST);
	}

	// Computes the place of each thread. What is at the top stays there.
	arrange() {
		const { trace } = this.app;
		const scroller = this.timeline.scroller;
		const top = scroller.scrollTop;
		const before = this.items.find((one) => one.y + one.height > top);
		let y = 0;
		this.items = [];
		for (const index of trace.order) {
			const thread = trace.threads[index];
			if (!`${thread.label} ${thread.number}`.toLowerCase()
				.includes(this.filter))
				continue;
			const folded = this.folded.has(index);
			const rows = thread.depth;
			const spans = folded ? [] : this.spanning(index);
			const skip = this.opened.has(index) ? 0 : spans.length;
			const height = HEADER + SPACE + (folded ?
				(rows > 0 ? FOLDED : 0) : (rows - skip) * ROW);
			this.items.push({ thread, y, folded, rows, skip, spans,
				height });
			y += height;
		}
		this.root.style.height = `${y}px`;
		this.timeline.setHeight(y);
		this.moveLines();
		const after = this.items.find((one) =>
			one.thread === before?.thread);
		if (after !== undefined && top > 0)
			scroller.scrollTop = Math.max(after.y, top + after.y -
				before.y - (after.skip - before.skip) * ROW);
		this.timeline.request();
	}

	// Returns the methods of a thread's calls that span the view, if there are
	// several.
	spanning(index) {
		const { app } = this;
		if (!app.hasLane(index))
			return [];
		const { pixel } = this.timeline;
		const found = app.lane(index).spanning(
			Math.max(app.view.from, app.span.from) + pixel,
			Math.min(app.view.to, app.span.to) - pixel);
		return found.length > 1 ? found : [];
	}

	// Lines are kept, and with them the focus.
	moveLines() {
		const places = this.places;
		this.places = new Map();
		for (const item of this.items) {
			const place = places.get(item.thread);
			if (place === undefined)
				continue;
			places.delete(item.thread);
			this.places.set(item.thread, place);
			this.updateLine(item);
		}
		for (const { root } of places.values())
			root.remove();
		this.root.querySelector(".empty")?.remove();
		if (this.items.length === 0)
			this.root.append(element("p", { class: "empty" },
				this.app.trace.threads.length === 0 ?
					"No thread has events." :
					"No thread has such a name."));
	}

	// Makes the line of a thread, when it becomes visible.
	showLine(item) {
		const { thread } = item;
		if (this.places.has(thread))
			return;
		const toggle = (threads) => {
			if (!threads.delete(thread.index))
				threads.add(thread.index);
			this.arrange();
			this.app.keepState();
		};
		const head = element("button", { type: "button", class: "head",
			onclick: () => toggle(this.folded) },
		element("span", { class: "name" }, shorten(thread.label, 80)),
		` ${thread.number} · ${formatPlural(thread.calls, "call")}`);
		const crumbs = element("button", { type: "button",
			class: "crumbs", hidden: true, "aria-label": "Calls that " +
				"span all that is seen", onclick: () => toggle(this.opened) });
		const root = element("div", { class: "thread" },
			element("div", { class: "line" }, head, crumbs));
		this.places.set(thread, { root, head, crumbs });
		this.root.append(root);
		this.updateLine(item);
	}

	updateLine(item) {
		const { app } = this;
		const { root, head, crumbs } = this.places.get(item.thread);
		root.style.top = `${item.y}px`;
		root.style.height = `${item.height}px`;
		head.setAttribute("aria-expanded", String(!item.folded));
		const { spans } = item;
		crumbs.hidden = spans.length === 0;
		if (crumbs.hidden)
			return;
		crumbs.setAttribute("aria-expanded",
			String(this.opened.has(item.thread.index)));
		const names = spans.map((method) =>
			app.trace.methods[method].short);
		const text = names.slice(-8).join(" › ");
		crumbs.setAttribute("aria-label", `${formatPlural(spans.length,
			"call")} span all that is seen: ${text}`);
		crumbs.title = shorten(names.join("\n"), 2000);
		// The text is cut from the left, and begins with its last line.
		crumbs.replaceChildren(`${spans.length} `, element("span", {},
			element("bdi", { dir: "ltr" }, names.length > 8 ?
				`… › ${text}` : text)));
	}

	foldAll(folds) {
		this.folded = new Set(folds ?
			this.app.trace.threads.map((one) => one.index) : []);
		this.arrange();
		this.app.keepState();
	}

	setFilter(text) {
		this.filter = text.toLowerCase();
		this.arrange();
	}

	find(index) {
		return this.items.find((one) => one.thread.index === index);
	}

	// Returns where a row of calls is; null: it is not shown.
	rowOf(item, depth) {
		if (item === undefined || (item.folded ? depth > 0 :
			depth < item.skip))
			return null;
		return item.y + HEADER + (item.folded ? 0 :
			(depth - item.skip) * ROW);
	}

	// Returns the thread and depth at a height; undefined: none.
	at(y) {
		const item = this.items.find((one) => y >= one.y &&
			y < one.y + one.height);
		if (item === undefined || item.rows === 0 || y < item.y + HEADER)
			return undefined;
		return { item, depth: item.folded ? 0 : item.skip +
			Math.floor((y - item.y - HEADER) / ROW) };
	}

	// Makes sure that a call has a row.
	show(call) {
		const item = this.find(call.thread);
		const folded = this.folded.delete(call.thread);
		if (item === undefined)
			this.timeline.setFilter("");
		if (item !== undefined && call.depth < item.skip)
			this.opened.add(call.thread);
		else if (!folded)
			return;
		this.arrange();
	}
}
