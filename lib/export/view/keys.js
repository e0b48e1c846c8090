// keys.js - the keys of the page, and the list of them

import { openMenuOfFocus } from "./choices.js";
import { element } from "./format.js";

const KEYS = [
	["w, s", "zoom in and out, at the pointer"],
	["a, d", "move left and right"],
	["Ctrl and wheel, pinch", "zoom"],
	["Shift and wheel, drag", "move"],
	["Shift and drag, drag on the ruler",
		"select a range of time; a click on the ruler ends it"],
	["Drag on the overview", "choose what is seen"],
	["Click", "select a call"],
	["Double click, f or Enter", "zoom to the call"],
	["Arrows", "go to the caller, a callee, the calls beside it"],
	["m", "select the range of the call"],
	["c, right click", "choices for a call, a frame, a method or a thread"],
	["e, E", "the next entry of the event log, the one before"],
	["/", "search; n and N go to the next hit and back; a search between " +
		"slashes is a regular expression"],
	["0", "the whole trace"],
	["Arrows on the line between", "make the timeline higher or lower"],
	["Escape", "end a drag; drop the range, then the call or entry"],
	["?", "these keys"],
];

export function keysDialog() {
	const dialog = element("dialog", { "aria-label": "Keys",
		onclick: () => dialog.close() },
	element("h2", {}, "Keys and pointer"), element("dl", {},
		...KEYS.flatMap(([key, text]) => [element("dt", {}, key),
			element("dd", {}, text)])),
	element("button", { type: "button" }, "Close"));
	return dialog;
}

// Keys that are not for a box or a dialog are for the page. Letters are for the
// page in a choice, too, where they would choose another option, and Escape.
export function listenToKeys(page) {
	const isForPage = ({ key }) => key === "Escape" ||
		(key.length === 1 && key !== " ");
	const typing = (event) => event.target.closest?.(
		"input, textarea, dialog[open]") ||
		(event.target.tagName === "SELECT" && !isForPage(event));
	document.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey ||
			event.isComposing)
			return;
		if (typing(event)) {
			if (event.key === "Escape" &&
				event.target.tagName === "INPUT")
				event.target.blur();
			return;
		}
		if (takeKey(page, event) || event.target.tagName === "SELECT")
			event.preventDefault();
	});
	const { held } = page.timeline;
	document.addEventListener("keyup", (event) =>
		held.delete(event.key.toLowerCase()));
	window.addEventListener("blur", () => held.clear());
}

// Returns whether it is a key of the page.
function takeKey(page, event) {
	const key = event.key.toLowerCase();
	const by = key !== event.key ? -1 : 1;	// a capital
	switch (key) {
	case "w": case "a": case "s": case "d":
		page.timeline.hold(key);
		return true;
	case "0":
		page.setView(page.span);
		return true;
	case "f":
		if (page.selected !== null)
			page.zoomToCall(page.selected);
		else if (page.range !== null)
			page.setView(page.range);
		return true;
	case "m":
		if (page.selected !== null)
			page.rangeOfCall();
		return true;
	case "c":
		return openMenuOfFocus(page);
	case "/":
		page.search.box.focus();
		page.search.box.select();
		return true;
	case "n":
		page.search.goToNext(by);
		return true;
	case "e":
		page.nextEntry(by);
		return true;
	case "?":
		page.frame.keys.showModal();
		return true;
	case "escape":
		if (page.timeline.gestures.cancelDrag() ||
			page.divider.cancelDrag())
			return true;
		if (page.range !== null)
			page.setRange(null, true);
		else
			page.select(null);
		return true;
	default:
		return false;
	}
}
