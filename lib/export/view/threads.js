// threads.js - the threads of the timeline: their order, places and names
//
// A thread is a line with its name, which stays visible while its calls are
// scrolled, and a row for each depth of its calls. A thread that is folded has
// its strip on the line, and so has a group: threads whose names differ in a
// number, which are folded into one line. Calls that span all that is seen need
// no rows: they are named on the line, one after the other, and a press on them
// shows their rows. Which calls do so changes with the view; rows move only
// when the view has been at rest for a moment.

import { choice } from "./controls.js";
import { element, formatPlural, shorten } from "./format.js";
import { sumStrips } from "./strips.js";

export const HEADER = 22, ROW = 16;
const SPACE = 6;
const ROWS_UNFOLDED = 60;		// of all threads, at first
const GROUPED = 3;			// threads, at least
const REST = 200;			// ms

const ORDERS = { main: "Main, then CPU time", cpu: "CPU time", start: "Start",
	name: "Name", calls: "Calls" };

export class ThreadList {
	constructor(timeline) {
		this.timeline = timeline;
		this.folded = new Set();
		this.foldedAtFirst = this.folded;
		this.opened = new Set();	// all of their calls have rows
		this.hidden = new Set();
		this.pinned = new Set();	// the latest is the last
		this.unfoldedGroups = new Set();	// their first threads
		this.order = "main";
		this.filter = "";
		this.items = [];
		this.places = new Map();	// of lines on the page
		this.root = element("div", { class: "spacer" });
		this.choice = choice(timeline.app, "Order of threads", () => {
			this.order = this.choice.value;
			this.change();
		}, Object.entries(ORDERS).map(([value, text]) =>
			element("option", { value }, text)));
		this.unhide = element("button", { type: "button", hidden: true,
			onclick: () => {
				this.hidden.clear();
				this.change();
			} });
	}

	get app() {
		return this.timeline.app;
	}

	// Prepares for another trace: unfolds the threads that fit on two
	// screens, in any order the same ones.
	reset() {
		const { trace } = this.app;
		for (const set of [this.folded, this.opened, this.hidden,
			this.pinned, this.unfoldedGroups])
			set.clear();
		this.findGroups();
		let rows = 0;
		for (const index of this.sorted("main")) {
			rows += trace.threads[index].depth + 2;
			if (rows > ROWS_UNFOLDED && index !== trace.main)
				this.folded.add(index);
		}
		this.foldedAtFirst = new Set(this.folded);
	}

	// Finds threads whose names differ in their last number.
	findGroups() {
		const { threads, main } = this.app.trace, byName = new Map();
		this.groups = [];		// by thread, if it is in one
		threads.forEach((thread, index) => {
			const name = thread.name.replace(/\d+(?=\D*$)/, "*");
			if (index === main || name === thread.name)
				return;
			if (!byName.has(name))
				byName.set(name, { label: name, threads: [] });
			byName.get(name).threads.push(thread);
		});
		for (const group of byName.values())
			for (const { index } of group.threads)
				if (group.threads.length >= GROUPED)
					this.groups[index] = group;
	}

	// Returns the indexes of threads in an order.
	sorted(order = this.order) {
		const { trace } = this.app, { threads, main } = trace;
		const clock = trace.clocks.includes("cpu") ? "cpu" : "wall";
		const busy = (i) => trace.lengthOf(threads[i], clock);
		const by = {
			cpu: (a, b) => busy(b) - busy(a),
			main: (a, b) => (b === main) - (a === main) ||
				busy(b) - busy(a),
			start: (a, b) => threads[a].first[1] -
				threads[b].first[1],
			name: (a, b) => threads[a].label.localeCompare(
				threads[b].label, "en", { numeric: true }),
			calls: (a, b) => threads[b].calls - threads[a].calls,
		}[order];
		return threads.map((_, i) => i).sort((a, b) =>
			by(a, b) || a - b);
	}

	// Arranges them after a choice, which is part of the address.
	change() {
		this.choice.value = this.order;
		this.arrange();
		this.app.address.keep();
	}

	// Arranges them again when the view has been at rest.
	await() {
		clearTimeout(this.waiting);
		this.waiting = setTimeout(() => {
			this.waiting = 0;
			if (this.timeline.gestures.drag !== null)
				this.await();
			else
				this.arrange();
		}, REST);
	}

	// Returns threads and groups from the first to the last that is shown.
	// A group is where its first thread would be.
	listed() {
		const { threads } = this.app.trace;
		const seen = new Set(), found = [];
		for (const index of [...[...this.pinned].reverse(),
			...this.sorted()]) {
			const thread = threads[index], group =
				this.groups[index];
			if (seen.has(thread) || this.hidden.has(index) ||
				!`${thread.label} ${thread.number}`.toLowerCase(
					)
					.includes(this.filter))
				continue;
			seen.add(thread);
			if (group === undefined || this.filter !== "" ||
				this.pinned.has(index)) {
				found.push({ thread });
				continue;
			}
			if (seen.has(group))
				continue;
			seen.add(group);
			const shown = group.threads.filter((one) =>
				!this.hidden.has(one.index) &&
				!this.pinned.has(one.index));
			found.push({ group, shown });
			for (const one of this.isUnfolded(group) ? shown : []) {
				seen.add(one);
				found.push({ thread: one, inside: true });
			}
		}
		return found;
	}

	isUnfolded(group) {
		return this.unfoldedGroups.has(group.threads[0].index);
	}

	// Computes the place of each thread. What is at the top stays there.
	arrange() {
		const scroller = this.timeline.scroller;
		const top = scroller.scrollTop;
		const before =
			this.items.find((one) => one.y + one.height > top);
		let y = 0;
		this.items = [];
		for (const one of this.listed()) {
			const { thread, group } = one;
			const folded = group !== undefined ||
				this.folded.has(thread.index);
			const rows = folded ? 0 : this.app.transforms.length >
				0 &&
				this.app.hasLane(thread.index) ?
				this.app.lane(thread.index).rows : thread.depth;
			const spans = folded ? [] : this.spanning(thread.index);
			const skip = folded || this.opened.has(thread.index) ?
				0 :
				spans.length;
			const height = HEADER + (folded ? 0 :
				SPACE + (rows - skip) * ROW);
			this.items.push({ ...one, of: group ?? thread, y,
				folded,
				rows, skip, spans, height });
			y += height;
		}
		this.root.style.height = `${y}px`;
		this.timeline.setHeight(y);
		this.moveLines();
		const after = this.items.find((one) => one.of === before?.of);
		if (after !== undefined && top > 0)
			scroller.scrollTop = Math.max(after.y, top + after.y -
				before.y - (after.skip - before.skip) * ROW);
		this.unhide.hidden = this.hidden.size === 0;
		this.unhide.textContent = `Show ${this.hidden.size} hidden`;
		this.timeline.request();
	}

	// Returns the methods of a thread's calls that span the view, if there
	// are several.
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

	// Lines are in their order on the page, for keys and screen readers.
	orderLines() {
		const focus = document.activeElement;
		let last = null;
		for (const item of this.items) {
			const root = this.places.get(item.of)?.root;
			if (root === undefined)
				continue;
			const next = last === null ? this.root.firstChild :
				last.nextSibling;
			if (next !== root)
				this.root.insertBefore(root, next);
			last = root;
		}
		if (focus !== document.activeElement &&
			this.root.contains(focus))
			focus.focus({ preventScroll: true });
	}

	// Lines are kept, and with them the focus.
	moveLines() {
		const places = this.places;
		this.places = new Map();
		for (const item of this.items) {
			const place = places.get(item.of);
			if (place === undefined)
				continue;
			places.delete(item.of);
			this.places.set(item.of, place);
			this.updateLine(item);
		}
		for (const { root } of places.values())
			root.remove();
		this.orderLines();
		this.root.querySelector(".empty")?.remove();
		if (this.items.length === 0)
			this.root.append(element("p", { class: "empty" },
				this.app.trace.threads.length === 0 ?
					"No thread has events." :
					this.hidden.size > 0 ?
						"All threads are hidden." :
						"No thread has such a name."));
	}

	toggle(set, index) {
		if (!set.delete(index))
			set.add(index);
		this.change();
	}

	// Makes the line of a thread or group, when it becomes visible.
	showLine(item) {
		const { of, thread, group } = item;
		if (this.places.has(of))
			return;
		const index = thread?.index;
		const head = element("button", { type: "button", class: "head",
			onclick: () => group === undefined ?
				this.toggle(this.folded, index) :
				this.toggle(this.unfoldedGroups,
					group.threads[0].index) },
		element("span", { class: "name" }, shorten(of.label, 80)),
		" ", element("span", { class: "rest" }, group !== undefined ?
			formatPlural(group.threads.length, "thread") : `${
				thread.number} · ${formatPlural(thread.calls,
				"call")}`));
		const crumbs = element("button", { type: "button",
			class: "crumbs", hidden: true, "aria-label":
				"Calls that " +
				"span all that is seen",
			onclick: () => this.toggle(this.opened, index) });
		const more = element("button", { type: "button", class: "dots",
			"aria-label": `Choices for ${shorten(of.label, 80)}`,
			"aria-haspopup": "menu",
			onclick: () => this.openMenu(item, more) }, "⋯");
		const root = element("div", { class: "thread" }, element("div",
			{ class: "line", oncontextmenu: (event) => {
				event.preventDefault();
				this.openMenu(item, event);
			} }, head, crumbs, more));
		this.places.set(of, { root, head, crumbs });
		this.orderLines();
		this.updateLine(item);
	}

	openMenu({ thread, group, shown, of }, near) {
		const { app } = this;
		const all = group === undefined ? [thread] : shown;
		const hide = (keep) => {
			for (const one of app.trace.threads)
				if (all.includes(one) !== keep)
					this.hidden.add(one.index);
			this.change();
		};
		app.menu.open(of.label, [
			...group !== undefined ? [] : [
				[this.pinned.has(thread.index) ? "Unpin" :
					"Pin to the top", () => this.toggle(
					this.pinned, thread.index)],
				["Show in the panels", () =>
					app.setThread(thread.index)]],
			["Hide", () => hide(false)],
			["Hide all others", () => hide(true)],
		], near);
	}

	updateLine(item) {
		const { app } = this;
		const { root, head, crumbs } = this.places.get(item.of);
		root.style.top = `${item.y}px`;
		root.style.height = `${item.height}px`;
		root.classList.toggle("folded", item.folded);
		root.classList.toggle("inside", item.inside === true);
		head.setAttribute("aria-expanded",
			String(item.group !== undefined ?
			this.isUnfolded(item.group) : !item.folded));
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

	// Returns the strip of a thread or group.
	stripOf({ thread, group, shown }) {
		const { trace } = this.app;
		if (group === undefined)
			return trace.stripOf(thread.index);
		const summed = shown.map(({ index }) => index);
		if (String(group.summed) !== String(summed)) {
			group.sum = sumStrips(summed.map((index) =>
				trace.stripOf(index)));
			group.summed = summed;
		}
		return group.sum;
	}

	foldAll(folds) {
		const { threads } = this.app.trace;
		this.folded = new Set(folds ? threads.map((one) => one.index) :
			[]);
		this.unfoldedGroups = new Set(folds ? [] : this.groups.map(
			(group) => group.threads[0].index));
		this.change();
	}

	setFilter(text) {
		this.filter = text.toLowerCase();
		this.arrange();
	}

	find(index) {
		return this.items.find((one) => one.thread?.index === index);
	}

	// Returns where a row of calls is; null: it is not shown.
	rowOf(item, depth) {
		return item === undefined || item.folded || depth < item.skip ?
			null : item.y + HEADER + (depth - item.skip) * ROW;
	}

	itemAt(y) {
		return this.items.find((one) => y >= one.y &&
			y < one.y + one.height);
	}

	// Returns the thread and depth at a height; undefined: none.
	at(y) {
		const item = this.itemAt(y);
		return item === undefined || item.folded ||
			y < item.y + HEADER ? undefined : { item, depth:
			item.skip + Math.floor((y - item.y - HEADER) / ROW) };
	}

	// Makes sure that a call has a row.
	show(call) {
		const item = this.find(call.thread);
		if (item !== undefined && !item.folded && call.depth >=
			item.skip)
			return;
		this.folded.delete(call.thread);
		this.hidden.delete(call.thread);
		if (item !== undefined && call.depth < item.skip)
			this.opened.add(call.thread);
		const group = this.groups[call.thread];
		if (group !== undefined)
			this.unfoldedGroups.add(group.threads[0].index);
		if (item === undefined)
			this.timeline.setFilter("");
		this.arrange();
	}
}
