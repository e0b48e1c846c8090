// timeline.js - the calls of all threads over time, on a canvas

import { button, filterBox } from "./controls.js";
import { describeCall } from "./detail.js";
import { EntryStrip } from "./entries.js";
import { element, fitCanvas, fitLabel, FONT, formatDuration, formatPlural,
	formatTime, roundStep, showTip } from "./format.js";
import { Gestures } from "./gestures.js";
import { paintBars, selectCalls } from "./lanes.js";
import { Overview } from "./overview.js";
import { describeStrip, drawStrip, WITHOUT_STRIPS } from "./strips.js";
import { HEADER, ROW, ThreadList } from "./threads.js";
import { runFor } from "./work.js";

const BAR = 15;
const RULER = 22;
const SEEN = 2;				// pixels of a call that can be seen
const HATCHED = new Uint32Array(1);	// no color of a bar

export class Timeline {
	constructor(app) {
		this.app = app;
		this.threads = new ThreadList(this);
		this.held = new Set();		// keys that move the view
		this.hover = null;
		this.hits = new Map();		// by level: see levelHits
		this.build();
	}

	build() {
		const canvas = (name) =>
			element("canvas", { class: name });
		this.overview = new Overview(this);
		this.ruler = canvas("ruler");
		this.canvas = canvas("bars");
		this.ruler.setAttribute("aria-hidden", "true");
		this.canvas.setAttribute("aria-hidden", "true");
		this.entries = new EntryStrip(this);
		this.spacer = this.threads.root;
		this.scroller = element("div", {
			class: "lanes", tabindex: 0, role: "application",
			"aria-roledescription": "timeline",
			"aria-describedby": "keys",
			onscroll: () => this.request(),
			onkeydown: (event) => this.onKey(event),
		}, this.canvas, this.spacer);
		this.tip = element("div", { class: "tip", hidden: true });
		const act = (text, title, choice) =>
			button(title, title, choice, text);
		this.filterBox = filterBox("Filter threads",
			"Filter threads by name", () => {
				this.setFilter(this.filterBox.value);
				this.app.address.keep();
			});
		this.status = element("output", { class: "status" });
		this.root = element("section", {
			class: "timeline", "aria-label": "Timeline",
		}, element("div", { class: "tools" },
			act("+", "Zoom in (w)", () => this.zoom(0.5)),
			act("−", "Zoom out (s)", () => this.zoom(2)),
			act("Whole", "Show the whole trace (0)", () =>
				this.app.setView(this.app.span)),
			act("Fold", "Fold all threads", () =>
				this.threads.foldAll(true)),
			act("Unfold", "Unfold all threads", () =>
				this.threads.foldAll(false)),
			this.threads.choice, this.filterBox,
				this.threads.unhide,
			this.status, element("span",
				{ class: "note hint" },
					"Ctrl + wheel zooms, drag " +
				"moves, Shift + drag selects time, ? lists " +
				"keys")),
		this.overview.canvas, this.ruler, this.entries.canvas,
		this.scroller, this.tip);
		this.gestures = new Gestures(this);
		new ResizeObserver(() => this.threads.arrange())
			.observe(this.scroller);
	}

	// Prepares the timeline for another trace, or its other clock.
	reset() {
		const app = this.app;
		this.hits.clear();
		this.hover = null;
		this.scroller.setAttribute("aria-label", `Timeline of ${
			formatPlural(app.trace.threads.length, "thread")}, ${
			formatDuration(app.span.to - app.span.from)}`);
		this.threads.arrange();
	}

	setFilter(text) {
		if (this.filterBox.value !== text)
			this.filterBox.value = text;
		this.threads.setFilter(text);
	}

	// Makes it as high as its threads, unless somebody has chosen a height.
	setHeight(rows) {
		const most = this.chosenHeight ?? Math.min(rows + 4,
			Math.round(window.innerHeight * 0.42));
		this.scroller.style.height = `${Math.max(60, most)}px`;
	}

	get width() {
		return Math.max(1, this.scroller.clientWidth);
	}

	get pixel() {
		const { from, to } = this.app.view;
		return (to - from) / this.width;
	}

	// The time at which the first pixel starts. Pixels are on a grid, so
	// that bars do not flicker while they move.
	get origin() {
		return Math.floor(this.app.view.from / this.pixel) * this.pixel;
	}

	timeAt(event) {
		const box = this.scroller.getBoundingClientRect();
		return this.app.view.from + (event.clientX - box.left) *
			this.pixel;
	}

	request() {
		if (this.frame)
			return;
		this.frame = requestAnimationFrame((now) => {
			this.frame = 0;
			this.move(now);
			this.draw();
		});
	}

	// Moves the view while keys are held down.
	move(now) {
		if (this.held.size === 0) {
			this.moved = 0;
			return;
		}
		const passed = this.moved ? Math.min(now - this.moved, 50) : 16;
		this.moved = now;
		const { from, to } = this.app.view;
		const speed = passed / 1000;
		let shift = 0, zoom = 0;
		for (const key of this.held) {
			shift += key === "d" ? 1 : key === "a" ? -1 : 0;
			zoom += key === "s" ? 1 : key === "w" ? -1 : 0;
		}
		if (zoom !== 0)
			this.zoom(Math.exp(zoom * speed * 2.5), this.focusTime);
		if (shift !== 0)
			this.app.setView({ from: from + shift * speed *
				(to - from),
				to: to + shift * speed * (to - from) });
		this.request();
	}

	hold(key) {
		this.held.add(key);
		this.request();
	}

	zoom(factor, center) {
		const { from, to } = this.app.view;
		const middle = center ?? (from + to) / 2;
		this.app.setView({ from: middle - (middle - from) * factor,
			to: middle + (to - middle) * factor });
	}

	get focusTime() {
		return this.pointer === undefined ? undefined :
			this.timeAt(this.pointer);
	}

	draw() {
		const app = this.app;
		if (this.root.hidden || app.trace === undefined ||
			app.trace.clocks.length === 0)
			return;
		const height = this.scroller.clientHeight;
		const pending = this.drawBars(this.width, height);
		this.drawRuler();
		this.entries.draw();
		this.overview.draw();
		if (pending)
			this.request();
	}

	// Works on the calls of threads that are not known for a part of the
	// frame. Returns whether that goes on.
	drawBars(width, height) {
		const { app } = this, { palette } = app;
		const context = fitCanvas(this.canvas, width, height);
		const ratio = this.canvas.width / width;
		const w = this.canvas.width, h = this.canvas.height;
		if (this.image === undefined || this.image.width !== w ||
			this.image.height !== h) {
			this.image = new ImageData(w, h);
			this.pixels = new Uint32Array(this.image.data.buffer);
			this.row = new Uint32Array(w);
		}
		this.pixels.fill(palette.groundPixel);
		const top = this.scroller.scrollTop;
		const pixel = this.pixel / ratio, from = this.origin;
		const labels = [];
		let pending = false;
		const gap = Math.max(1, Math.round(ratio));
		for (const item of this.threads.items) {
			if (item.y >= top + height || item.y + item.height <=
				top)
				continue;
			this.threads.showLine(item);
			if (item.folded || item.rows === 0)
				continue;
			const { index } = item.thread;
			if (!app.hasLane(index)) {
				pending ||= !runFor(app.makeLane(index)).done;
				if (pending)
					continue;
				this.threads.await();
			}
			const lane = app.lane(index);
			const { rows } = lane;
			const base = item.y + HEADER - top;
			const first = item.skip +
				Math.max(0, Math.floor(-base / ROW));
			for (let depth = first; depth < rows; depth++) {
				const y = base + (depth - item.skip) * ROW;
				if (y >= height)
					break;
				this.paintRow(lane, depth, y, BAR,
					{ from, pixel,
					gap, ratio, labels, w, h });
			}
		}
		context.putImageData(this.image, 0, 0);
		this.drawStrips(context, width, height, top);
		this.drawGrid(context, width, height, top);
		this.drawLabels(context, labels, ratio);
		this.drawCalls(context, top);
		this.entries.drawLines(context, height);
		this.drawRange(context, width, height);
		return pending;
	}

	// Paints one row of pixels, and copies it for the height of the bar.
	// Where calls were left out it is hatched.
	paintRow(lane, depth, y, size,
		{ from, pixel, gap, ratio, labels, w, h }) {
		const { palette, search: { hits } } = this.app, row = this.row;
		const level = lane.levels[depth], gaps = lane.gaps[depth];
		const hatched = gaps.start.length > 0;
		row.fill(palette.groundPixel);
		if (hatched)
			paintBars(row, gaps, from, pixel, HATCHED, gap, 60 *
				ratio,
				labels === null ? null : (x, stop, at) =>
					labels.push(x, stop, y,
						lane.leftBefore(
							gaps.step[at])));
		if (level !== undefined)
			paintBars(row, level, from, pixel, hits === null ?
				palette.pixels : palette.dimmed, gap, 28 *
					ratio,
			labels === null ? null : (x, stop, at) =>
				labels.push(x, stop, y, level.method[at]));
		if (hits !== null && level !== undefined)
			paintBars(row, this.levelHits(level), from, pixel,
				palette.pixels, gap, 0, null);
		const first = Math.max(0, Math.round(y * ratio));
		const last = Math.min(h, Math.round((y + size) * ratio));
		for (let line = first; line < last; line++)
			this.pixels.set(row, line * w);
		if (level !== undefined && this.app.method >= 0)
			this.outlineMethod(level, { from, pixel, first, last, w,
				thick: Math.round(2 * ratio) });
		for (let x = 0; x < w && hatched; x++)
			if (row[x] === HATCHED[0])
				for (let line = first; line < last; line++)
					this.pixels[line * w + x] =
						(x + line) % 6 < 2 ?
							palette.faintPixel :
							palette.groundPixel;
	}

	// Marks the calls of the selected method, above and below.
	outlineMethod(level, { from, pixel, first, last, w, thick }) {
		const { method, palette, trace } = this.app;
		if (this.chosenMethod !== method) {
			this.chosenMethod = method;
			this.chosenCalls = new Map();
		}
		let calls = this.chosenCalls.get(level);
		if (calls === undefined) {
			const wanted = new Uint8Array(trace.methods.length);
			wanted[method] = 1;
			calls = selectCalls(level, wanted);
			calls.method.fill(0);
			this.chosenCalls.set(level, calls);
		}
		if (calls.start.length === 0)
			return;
		this.mark = this.mark?.length === w ? this.mark.fill(0) :
			new Uint32Array(w);
		paintBars(this.mark, calls, from, pixel,
			[palette.accentPixel], 0, 0, null);
		for (let x = 0; x < w; x++)
			for (let i = 0; this.mark[x] !== 0 && i < thick; i++) {
				this.pixels[Math.min(first + i, last - 1) * w +
					x] =
					palette.accentPixel;
				this.pixels[Math.max(last - 1 - i, first) * w +
					x] =
					palette.accentPixel;
			}
	}

	levelHits(level) {
		let hits = this.hits.get(level);
		if (hits === undefined) {
			hits = selectCalls(level, this.app.search.hits);
			this.hits.set(level, hits);
		}
		return hits;
	}

	drawLabels(context, labels, ratio) {
		const { trace, palette, search: { hits } } = this.app;
		context.font = FONT;
		context.textBaseline = "middle";
		if (this.letter === undefined)
			this.letter =
				context.measureText("0123456789").width / 10;
		for (let i = 0; i < labels.length; i += 4) {
			const x = Math.max(0, labels[i] / ratio) + 3;
			const room =
				Math.floor((labels[i + 1] / ratio - x - 2) /
				this.letter);
			const method = trace.methods[labels[i + 3]];
			if (room < 3)
				continue;
			if (method === undefined) {
				this.drawGapLabel(context, x, labels[i + 2],
					room,
					labels[i + 3]);
				continue;
			}
			const text = fitLabel(method, room);
			context.fillStyle = hits === null ||
				hits[labels[i + 3]] !== 0 ? palette.bar :
				palette.text;
			context.fillText(text, x, labels[i + 2] + BAR / 2 +
				0.5);
		}
	}

	drawGapLabel(context, x, y, room, left) {
		const { palette } = this.app;
		const text = this.app.leftText(left);
		if (text.length > room)
			return;
		context.fillStyle = palette.ground;
		context.fillRect(x - 2, y + 1, text.length * this.letter + 4,
			BAR - 2);
		context.fillStyle = palette.text;
		context.fillText(text, x, y + BAR / 2 + 0.5);
	}

	// Whether the times that are shown are those of strips.
	get hasStrips() {
		return this.app.clock === this.app.trace.clocks[0];
	}

	// Draws the strips of threads that are folded, and of groups.
	drawStrips(context, width, height, top) {
		const { trace, palette } = this.app;
		const x = (time) => (time - this.origin) / this.pixel;
		for (const item of this.threads.items)
			if (item.folded && this.hasStrips &&
				item.y + HEADER > top && item.y < top + height)
				drawStrip(context, this.threads.stripOf(item),
					trace.strips, x, { y: item.y - top + 3,
						height: HEADER - 6, width }, 20,
					palette.css, palette.light);
	}

	drawGrid(context, width, height, top) {
		const { palette } = this.app;
		context.fillStyle = palette.line;
		for (const item of this.threads.items) {
			const y = item.y - top;
			if (y > -1 && y < height && item.y > 0)
				context.fillRect(0, Math.round(y), width, 1);
		}
	}

	// Returns the box of a call on the canvas; null: its row is not shown.
	boxOf(call) {
		const item = this.threads.find(call.thread);
		const y = this.threads.rowOf(item, call.depth);
		if (y === null)
			return null;
		const level = this.app.lane(call.thread).levels[call.depth];
		const from = this.origin, pixel = this.pixel;
		const x = (level.start[call.at] - from) / pixel;
		return { x, y, width: Math.max(2, (level.end[call.at] - from) /
			pixel - x),
			height: BAR };
	}

	drawCalls(context, top) {
		const { app } = this;
		const outline = (call, color, line) => {
			const box = call === null ? null : this.boxOf(call);
			if (box === null)
				return;
			const left = Math.max(-4, box.x);
			const right =
				Math.min(this.width + 4, box.x + box.width);
			if (right < left)
				return;
			context.strokeStyle = color;
			context.lineWidth = line;
			context.strokeRect(left + 0.5, box.y - top + 0.5,
				Math.max(1, right - left - 1), box.height - 1);
		};
		outline(this.hover, app.palette.text, 1);
		outline(app.selected, app.palette.accent, 2);
	}

	drawRange(context, width, height) {
		const { range, palette } = this.app;
		if (range === null)
			return;
		const x = (time) => (time - this.origin) / this.pixel;
		const left = x(range.from), right = x(range.to);
		context.globalAlpha = 0.55;
		context.fillStyle = palette.panel;
		context.fillRect(0, 0, Math.min(left, width), height);
		context.fillRect(right, 0, width - right, height);
		context.globalAlpha = 1;
		context.fillStyle = palette.accent;
		context.fillRect(left, 0, 1, height);
		context.fillRect(right, 0, 1, height);
	}

	drawRuler() {
		const { palette, range } = this.app, width = this.width;
		const context = fitCanvas(this.ruler, width, RULER);
		const from = this.origin, pixel = this.pixel;
		context.fillStyle = palette.panel;
		context.fillRect(0, 0, width, RULER);
		if (range !== null) {
			context.fillStyle = palette.accent;
			context.globalAlpha = 0.3;
			context.fillRect((range.from - from) / pixel, 0,
				(range.to - range.from) / pixel, RULER);
			context.globalAlpha = 1;
		}
		const step = roundStep(pixel * 110);
		const first = Math.ceil(from / step);
		context.font = "11px system-ui, sans-serif";
		context.textBaseline = "middle";
		for (let i = first; (i * step - from) / pixel < width; i++) {
			const x = Math.round((i * step - from) / pixel);
			context.fillStyle = palette.line;
			context.fillRect(x, 0, 1, RULER);
			context.fillStyle = palette.text;
			context.fillText(formatTime(i * step, step), x + 4,
				RULER / 2);
		}
	}

	// Returns the thread, depth and time under the pointer; null: none.
	placeAt(event) {
		const box = this.scroller.getBoundingClientRect();
		const place = this.threads.at(event.clientY - box.top +
			this.scroller.scrollTop);
		if (place === undefined ||
			!this.app.hasLane(place.item.thread.index))
			return null;
		return { depth: place.depth, time: this.timeAt(event),
			lane: this.app.lane(place.item.thread.index) };
	}

	// Returns the call under the pointer.
	callAt(event) {
		const place = this.placeAt(event);
		return place === null ? null : place.lane.find(place.depth,
			place.time, this.pixel);
	}

	// Describes the strip, or the calls that were left out, under the
	// pointer, or null.
	gapAt(event) {
		const { trace } = this.app;
		const box = this.scroller.getBoundingClientRect();
		const item = this.threads.itemAt(event.clientY - box.top +
			this.scroller.scrollTop);
		if (item?.folded) {
			const text = !this.hasStrips ? WITHOUT_STRIPS :
				describeStrip(this.threads.stripOf(item), trace,
					this.timeAt(event));
			return text === null ? null : [element("strong", {},
				item.of.label), element("div", {}, text)];
		}
		const place = this.placeAt(event);
		const gap = place?.lane.findGap(place.depth, place.time) ??
			null;
		return gap === null ? null : [element("strong", {},
			this.app.leftText(gap)), element("div", {}, `${
			trace.clocks.map((one) => `${
				one === "cpu" ? "CPU" : "wall"} time ${
				formatDuration(
					gap[one])}`).join(", ")}, between ${
			formatTime(gap.start, 1000)} and ${
			formatTime(gap.end, 1000)}; calls that they made are ` +
			"left out, too")];
	}

	showTip(call, event) {
		const same = this.hover !== null && call !== null &&
			this.hover.thread === call.thread &&
			this.hover.depth === call.depth &&
			this.hover.at === call.at;
		if (!same && (this.hover !== null || call !== null))
			this.request();
		this.hover = call;
		this.placeTip(call !== null ? same ? [] :
			describeCall(this.app, call) : event === undefined ?
				null :
			this.gapAt(event), event);
	}

	placeTip(parts, event) {
		showTip(this.tip, parts, event);
	}

	// Handles keys: arrows go from call to call.
	onKey(event) {
		const { app } = this, call = app.selected;
		if (event.ctrlKey || event.metaKey || event.altKey ||
			event.target !== this.scroller)
			return;
		const first = () => {
			const item = this.threads.items.find((one) =>
				one.rows > 0);
			return item === undefined ? null :
				app.lane(item.thread.index).find(0,
					(app.view.from + app.view.to) / 2,
						Infinity);
		};
		const lane = call === null ? null : app.lane(call.thread);
		let next;
		switch (event.key) {
		case "ArrowUp":
			next = lane === null ? first() : lane.caller(call);
			break;
		case "ArrowDown":
			next = lane === null ? first() : lane.callee(call);
			break;
		case "ArrowLeft":
			next = lane === null ? first() : lane.beside(call, -1);
			break;
		case "ArrowRight":
			next = lane === null ? first() : lane.beside(call, 1);
			break;
		case "Enter":
			if (call !== null)
				app.zoomToCall(call);
			break;
		default:
			return;
		}
		event.preventDefault();
		if (next)
			app.goTo(next);
	}

	// Scrolls to the row of a call, if it has one.
	scrollTo(call) {
		const box = this.boxOf(call);
		const height = this.scroller.clientHeight;
		const top = this.scroller.scrollTop;
		if (box !== null && (box.y < top + HEADER ||
			box.y + ROW > top + height))
			this.scroller.scrollTop = Math.max(0,
				box.y - height / 3);
	}

	// Scrolls and moves the view so that a call can be seen.
	reveal(call) {
		const { app } = this;
		this.threads.show(call);
		this.scrollTo(call);
		const level = app.lane(call.thread).levels[call.depth];
		const start = level.start[call.at], end = level.end[call.at];
		const { from, to } = app.view;
		if (end - start < SEEN * this.pixel) {
			const part = Math.max(end - start, app.trace.unit) * 10;
			app.setView({ from: start - part, to: end + part });
		} else if (end < from || start > to) {
			const part = (to - from) / 2;
			app.setView({ from: (start + end) / 2 - part,
				to: (start + end) / 2 + part });
		}
	}
}
