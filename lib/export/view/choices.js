// choices.js - the menu of a method, a call or a frame

import { copyText, shorten } from "./format.js";
import { Transform } from "./transforms.js";

// Returns a stack as text, the innermost call first.
export function stackText(page, path) {
	return path.map((method) => {
		const { label, parameters } = page.trace.methods[method] ??
			{ label: page.nameOf(method), parameters: "" };
		return `at ${label}${parameters}\n`;
	}).reverse().join("");
}

export async function copyAndTell(page, text) {
	page.announce(await copyText(text) ? "Copied" :
		"The browser does not allow to copy");
}

// Opens the menu of a method; path has the methods from the outermost call to
// it, or is null. near is where: see menu.js.
export function openMethodMenu(page, near, method, path) {
	if (method < 0)
		return;
	page.chooseMethod(method);
	const { trace } = page, one = trace.methods[method];
	const add = (kind, methods = [method]) => () =>
		page.setTransforms([...page.transforms,
			new Transform(trace, kind, methods)]);
	const known = path !== null && path.length > 0;
	page.menu.open(shorten(one.label, 100), [
		["Focus on function", add("f")],
		...known ? [["Focus on subtree", add("s", path)]] : [],
		["Merge function into callers", add("m")],
		...one.package === "" ? [] : [[`Collapse package ${shorten(
			one.package, 60)}`, add("p")]],
		["Collapse recursion", add("r")],
		null,
		["Callers and callees", () => {
			page.setDirection("around");
			page.setTab("flame");
		}],
		...trace.report !== undefined ? [] : [["List its calls", () =>
			page.showCalls(method)]],
		["Copy name", () => copyAndTell(page,
			one.label + one.parameters)],
		...known ? [["Copy stack", () => copyAndTell(page,
			stackText(page, path))]] : [],
	], near);
}

// Returns the methods from the outermost call to the selected one, or null.
export function pathOfCall(page) {
	const path = [];
	for (let call = page.selected; call !== null;) {
		const lane = page.lane(call.thread);
		path.unshift(lane.levels[call.depth].method[call.at]);
		call = lane.caller(call);
	}
	return path.length > 0 ? path : null;
}

// The same for a node of flame graph or tree.
export function pathOfNode(page, node) {
	return page.direction === "down" && node.parent !== null ?
		node.path : null;
}

// Opens the menu of what has the focus. Returns whether there is one.
export function openMenuOfFocus(page) {
	const focus = document.activeElement, near = { target: focus };
	const node = focus === page.panels.flame.area ?
		page.panels.flame.chosen :
		focus === page.panels.tree.list ?
			page.panels.tree.rows[page.panels.tree.at] : null;
	const row = focus?.closest("[data-method]");
	const line = focus?.closest(".line");
	if (line !== null && line !== undefined)
		line.querySelector(".dots").click();
	else if (node !== null && node !== undefined)
		openMethodMenu(page, near, node.method, pathOfNode(page, node));
	else if (row !== null && row !== undefined)
		openMethodMenu(page, near, Number(row.dataset.method), null);
	else
		openMethodMenu(page, near, page.method, pathOfCall(page));
	return page.menu.root.hidden === false;
}
