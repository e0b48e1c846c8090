// search.js - the search: its box, which methods it finds, and the next hit
//
// A search is for a part of a name; with a parenthesis, of a signature, too;
// between slashes it is a regular expression. hits has a 1 for each method that
// is found, or is null without a search; marks counts the calls of these
// methods over the time of the trace, for the overview. Of rows with the same
// name only the first one is a hit (see Trace in data.js).

import { button } from "./controls.js";
import { STRAY } from "./data.js";
import { element, formatPlural, searchable } from "./format.js";
import { firstAbove } from "./lanes.js";
import { transformWords } from "./transforms.js";
import { PIECE, runFor } from "./work.js";

const MARKS = 800;			// of hits, over the whole time
const PAUSE = 120;			// ms without a key, before it searches

export class Search {
	constructor(app) {
		this.app = app;
		this.query = "";
		this.hits = this.marks = null;
		this.waiting = this.next = 0;
		this.box = element("input", {
			type: "search", placeholder: "Search methods",
			title: "Names; with a parenthesis, signatures, too; " +
				"/between slashes/, a regular expression",
			"aria-label": "Search methods",
			oninput: () => {
				clearTimeout(this.waiting);
				this.waiting = setTimeout(() =>
					this.set(this.box.value), PAUSE);
			},
			onkeydown: (event) => {
				if (event.key === "Escape")
					this.set("");
				if (event.key !== "Enter")
					return;
				this.set(this.box.value);
				this.goToNext(event.shiftKey ? -1 : 1);
			},
		});
		this.found = element("output", { class: "found" });
		this.root = element("span", { class: "search", role: "search" },
			this.box, button("Previous hit", "Previous hit (N)",
				() => this.goToNext(-1), "‹"),
			button("Next hit", "Next hit (n)",
				() => this.goToNext(1), "›"), this.found);
	}

	set(query) {
		const { app } = this;
		clearTimeout(this.waiting);
		this.waiting = 0;
		this.query = query;
		if (this.box.value !== query)
			this.box.value = query;
		app.timeline.hits.clear();
		this.hits = this.marks = null;
		this.found.value = "";
		this.show();
		if (query.trim() !== "")
			this.start(this.find());
		app.address.keep();
	}

	// Shows what is found.
	show() {
		const { app } = this;
		app.timeline.request();
		if (app.tab === "flame")
			app.panels.draw();
	}

	// Works in slices; then goes to a hit, if that was asked for.
	start(work) {
		clearTimeout(this.waiting);
		this.work = work;
		this.waiting = setTimeout(() => this.goOn());
	}

	goOn() {
		if (!runFor(this.work).done) {
			this.waiting = setTimeout(() => this.goOn());
			return;
		}
		this.waiting = 0;
		this.show();
		if (this.next !== 0)
			this.goToNext(this.next);
	}

	// Finds the methods.
	*find() {
		const { app } = this, { trace, transforms } = app;
		const wanted = searchable(this.query.trim());
		const regex = /^\/(.+)\/$/s.exec(this.query.trim());
		const signatures = regex === null && wanted.includes("(");
		let matches = (text) => searchable(text).includes(wanted);
		const hits = new Uint8Array(trace.methods.length);
		try {
			const pattern = regex === null ? null :
				new RegExp(regex[1], "i");
			if (pattern !== null)
				matches = (text) => pattern.test(text);
		} catch {
			this.found.value = "no regular expression";
			this.hits = hits;
			return;
		}
		let count = 0;
		for (let i = 0; i < trace.methods.length; i++) {
			const method = trace.methods[i];
			if (i % (PIECE / 10) === 0)
				yield 1;
			if (trace.same[i] !== i || method.absent ||
				(method.made && !transforms.some(({ made }) =>
					made === i)))
				continue;
			if (matches(!signatures ? method.label : method.label +
				method.parameters + app.nameOf(i))) {
				hits[i] = 1;
				count++;
			}
		}
		this.hits = hits;
		this.found.value = formatPlural(count, "method");
		if (trace.report === undefined)
			yield* this.countMarks();
	}

	// Counts the calls that are found, and their places in the overview.
	*countMarks() {
		const { app, hits } = this, { trace, transforms } = app;
		if (hits === null || this.found.value.startsWith("no"))
			return;
		const { from, to } = app.span;
		const marks = new Uint32Array(MARKS);
		let calls = 0;
		for (const thread of trace.threads) {
			const steps = yield* trace.decodeSteps(thread.index);
			const times = steps[app.clock];
			const words = transforms.length === 0 ? steps.word :
				yield* transformWords(trace, steps.word,
					transforms);
			for (let i = 0; i < steps.count; i++) {
				if (i % PIECE === PIECE - 1)
					yield 1;
				const word = words[i];
				if (word === 0 || word === STRAY ||
					hits[trace.same[word - 1]] === 0)
					continue;
				calls++;
				marks[Math.max(0,
					Math.min(MARKS - 1, Math.floor(
					(times[i] - from) / (to - from) *
					MARKS)))]++;
			}
		}
		const methods = hits.reduce((sum, one) => sum + one, 0);
		// The places of calls that were left out are not known, and
		// through transforms not even their number.
		const least = trace.thinned !== undefined &&
			transforms.length > 0 ? "≥ " : "";
		if (trace.thinned !== undefined && least === "") {
			yield* trace.decodeDurations();
			calls = hits.reduce((sum, one, method) => one === 0 ?
				sum : trace.durationsOf(method).counts.reduce(
					(all, [, count]) => all + count, sum),
			0);
		}
		this.marks = marks;
		this.found.value = `${least}${formatPlural(calls,
			"call")} of ${formatPlural(methods, "method")}`;
	}

	// Selects the next call, in time, of a method that is found; by is -1
	// for the one before.
	goToNext(by) {
		const { app } = this;
		// A search may have to end first.
		this.next = this.waiting === 0 ? 0 : by;
		if (this.hits === null || this.next !== 0)
			return;
		const now = app.selected === null ? [by > 0 ? app.view.from :
			app.view.to, -1, 0] : this.placeOf(app.selected);
		const compare = (a, b) => a[0] - b[0] || a[1] - b[1] ||
			a[2] - b[2];
		let best = null, found = null;
		for (const thread of app.trace.threads) {
			const lane = app.lane(thread.index);
			lane.levels.forEach((level, depth) => {
				const hits = app.timeline.levelHits(level);
				const place = (i) =>
					[hits.start[i], thread.index,
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
					null && compare(place(i), best) * by >
						0))
					return;
				best = place(i);
				found = { thread: thread.index, depth, at:
					firstAbove(level.step, hits.step[i]) -
						1 };
			});
		}
		if (found !== null)
			app.goTo(found);
		else
			app.announce("No more hits");
	}

	// Calls are in the order of start, thread and step.
	placeOf({ thread, depth, at }) {
		const level = this.app.lane(thread).levels[depth];
		return [level.start[at], thread, level.step[at]];
	}
}
