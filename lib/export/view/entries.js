// entries.js - the entries of an event log: a strip of the timeline, and a list
//
// Entries are numbered by time. The strip has one mark for each pixel that has
// entries; the list has the entries of the selected range and thread.

import { filterBox } from "./controls.js";
import { describeEntry, threadOfEntry } from "./detail.js";
import { element, fitCanvas, FONT, formatCount, formatPlural, formatTime,
	shorten } from "./format.js";
import { firstAbove } from "./lanes.js";

const HEIGHT = 18, MARK = 4, REACH = 5, ENTRIES_SHOWN = 200;

export class EntryStrip {
	constructor(timeline) {
		this.timeline = timeline;
		this.hover = -1;
		this.canvas = element("canvas", {
			class: "entries", "aria-hidden": "true",
			onpointermove: (event) => this.onMove(event),
			onpointerleave: () => this.leave(),
			onclick: (event) =>
				timeline.app.selectEntry(this.at(event)),
		});
	}

	// Returns the entry nearest to a click, at most a few pixels away.
	at(event) {
		const { app, pixel } = this.timeline, times =
			app.trace.entries.time;
		const time = this.timeline.timeAt(event);
		const next = firstAbove(times, time);
		const [best] = [next - 1, next].filter((one) => one >= 0 &&
			one < times.length &&
			Math.abs(times[one] - time) <= REACH * pixel)
			.sort((a, b) => Math.abs(times[a] - time) -
				Math.abs(times[b] - time));
		return best ?? -1;
	}

	onMove(event) {
		const { timeline } = this;
		const found = event.pointerType === "touch" ? -1 :
			this.at(event);
		if (found !== this.hover)
			timeline.request();
		this.hover = found;
		timeline.showTip(null);
		if (found >= 0)
			timeline.placeTip(describeEntry(timeline.app, found),
				event);
	}

	leave() {
		this.hover = -1;
		this.timeline.placeTip(null);
		this.timeline.request();
	}

	// Draws marks, and names where there is space before the next mark.
	draw() {
		const { timeline, canvas } = this, { app, width } = timeline;
		canvas.hidden = !app.hasEntries;
		if (canvas.hidden)
			return;
		const { palette, entry, trace: { entries } } = app;
		const { time, name } = entries;
		const { origin, pixel } = timeline;
		const context = fitCanvas(canvas, width, HEIGHT);
		context.fillStyle = palette.panel;
		context.fillRect(0, 0, width, HEIGHT);
		context.font = FONT;
		context.textBaseline = "middle";
		const letter = context.measureText("0123456789").width / 10;
		const mark = (at, color, size) => {
			const x = (time[at] - origin) / pixel;
			context.fillStyle = color;
			context.beginPath();
			context.moveTo(x, HEIGHT / 2 - size);
			context.lineTo(x + size, HEIGHT / 2);
			context.lineTo(x, HEIGHT / 2 + size);
			context.lineTo(x - size, HEIGHT / 2);
			context.fill();
			return x;
		};
		for (let at = firstAbove(time, origin - MARK * pixel);
			at < time.length;) {
			const x = mark(at, palette.entry, MARK);
			if (x > width + MARK)
				break;
			const next = firstAbove(time, time[at] + pixel, at);
			const room = Math.floor(((next < time.length ?
				(time[next] - origin) / pixel : width) - x -
				3 * MARK) / letter);
			if (room >= 3) {
				const text = name[at];
				context.fillStyle = palette.text;
				context.fillText(text.length <= room ? text :
					`${text.slice(0, room - 1)}…`,
				x + MARK + 3, HEIGHT / 2 + 0.5);
			}
			at = next;
		}
		if (this.hover >= 0)
			mark(this.hover, palette.text, MARK + 1);
		if (entry >= 0)
			mark(entry, palette.accent, MARK + 2);
	}

	// Draws lines across the threads for the entry under the pointer and
	// for the selected entry.
	drawLines(context, height) {
		const { app, origin, pixel } = this.timeline;
		if (!app.hasEntries)
			return;
		const { palette, trace: { entries: { time } } } = app;
		for (const [at, color] of [[this.hover, palette.text],
			[app.entry, palette.accent]])
			if (at >= 0) {
				context.fillStyle = color;
				context.fillRect(Math.round((time[at] -
					origin) /
					pixel), 0, 1, height);
			}
	}
}

export class EntryList {
	constructor(app) {
		this.app = app;
		this.shown = ENTRIES_SHOWN;
		this.filterBox = filterBox("Filter entries",
			"Filter entries by text", () => {
				this.shown = ENTRIES_SHOWN;
				app.panels.draw();
				app.address.keep();
			});
		this.status = element("output", { class: "status" });
		this.place = element("div", { class: "scrolls" });
		this.root =
			element("div", {}, element("div", { class: "tools" },
			this.filterBox, this.status), this.place);
	}

	// There are few: all are found at once.
	*prepare() {
		const { trace: { entries, threads }, range, thread } = this.app;
		const { time, number, name, detail } = entries;
		const wanted = this.filterBox.value.toLowerCase();
		const found = [];
		for (let at = range === null ? 0 : firstAbove(time,
			range.from - 1); at < time.length && (range === null ||
			time[at] < range.to); at++)
			if ((thread < 0 || number[at] ===
				threads[thread].number) &&
				`${name[at]} ${detail[at]}`.toLowerCase()
					.includes(wanted))
				found.push(at);
		this.found = found;
	}

	render() {
		const { app, found } = this, { entries } = app.trace;
		this.status.value = found.length === entries.time.length ?
			formatPlural(found.length, "entry", "entries") :
			`${formatCount(found.length)} of ${formatPlural(
				entries.time.length, "entry", "entries")}`;
		const row = (at) => element("tr", {
			class: at === app.entry ? "chosen" : null,
		}, element("th", { scope: "row" }, element("button", {
			type: "button", onclick: () => {
				app.goToEntry(at);
				app.timeline.root.scrollIntoView();
			},
		}, `at ${formatTime(entries.time[at], 1000)}`)),
		...[shorten(entries.name[at], 120),
			shorten(entries.detail[at], 500),
			threadOfEntry(app, at)].map((text) =>
			element("td", { class: "text" }, text)));
		const head = (text) => element("th",
			{ scope: "col", class: "text" }, text);
		this.place.replaceChildren(element("table", { class: "log" },
			element("caption", { class: "hidden" },
				"Entries of the event log"),
			element("thead", {},
				element("tr", {}, ...["Time", "Tag",
				"Values", "Thread"].map(head))),
			element("tbody", {}, ...found.slice(0, this.shown)
				.map(row))));
		if (found.length > this.shown)
			this.place.append(element("button", {
				type: "button", class: "more", onclick: () => {
					this.shown += 10 * ENTRIES_SHOWN;
					app.panels.draw();
				},
			}, "Show more"));
	}
}
