// controls.js - buttons, choices and boxes of filters

import { element } from "./format.js";

export function button(label, title, act, text = label) {
	return element("button", { type: "button", title, "aria-label": label,
		onclick: act }, text);
}

// Makes a choice of options. After a choice with the pointer, keys are for the
// timeline again.
export function choice(app, label, change, options = []) {
	let pressed = false;
	return element("select", {
		"aria-label": label,
		onpointerdown: () => {
			pressed = true;
		},
		onkeydown: () => {
			pressed = false;
		},
		onchange: () => {
			change();
			if (pressed)
				app.timeline.scroller.focus(
					{ preventScroll: true });
		},
	}, ...options);
}

// Makes a box for a filter, which Escape empties.
export function filterBox(text, label, change) {
	const box = element("input", { type: "search", placeholder: text,
		"aria-label": label, oninput: change, onkeydown: (event) => {
			if (event.key !== "Escape" || box.value === "")
				return;
			box.value = "";
			change();
		} });
	return box;
}
