// calltree.js - the tree of calls as a table, whose rows are made when they are
// seen

import { openMethodMenu, pathOfNode } from "./choices.js";
import { bounded, boundedDuration, element, formatCount, formatPlural,
	shareElement, shorten } from "./format.js";

const LINE = 22;				// its height
const AROUND = 10;			// rows above and below what is seen

export class CallTreeTable {
	constructor(app) {
		this.app = app;
		this.open = new Set();
		this.rows = [];
		this.at = 0;			// the row of the keyboard
		this.status = element("output", { class: "status" });
		this.list = element("div", { class: "tree", role: "tree",
			tabindex: 0, onkeydown: (event) => this.onKey(event),
			onclick: (event) => this.onClick(event),
			oncontextmenu: (event) => {
				const row = event.target.closest("[data-row]");
				if (row === null)
					return;
				event.preventDefault();
				this.at = Number(row.dataset.row);
				const node = this.rows[this.at];
				openMethodMenu(app, event, node.method,
					pathOfNode(app, node));
			} });
		this.root =
			element("div", {}, element("div", { class: "tools" },
			this.status), element("div", { class: "tree-head",
			"aria-hidden": "true" }, element("span", {}, "Method"),
		...["Inclusive", "%", "Exclusive", "%", "Calls"].map((text) =>
			element("span", {}, text))), this.list);
	}

	// Opens the first rows, after the tree has changed.
	*reset(stacks) {
		this.open.clear();
		for (const root of stacks)
			for (let node = root; ; [node] = node.children) {
				this.open.add(node);
				if ((yield* node.grow()).length !== 1)
					break;
			}
		this.at = 0;
	}

	// Finds the rows that are open.
	*prepare() {
		const stacks = yield* this.app.sums.makeStacks();
		if (this.shown !== stacks)
			yield* this.reset(stacks);
		this.shown = stacks;
		const rows = [];
		for (const root of stacks)
			yield* this.collect(root, rows);
		this.rows = rows;
		this.at = Math.min(this.at, rows.length - 1);
	}

	*collect(node, rows) {
		rows.push(node);
		if (!this.open.has(node))
			return;
		for (const one of yield* node.grow())
			if (this.open.has(one))
				yield* this.collect(one, rows);
			else
				rows.push(one);
	}

	listen() {
		this.panel = this.app.panels.place;
		this.panel.addEventListener("scroll", () => this.root.hidden ||
			this.show());
		new ResizeObserver(() => this.root.hidden || this.show())
			.observe(this.panel);
	}

	render() {
		if (this.panel === undefined)
			this.listen();
		const { direction, method, sums } = this.app;
		this.status.value = direction === "around" && method < 0 ?
			sums.directionText : sums.methodText ||
				formatPlural(this.rows.length, "row");
		this.list.style.height = `${this.rows.length * LINE}px`;
		this.list.setAttribute("aria-label",
			this.app.sums.directionText);
		this.show();
	}

	// Makes the rows that are seen.
	show() {
		const top = Math.max(0, this.panel.scrollTop -
			this.list.offsetTop);
		const first = Math.max(0, Math.floor(top / LINE) - AROUND);
		const last = Math.min(this.rows.length, first + 2 * AROUND +
			Math.ceil(Math.min(this.panel.clientHeight,
				window.innerHeight) / LINE));
		const made = [];
		for (let i = first; i < last; i++)
			made.push(this.row(this.rows[i], i));
		this.list.replaceChildren(...made);
		// Only rows that can be seen are on the page.
		if (this.at >= first && this.at < last)
			this.list.setAttribute("aria-activedescendant",
				`row-${this.at}`);
		else
			this.list.removeAttribute("aria-activedescendant");
	}

	row(node, at) {
		const { app } = this, { sums, sums: { total } } = app;
		const cell = (...parts) => element("span", {}, app.about,
			...parts);
		return element("div", { id: `row-${at}`, role: "treeitem",
			"aria-level": node.depth + 1, "data-row": at,
			"aria-selected": String(at === this.at),
			"aria-expanded": node.isInner ?
				String(this.open.has(node)) : null,
			class: node.method >= 0 && node.method === app.method ?
				"chosen" : null,
			style: `top:${at * LINE}px` },
		element("span", { class: "method", title: shorten(
			app.nameOf(node.method), 2000), style: `padding-left:${
			Math.min(node.depth, 40) * 14 + 4}px` },
		element("i", { class: "swatch", style: node.method < 0 ? null :
			`background:${app.palette.css[node.method]}` }),
		...node.parent === null && this.shown.length > 1 ?
			[node.kind.up ? "Callers of " : "Callees of "] : [],
		...app.nameParts(node.method)),
		...["total", "self"].flatMap((what) => {
			const [least, more] = node.boundsOf(what);
			return [cell(boundedDuration(least, more)),
				cell(shareElement(least + more, total.most,
					sums.shareOf(node, what)))];
		}), cell(bounded(...node.boundsOf("calls"), formatCount)));
	}

	toggle(node) {
		if (!this.open.delete(node))
			this.open.add(node);
		this.app.panels.draw();
	}

	choose(at) {
		this.at = Math.max(0, Math.min(this.rows.length - 1, at));
		const node = this.rows[this.at];
		if (node.method >= 0 && this.app.direction !== "around")
			this.app.chooseMethod(node.method);
		const y = this.list.offsetTop + this.at * LINE, { panel } =
			this;
		if (y < panel.scrollTop)
			panel.scrollTop = y - LINE;
		else if (y + LINE > panel.scrollTop + panel.clientHeight)
			panel.scrollTop = y + 2 * LINE - panel.clientHeight;
		this.show();
	}

	onClick(event) {
		const row = event.target.closest("[data-row]");
		if (row === null || !this.app.isNothingSelected)
			return;
		const at = Number(row.dataset.row);
		this.choose(at);
		this.toggle(this.rows[at]);
	}

	onKey(event) {
		const node = this.rows[this.at];
		switch (event.key) {
		case "ArrowDown":
			this.choose(this.at + 1);
			break;
		case "ArrowUp":
			this.choose(this.at - 1);
			break;
		case "Home":
			this.choose(0);
			break;
		case "End":
			this.choose(this.rows.length - 1);
			break;
		case "ArrowRight":
			if (this.open.has(node) && node.isInner)
				this.choose(this.at + 1);
			else if (node.isInner)
				this.toggle(node);
			break;
		case "ArrowLeft":
			if (this.open.has(node) && node.isInner)
				this.toggle(node);
			else if (node.parent !== null)
				this.choose(this.rows.indexOf(node.parent));
			break;
		case "Enter": case " ":
			this.toggle(node);
			break;
		default:
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}
}
