// overview.js - the strip at the top of the timeline: the whole time, with what
// is seen, the range, and what a search has found

import { element, fitCanvas, formatDuration, formatTime } from "./format.js";
import { drawStrip, sumStrips, WITHOUT_STRIPS } from "./strips.js";

const OVERVIEW = 44;			// its height

export class Overview {
	constructor(timeline) {
		this.timeline = timeline;
		this.app = timeline.app;
		this.canvas = element("canvas", { class: "overview",
			"aria-hidden": "true" });
	}

	timeAt(event) {
		const box = this.canvas.getBoundingClientRect();
		const { from, to } = this.app.span;
		return from + (event.clientX - box.left) / box.width *
			(to - from);
	}

	// Returns the strip of the overview, which is that of the threads in
	// the panels, and what it shows.
	findStrip() {
		const { trace, thread, palette } = this.app;
		if (this.shown?.thread !== thread || this.shown.trace !==
			trace) {
			const strip = thread >= 0 ? trace.stripOf(thread) :
				sumStrips(trace.threads.map(({ index }) =>
					trace.stripOf(index)));
			const most = strip.level.reduce((a, b) =>
				Math.max(a, b), 1);
			const what = trace.clocks.includes("cpu") ?
				"CPU share" :
				"Time in calls";
			this.shown = { thread, trace, strip, most: thread >= 0 ?
				20 : most, text: thread >= 0 ? `${what} of ${
				trace.threads[thread].label}` : `${what} of ` +
				`all threads: up to ${(most / 20).toFixed(
					1)} at once` };
		}
		this.shown.strip.color = palette.faint;
		return this.shown;
	}

	draw() {
		const { app, timeline: { width } } = this, { palette } = app;
		const context = fitCanvas(this.canvas, width, OVERVIEW);
		const { from, to } = app.span;
		const x = (time) => (time - from) / (to - from) * width;
		context.fillStyle = palette.panel;
		context.fillRect(0, 0, width, OVERVIEW);
		if (this.timeline.hasStrips) {
			const { strip, most } = this.findStrip();
			drawStrip(context, strip, app.trace.strips, x,
				{ y: 4, height: OVERVIEW - 4, width }, most,
				app.thread >= 0 ? palette.css : null,
				app.thread >= 0 ? palette.light :
					palette.panel);
		}
		const what = this.timeline.hasStrips ? this.shown.text :
			WITHOUT_STRIPS;
		this.canvas.title = what;
		context.font = "11px system-ui, sans-serif";
		context.textBaseline = "top";
		context.globalAlpha = 0.7;
		context.fillStyle = palette.panel;
		// Marks of a search are above the text.
		const top = app.search.marks === null ? 4 : 9;
		context.fillRect(2, top - 2, context.measureText(what).width +
			8, 15);
		context.globalAlpha = 1;
		context.fillStyle = palette.text;
		context.fillText(what, 6, top);
		if (app.search.marks !== null) {
			context.fillStyle = palette.mark;
			for (let bin = 0; bin < app.search.marks.length; bin++)
				if (app.search.marks[bin] > 0)
					context.fillRect(bin * width /
						app.search.marks.length, 0, 2,
							6);
		}
		if (app.range !== null) {
			context.fillStyle = palette.accent;
			context.globalAlpha = 0.3;
			context.fillRect(x(app.range.from), 0, Math.max(1,
				x(app.range.to) - x(app.range.from)), OVERVIEW);
			context.globalAlpha = 1;
		}
		const left = x(app.view.from), right = x(app.view.to);
		context.globalAlpha = 0.6;
		context.fillStyle = palette.ground;
		context.fillRect(0, 0, left, OVERVIEW);
		context.fillRect(right, 0, width - right, OVERVIEW);
		context.globalAlpha = 1;
		context.strokeStyle = palette.accent;
		context.lineWidth = 1;
		context.strokeRect(left + 0.5, 0.5,
			Math.max(2, right - left - 1), OVERVIEW - 1);
		const part = app.view.to - app.view.from;
		const text = `${formatTime(app.view.from, part / 100)} to ${
			formatTime(app.view.to, part / 100)}, ${
			formatDuration(part)}`;
		if (this.timeline.status.value !== text)
			this.timeline.status.value = text;
	}
}
