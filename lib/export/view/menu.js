// menu.js - a menu at the pointer, or below what has the focus

import { element } from "./format.js";

export class Menu {
	constructor() {
		this.root = element("div", { class: "menu", role: "menu",
			hidden: true, onkeydown: (event) => this.onKey(event),
			onfocusout: (event) => {
				if (!this.root.contains(event.relatedTarget))
					this.close();
			} });
	}

	// Opens it with items, each [text, function to call]; an item that is
	// null is a line. label names it, and near is an event of the pointer
	// or an element.
	open(label, items, near) {
		const before = document.activeElement;
		this.back = this.root.contains(before) ? this.back : before;
		this.root.setAttribute("aria-label", label);
		this.root.replaceChildren(...items.map((item) => item === null ?
			element("hr") : element("button", { type: "button",
				role: "menuitem", tabindex: -1, onclick: () => {
					this.close();
					item[1]();
				} }, item[0])));
		this.root.hidden = false;
		const box = near.clientX === undefined || near.type ===
			"keydown" ?
			(near.target ?? near).getBoundingClientRect() : null;
		const [x, y] = box === null ? [near.clientX, near.clientY] :
			[box.left + 20, Math.min(box.bottom, box.top + 40)];
		const { offsetWidth, offsetHeight, style } = this.root;
		style.left = `${Math.max(4, Math.min(x,
			window.innerWidth - offsetWidth - 4))}px`;
		style.top = `${Math.max(4, Math.min(y,
			window.innerHeight - offsetHeight - 4))}px`;
		this.root.querySelector("button").focus();
	}

	// Closes it; the focus goes back to where it was.
	close() {
		if (this.root.hidden)
			return;
		const had = this.root.contains(document.activeElement);
		this.root.hidden = true;
		if (had)
			this.back?.focus({ preventScroll: true });
	}

	onKey(event) {
		const all = [...this.root.querySelectorAll("button")];
		const at = all.indexOf(document.activeElement);
		const next = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length,
			Home: 0, End: all.length - 1 }[event.key];
		event.stopPropagation();
		if (next !== undefined)
			all[next % all.length].focus();
		else if (event.key === "Escape" || event.key === "Tab")
			this.close();
		else
			return;
		event.preventDefault();
	}
}
