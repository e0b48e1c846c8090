// flame.js - paths of calls as a flame graph: a frame is as wide as its time

import { OTHER } from "./data.js";
import { element, fitCanvas, fitLabel, FONT, formatDuration, formatPlural, formatShare,
	shorten, showTip } from "./format.js";

const FRAME = 18;			// its height
const FRAMES_DEEP = 400;

export class FlameGraph {
	constructor(app) {
		this.app = app;
		this.top = 0;			// the node that is as wide as all
		this.chosen = 0;
		this.frames = [];
		this.hover = null;
		this.canvas = element("canvas", { "aria-hidden": "true" });
		this.tip = element("div", { class: "tip", hidden: true });
		this.status = element("output", { class: "status" });
		this.area = element("div", {
			class: "flame", tabindex: 0, role: "application",
			"aria-roledescription": "flame graph",
			"aria-label": "Flame graph: arrows go from frame to " +
				"frame, Enter zooms, Escape shows all",
			onkeydown: (event) => this.onKey(event),
			onclick: (event) => {
				const frame = this.frameAt(event);
				if (frame !== undefined)
					this.zoomTo(frame.node);
			},
			onpointermove: (event) => this.onMove(event),
			onpointerleave: () => {
				this.tip.hidden = true;
			},
		}, this.canvas);
		this.root = element("div", { class: "flames" },
			element("div", { class: "tools" },
				element("button", { type: "button", onclick: () =>
					this.zoomTo(0) }, "All frames"),
				this.status), this.area, this.tip);
		// It is drawn for the first time when all else is shown.
		new ResizeObserver(() => this.frames.length > 0 && this.draw())
			.observe(this.area);
	}

	reset() {
		this.top = this.chosen = 0;
	}

	zoomTo(node) {
		const { app } = this;
		this.top = this.chosen = node;
		if (node > 0)
			app.chooseMethod(app.tree.method[node]);
		this.tip.hidden = true;
		this.draw();
		this.tell(node);
		app.keepState();
	}

	// Returns the methods from the outermost frame to the one that is as wide
	// as all.
	get path() {
		const { tree } = this.app, path = [];
		for (let node = this.top; node > 0; node = tree.parent[node])
			path.unshift(tree.method[node]);
		return path;
	}

	// Zooms to a path, as far as there are such frames.
	setPath(path) {
		const { tree } = this.app;
		let node = 0;
		for (const method of path) {
			let one = tree.firstChild[node];
			while (one > 0 && tree.method[one] !== method)
				one = tree.next[one];
			if (one === 0)
				break;
			node = one;
		}
		this.top = this.chosen = node;
	}

	// Returns the children of a node, the longest first.
	children(node) {
		const { tree, measure } = this.app, times = tree.inclusive[measure];
		const made = [];
		for (let one = tree.firstChild[node]; one > 0;
			one = tree.next[one])
			if (times[one] > 0)
				made.push(one);
		return made.sort((a, b) => times[b] - times[a]);
	}

	// Places the frames that can be seen: the callers of the top, the top,
	// and all that it calls.
	layOut(width) {
		const { tree, measure } = this.app, times = tree.inclusive[measure];
		const above = [];
		for (let node = tree.parent[this.top]; node >= 0;
			node = tree.parent[node])
			above.unshift(node);
		this.frames = above.map((node, depth) =>
			({ node, depth, x: 0, width }));
		const scale = width / Math.max(times[this.top], 1);
		let rest = [{ node: this.top, depth: above.length, x: 0, width }];
		while (rest.length > 0) {
			const next = [];
			for (const frame of rest) {
				this.frames.push(frame);
				let x = frame.x;
				if (frame.depth >= FRAMES_DEEP + above.length)
					continue;
				for (const node of this.children(frame.node)) {
					const size = times[node] * scale;
					if (size < 0.5)
						break;
					next.push({ node, x, width: size,
						depth: frame.depth + 1 });
					x += size;
				}
			}
			rest = next;
		}
	}

	draw() {
		const { app } = this;
		if (this.wanted !== undefined)
			this.setPath(this.wanted);
		this.wanted = undefined;
		if (this.root.hidden || this.area.clientWidth === 0)
			return;
		const { palette, hits, tree } = app;
		const width = this.area.clientWidth;
		this.layOut(width);
		const last = this.frames[this.frames.length - 1];
		const height = (last.depth + 1) * FRAME;
		const context = fitCanvas(this.canvas, width, height);
		context.fillStyle = palette.ground;
		context.fillRect(0, 0, width, height);
		context.font = FONT;
		context.textBaseline = "middle";
		const letter = context.measureText("0123456789").width / 10;
		for (const frame of this.frames) {
			const method = tree.method[frame.node];
			const y = frame.depth * FRAME;
			const aside = hits !== null &&
				(method < 0 || hits[method] === 0);
			const dims = aside || (frame.node !== this.top &&
				frame.depth < this.depthOfTop());
			context.globalAlpha = dims ? 0.4 : 1;
			context.fillStyle = method < 0 ? palette.line :
				palette.css[method];
			context.fillRect(frame.x, y, Math.max(0.5,
				frame.width - (frame.width > 3 ? 1 : 0)), FRAME - 1);
			context.globalAlpha = 1;
			const room = Math.floor((frame.width - 6) / letter);
			if (room >= 3)
				this.drawLabel(context, method, frame, y, room, dims);
			if (frame.node === this.chosen && frame.node > 0) {
				context.strokeStyle = palette.accent;
				context.lineWidth = 2;
				context.strokeRect(frame.x + 1, y + 1, Math.max(1,
					frame.width - 3), FRAME - 3);
			}
		}
		const total = tree.inclusive[app.measure];
		this.status.value = this.top === 0 ? `${formatPlural(
			tree.count - 1, "path")}; a click on a frame zooms` :
			`${shorten(app.nameOf(tree.method[this.top]), 120)}: ${
				formatShare(total[this.top], total[0])} % of ${
				formatDuration(total[0])}`;
	}

	depthOfTop() {
		let depth = 0;
		for (let node = this.top; node > 0;
			node = this.app.tree.parent[node])
			depth++;
		return depth;
	}

	drawLabel(context, method, frame, y, room, dims) {
		const { trace, palette } = this.app;
		const name = this.app.nameOf(method);
		context.fillStyle = method < 0 || dims ? palette.text :
			palette.bar;
		context.fillText(fitLabel(trace.methods[method] ??
			{ label: name, short: name, name }, room), frame.x + 3,
		y + FRAME / 2);
	}

	frameAt(event) {
		const box = this.canvas.getBoundingClientRect();
		const x = event.clientX - box.left;
		const depth = Math.floor((event.clientY - box.top) / FRAME);
		return this.frames.find((one) => one.depth === depth &&
			x >= one.x && x < one.x + one.width);
	}

	// Whether a frame has all calls of its path. Of those that are not on the
	// page by path, some are in (other) of the same caller, or below it.
	isWhole(node) {
		const { tree, trace } = this.app;
		if (trace.thinned === undefined || node === 0)
			return true;
		for (const parent of [node, tree.parent[node]])
			for (let one = tree.firstChild[parent]; one > 0;
				one = tree.next[one])
				if (tree.method[one] === OTHER && one !== node)
					return false;
		return tree.method[node] !== OTHER;
	}

	describe(node) {
		const { app } = this, { tree, measure: clock } = app;
		const took = tree.inclusiveTime(node, clock);
		const about = this.isWhole(node) ? "" : "about ";
		return [app.nameOf(tree.method[node]),
			`${about}${formatDuration(took)} inclusive, ${formatShare(
				took, tree.inclusiveTime(0, clock))} %; ${about}${
				formatDuration(tree.exclusiveTime(node, clock))
			} exclusive; ${about}${formatPlural(
				tree.calls[node], "call")}`];
	}

	tell(node) {
		this.app.announce(this.describe(node).map((text) =>
			shorten(text)).join(": "));
	}

	onMove(event) {
		const frame = event.pointerType === "touch" ? undefined :
			this.frameAt(event);
		const [name, figures] = frame === undefined ? [] :
			this.describe(frame.node);
		showTip(this.tip, frame === undefined ? null : [element(
			"strong", {}, shorten(name)), element("div", {},
			figures)], event);
	}

	onKey(event) {
		const { tree } = this.app, node = this.chosen;
		const siblings = () => node === 0 ? [0] :
			this.children(tree.parent[node]);
		const beside = (by) => siblings()[siblings().indexOf(node) + by];
		let next;
		switch (event.key) {
		case "ArrowUp":
			next = tree.parent[node];
			break;
		case "ArrowDown":
			[next] = this.children(node);
			break;
		case "ArrowLeft":
			next = beside(-1);
			break;
		case "ArrowRight":
			next = beside(1);
			break;
		case "Enter":
			event.preventDefault();
			this.zoomTo(node);
			return;
		case "Escape":
			// Without a zoom, it is for the rest of the page.
			if (this.top === 0 && this.chosen === 0)
				return;
			event.preventDefault();
			event.stopPropagation();
			this.zoomTo(0);
			return;
		default:
			return;
		}
		event.preventDefault();
		event.stopPropagation();
		if (next === undefined || next < 0)
			return;
		this.chosen = next;
		if (!this.frames.some((one) => one.node === next))
			this.top = next;
		this.draw();
		this.tell(next);
	}
}
