// flame.js - paths of calls as a flame graph: a frame is as wide as its time

import { openMethodMenu, pathOfNode } from "./choices.js";
import { bounded, boundedDuration, element, fitCanvas, fitLabel, FONT,
	formatCount, shorten, showTip, textOfBounded } from "./format.js";

const FRAME = 18;			// its height
const FRAMES_DEEP = 400;		// above the top, and below it

export class FlameGraph {
	constructor(app) {
		this.app = app;
		this.top = null;	// the node that is as wide as all
		this.chosen = null;
		this.roots = [];
		this.frames = [];
		this.hover = null;
		this.canvas = element("canvas", { "aria-hidden": "true" });
		this.tip = element("div", { class: "tip frame", hidden: true });
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
			oncontextmenu: (event) => {
				const frame = this.frameAt(event);
				if (frame === undefined)
					return;
				event.preventDefault();
				openMethodMenu(this.app, event,
					frame.node.method,
					pathOfNode(this.app, frame.node));
			},
			onpointermove: (event) => this.onMove(event),
			onpointerleave: () => {
				this.tip.hidden = true;
			},
		}, this.canvas);
		this.root = element("div", { class: "flames" },
			element("div", { class: "tools" },
				element("button",
					{ type: "button", onclick: () =>
					this.zoomTo(null) }, "All frames"),
				this.status), this.area);
		// It is drawn for the first time when all else is shown.
		new ResizeObserver(() => this.frames.length > 0 &&
			!this.root.hidden && app.panels.draw())
			.observe(this.area);
	}

	reset() {
		this.top = this.chosen = null;
		this.wanted = undefined;
	}

	// Zooms to a node; null: to all. Among callers and callees, the method
	// of the node is the next one in the middle.
	zoomTo(node) {
		const { app } = this;
		const method = node?.method ?? -1;
		if (method >= 0)
			app.chooseMethod(method);
		this.tip.hidden = true;
		if (app.direction !== "around")
			this.top = this.chosen = node;
		app.panels.draw();
		this.tell(this.chosen ?? this.roots[0]);
		app.address.keep();
	}

	// Returns the methods from the outermost frame to the one that is as
	// wide as all.
	get path() {
		return this.top?.path ?? [];
	}

	// Finds the frames that are shown.
	*prepare() {
		const roots = yield* this.app.sums.makeStacks();
		if (this.wanted !== undefined)
			this.top = this.chosen =
				yield* roots[0].follow(this.wanted);
		this.wanted = undefined;
		this.roots = roots;
		this.width = this.area.clientWidth;
		yield* this.layOut(this.width);
	}

	// Places the frames that can be seen: the callers of the top, the top,
	// and all that it calls. Callers of a method are above it.
	*layOut(width) {
		const frames = [];
		let rows = 0;
		for (const root of this.roots) {
			const top = root === this.roots[0] && this.top !==
				null ?
				this.top : root;
			const up = this.roots.length > 1 && root.kind.up;
			const made = yield* this.layOutFrom(top, width);
			const deepest = made.reduce((most, { depth }) =>
				Math.max(most, depth), 0);
			const base = rows;
			for (const frame of made)
				if (!up)
					frames.push({ ...frame,
						depth: base + frame.depth });
				else if (frame.depth > 0)
					frames.push({ ...frame,
						depth: deepest - frame.depth });
			rows += up ? deepest : deepest + 1;
		}
		this.frames = frames;
		this.rows = rows;
	}

	*layOutFrom(top, width) {
		const above = [];
		for (let node = top.parent; node !== null && above.length <
			FRAMES_DEEP; node = node.parent)
			above.unshift(node);
		const frames = above.map((node, depth) =>
			({ node, depth, x: 0, width }));
		const scale = width / Math.max(top.total, 1);
		let rest = [{ node: top, depth: above.length, x: 0, width }];
		while (rest.length > 0) {
			const next = [];
			for (const frame of rest) {
				frames.push(frame);
				if (frames.length % 100 === 0)
					yield 1;
				let { x } = frame;
				if (frame.depth >= FRAMES_DEEP + above.length) {
					frame.isCut = frame.node.isInner;
					continue;
				}
				for (const node of yield* frame.node.grow()) {
					// Of waiting, parts may be more than all.
					const size = Math.min(node.total *
						scale, frame.x + frame.width - x);
					if (size < 0.5)
						break;
					next.push({ node, x, width: size,
						depth: frame.depth + 1 });
					x += size;
				}
			}
			rest = next;
		}
		return frames;
	}

	render() {
		const { app, width } = this;
		const { palette, search: { hits } } = app;
		if (width === 0)
			return;
		const height = Math.max(1, this.rows) * FRAME;
		const context = fitCanvas(this.canvas, width, height);
		context.fillStyle = palette.ground;
		context.fillRect(0, 0, width, height);
		context.font = FONT;
		context.textBaseline = "middle";
		const letter = context.measureText("0123456789").width / 10;
		for (const frame of this.frames) {
			const { method } = frame.node;
			const y = frame.depth * FRAME;
			const aside = hits !== null &&
				(method < 0 || hits[method] === 0);
			const dims = aside || (this.top !== null &&
				frame.node.depth < this.top.depth);
			context.globalAlpha = dims ? 0.4 : 1;
			context.fillStyle = frame.node.before !== undefined ?
				palette.change(frame.node.before,
					frame.node.total) : method < 0 ?
					palette.line : palette.css[method];
			context.fillRect(frame.x, y, Math.max(0.5,
				frame.width - (frame.width > 3 ? 1 : 0)),
					FRAME - 1);
			context.globalAlpha = 1;
			const room = Math.floor((frame.width - 6) / letter);
			if (room >= 3)
				this.drawLabel(context, method, frame, y, room,
					dims);
			if (method >= 0 && (frame.node === this.chosen ||
				method === app.method)) {
				context.strokeStyle = palette.accent;
				context.lineWidth = 2;
				context.strokeRect(frame.x + 1, y + 1,
					Math.max(1,
					frame.width - 3), FRAME - 3);
			}
		}
		this.status.value = app.sums.methodText !== "" ?
			app.sums.methodText : this.top === null ?
				app.sums.directionText : this.topText;
	}

	// Says how much of the time the node has that is as wide as all.
	get topText() {
		const { app, top } = this, { about, sums } = app;
		const { least, most } = sums.total;
		return `${shorten(app.textOf(top.method), 120)}: ${about}${
			textOfBounded(sums.shareOf(top, "total"))} % of ${
			about}${textOfBounded(boundedDuration(least, most -
				least))}`;
	}

	drawLabel(context, method, frame, y, room, dims) {
		const { trace, palette } = this.app;
		const name = frame.isCut ? "click to see more levels" :
			this.app.nameOf(method);
		context.fillStyle = method < 0 || dims ? palette.text :
			palette.bar;
		context.fillText(fitLabel((!frame.isCut &&
			trace.methods[method]) ||
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

	describe(node) {
		const { app } = this, { about, sums } = app;
		const [total, self, calls] = ["total", "self", "calls"].map(
			(what) => node.boundsOf(what));
		const time = (bounds) => textOfBounded(
			boundedDuration(...bounds));
		const before = node.before === undefined ? "" :
			`; before: ${app.aboutOf(app.comparison.before)}${
				time(node.boundsBefore)}`;
		const unknown = Number.isNaN(total[0]) ? "; its width leaves " +
			"out the CPU time that is not known" : "";
		return [app.textOf(node.method),
			`${about}${time(total)} inclusive, ${about}${
				textOfBounded(sums.shareOf(node, "total"))
			} %; ${about}${time(self)} exclusive; ${about}${
				textOfBounded(bounded(...calls, formatCount))
			} ${calls[1] === 0 && calls[0] === 1 ? "call" :
					"calls"}${before}${unknown}`];
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
		const node = this.chosen ?? this.roots[0];
		const beside = (by) => {
			const all = node.parent?.children ?? [node];
			return all[all.indexOf(node) + by];
		};
		let next;
		switch (event.key) {
		case "ArrowUp":
			next = node.parent;
			break;
		case "ArrowDown":
			[next] = node.children;
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
			if (this.top === null && this.chosen === null)
				return;
			event.preventDefault();
			event.stopPropagation();
			this.chosen = null;
			this.zoomTo(null);
			return;
		default:
			return;
		}
		event.preventDefault();
		event.stopPropagation();
		if (next === undefined || next === null)
			return;
		this.chosen = next;
		if (!this.frames.some((one) => one.node === next))
			this.top = next;
		this.app.panels.draw();
		this.tell(next);
	}
}
