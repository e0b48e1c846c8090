// gestures.js - pointer and wheel on the timeline: they zoom and move it, and
// choose a range, a part on the overview, or a call

import { openMethodMenu, pathOfCall } from "./choices.js";

const NEAR = 5;				// pixels from an edge that is dragged

export class Gestures {
	constructor(timeline) {
		this.timeline = timeline;
		this.app = timeline.app;
		this.pointers = new Map();
		this.drag = null;
		this.listen();
	}

	listen() {
		const { timeline } = this;
		const { canvas, scroller, spacer, ruler } = timeline;
		const { canvas: overview } = timeline.overview;
		// The heads of threads cover a part of the canvas.
		scroller.addEventListener("wheel", (event) =>
			this.onWheel(event, false), { passive: false });
		for (const strip of [ruler, timeline.entries.canvas, overview])
			strip.addEventListener("wheel", (event) =>
				this.onWheel(event, true), { passive: false });
		canvas.addEventListener("pointerdown", (event) =>
			this.onDown(event, event.shiftKey ? "range" : "pan"));
		spacer.addEventListener("pointerdown", (event) => {
			if (event.target === spacer)
				this.onDown(event,
					event.shiftKey ? "range" : "pan");
		});
		ruler.addEventListener("pointerdown", (event) =>
			this.onDown(event, "range"));
		overview.addEventListener("pointerdown", (event) =>
			this.onDown(event, "overview"));
		for (const one of [scroller, ruler, overview]) {
			one.addEventListener("pointermove", (event) =>
				this.onMove(event));
			one.addEventListener("pointerup", (event) =>
				this.onUp(event));
			one.addEventListener("pointercancel", (event) =>
				this.onUp(event));
			one.addEventListener("pointerleave", () => {
				timeline.pointer = undefined;
				timeline.showTip(null);
			});
		}
		scroller.addEventListener("contextmenu", (event) => {
			const call = timeline.callAt(event);
			if (call === null)
				return;
			event.preventDefault();
			this.app.select(call);
			openMethodMenu(this.app, event, this.app.method,
				pathOfCall(this.app));
		});
		scroller.addEventListener("dblclick", (event) => {
			const call = timeline.callAt(event);
			if (call !== null)
				this.app.zoomToCall(call);
		});
	}

	// Returns what a drag from here does with the range: an edge of it, or
	// a new one.
	rangeDrag(event) {
		const { timeline } = this;
		const { range } = this.app, time = timeline.timeAt(event);
		for (const [edge, other] of range === null ? [] :
			[["from", "to"], ["to", "from"]])
			if (Math.abs(range[edge] - time) <=
				NEAR * timeline.pixel)
				return { time: range[other], edge: true };
		return { time };
	}

	// The same with the view, on the overview: its window, or an edge of
	// it.
	viewDrag(event) {
		const { timeline } = this;
		const { view, span } = this.app, time =
			timeline.overview.timeAt(event);
		const near = NEAR * (span.to - span.from) / timeline.width;
		if (view.from <= span.from && view.to >= span.to)
			return { time };
		if (Math.abs(view.from - time) <= near)
			return { time: view.to };
		if (Math.abs(view.to - time) <= near)
			return { time: view.from };
		return time > view.from && time < view.to ?
			{ time, window: true } : { time };
	}

	// Ends a drag as if it had not begun. Returns whether there was one.
	cancelDrag() {
		const { drag, app } = this;
		if (drag === null)
			return false;
		this.drag = null;
		this.pointers.clear();
		app.setView(drag.view);
		if (drag.kind === "range")
			app.setRange(drag.range, false);
		return true;
	}

	onWheel(event, always) {
		const { timeline } = this;
		timeline.pointer = event;
		const sideways = event.shiftKey || Math.abs(event.deltaX) >
			Math.abs(event.deltaY);
		const amount = event.deltaMode === 1 ? 16 : 1;
		if (sideways) {
			event.preventDefault();
			const by = (event.deltaX || event.deltaY) * amount *
				timeline.pixel;
			const { from, to } = this.app.view;
			this.app.setView({ from: from + by, to: to + by });
		} else if (event.ctrlKey || event.metaKey || always) {
			event.preventDefault();
			const overview = event.target ===
				timeline.overview.canvas;
			timeline.zoom(Math.exp(event.deltaY * amount * 0.0025),
				overview ? undefined : timeline.timeAt(event));
		} else if (timeline.scroller.scrollHeight <=
			timeline.scroller.clientHeight) {
			// Nothing scrolls, not even the page.
			event.preventDefault();
		}
	}

	onDown(event, kind) {
		const { timeline } = this;
		if (event.button !== 0)
			return;
		event.currentTarget.setPointerCapture?.(event.pointerId);
		if (kind !== "overview" && kind !== "range")
			timeline.scroller.focus({ preventScroll: true });
		this.pointers.set(event.pointerId, event);
		this.drag = { kind, event, moved: false, view: this.app.view,
			range: this.app.range, top: timeline.scroller.scrollTop,
			...kind === "overview" ? this.viewDrag(event) :
				this.rangeDrag(event) };
		if (this.pointers.size === 2)
			this.startPinch();
	}

	startPinch() {
		const { timeline } = this;
		const [one, two] = [...this.pointers.values()];
		this.drag = { kind: "pinch", view: this.app.view, moved: true,
			a: timeline.timeAt(one), b: timeline.timeAt(two) };
	}

	onMove(event) {
		const { timeline } = this;
		timeline.pointer = event;
		if (this.drag === null) {
			if (event.pointerType !== "touch" &&
				event.currentTarget ===
				timeline.scroller)
				timeline.showTip(timeline.callAt(event), event);
			return;
		}
		if (!this.pointers.has(event.pointerId))
			return;
		this.pointers.set(event.pointerId, event);
		const { drag, app } = this;
		if (drag.kind === "pinch") {
			this.pinch();
			return;
		}
		const dx = event.clientX - drag.event.clientX;
		const dy = event.clientY - drag.event.clientY;
		if (!drag.moved && Math.hypot(dx, dy) < 4)
			return;
		drag.moved = true;
		timeline.showTip(null);
		if (drag.kind === "pan") {
			const pixel = (drag.view.to - drag.view.from) /
				timeline.width;
			app.setView({ from: drag.view.from - dx * pixel,
				to: drag.view.to - dx * pixel });
			if (event.pointerType !== "touch")
				timeline.scroller.scrollTop = drag.top - dy;
			return;
		}
		const time = (drag.kind === "overview" ? timeline.overview :
			timeline).timeAt(event);
		if (drag.window) {
			app.setView({ from: drag.view.from + time - drag.time,
				to: drag.view.to + time - drag.time });
			return;
		}
		const ends = { from: Math.min(drag.time, time),
			to: Math.max(drag.time, time) };
		if (drag.kind === "overview")
			app.setView(ends);
		else
			app.setRange(ends, false);
	}

	pinch() {
		const { timeline } = this;
		const { a, b } = this.drag;
		const [one, two] = [...this.pointers.values()];
		const box = timeline.scroller.getBoundingClientRect();
		const x = one.clientX - box.left, apart = two.clientX -
			one.clientX;
		if (Math.abs(apart) < 10)
			return;
		const pixel = Math.max((b - a) / apart, 1e-3);
		this.app.setView({ from: a - x * pixel,
			to: a + (timeline.width - x) * pixel });
	}

	onUp(event) {
		const { drag, app, timeline } = this;
		if (!this.pointers.delete(event.pointerId) || drag === null)
			return;
		this.drag = null;
		if (event.type === "pointercancel" || drag.kind === "pinch")
			return;
		if (drag.kind === "range") {
			if (drag.moved)
				app.setRange(app.range, true);
			else if (!drag.edge)
				app.setRange(null, true);
		} else if (drag.kind === "overview" && !drag.moved) {
			const part = (app.view.to - app.view.from) / 2;
			app.setView({ from: drag.time - part,
				to: drag.time + part });
		} else if (drag.kind === "pan" && !drag.moved) {
			app.select(timeline.callAt(event));
		}
	}
}
