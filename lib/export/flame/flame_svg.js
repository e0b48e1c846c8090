// flame_svg.js - flame graphs: draws the frames that are wide enough to be seen
//
// The lines of frames (export_flame.c) become arrays. One of them has, for each
// frame, the end of the frames on it, so that a walk can skip these. The
// enlarged frame is drawn, the frames below it down to the outermost, and the
// frames on it that are at least a pixel wide; adjacent narrower frames are
// drawn as one box.

import { fitLabel, formatPlural, formatShare, formatTime, scopeOf } from
	"../view/format.js";

const FRAME = 18, HEAD = 48, FOOT = 28, LETTER = 6.7;
const LEVELS_MAX = 400;
const BELOW_MAX = 30;			// frames around the enlarged one
const SVG = "http://www.w3.org/2000/svg";
const STEPS = [0.1, 0.5, 2, 8];		// of shares that change, in percent

const root = document.documentElement.localName === "svg" ?
	document.documentElement : document.currentScript.closest("svg");
const get = (id) => root.querySelector(`#${id}`);
const isIcicle = root.dataset.shape === "icicle";
const isDiff = root.dataset.diff === "1";
const isAlone = root === document.documentElement;

function readNames() {
	return get("names").textContent.split("\n").slice(0, -1).map((line) => {
		const [hue, className, name, signature] = line.split("\t");
		const scope = scopeOf(className, signature);
		const full = name ? scope + name :
			scope.replace(/(::|\.)$/, "") || className;
		const at = className.lastIndexOf("/") + 1 ||
			className.lastIndexOf(".") + 1;
		return { hue, name, full, signature,
			short: scope ? full.slice(at) : full };
	});
}

// Reads the frames in the order of the lines; the first one contains all.
function readTree() {
	const lines = get("tree").textContent.split("\n").slice(0, -1);
	const count = lines.length, path = [];
	const tree = { count, depth: new Int32Array(count),
		name: new Int32Array(count), parent: new Int32Array(count),
		end: new Int32Array(count), all: new Float64Array(count),
		own: null, old: new Float64Array(count) };
	lines.forEach((line, i) => {
		const [depth, name, value, old] = line.split(" ").map(Number);
		tree.depth[i] = depth;
		tree.name[i] = name;
		tree.all[i] = value;
		tree.old[i] = old ?? 0;
		path[depth] = i;
		tree.parent[i] = depth === 0 ? -1 : path[depth - 1];
	});
	tree.own = tree.all.slice();
	for (let i = count - 1; i >= 0; i--) {
		tree.end[i] = Math.max(tree.end[i], i + 1);
		const parent = tree.parent[i];
		if (parent < 0)
			continue;
		tree.end[parent] = Math.max(tree.end[parent], tree.end[i]);
		tree.all[parent] += tree.all[i];
		tree.old[parent] += tree.old[i];
	}
	return tree;
}

const names = readNames(), tree = readTree();
let width = 1200, top = 0, chosen = 0;
let shown = [];				// { frame, x, width, row, element }
let hits = null;			// by name: it matches the search
let summary = "";			// of the search
let input = null;

function labelOf(frame) {
	return frame === 0 ? "all" : names[tree.name[frame]].full;
}

function formatValue(value) {
	return root.dataset.weight === "calls" ? formatPlural(value, "call") :
		formatTime(value);
}

function describe(frame) {
	const parts = [`${formatValue(tree.all[frame])}, ` +
		`${formatShare(tree.all[frame], tree.all[0])} %`];
	if (tree.own[frame] !== tree.all[frame] && tree.own[frame] > 0)
		parts.push(`itself ${formatValue(tree.own[frame])}`);
	if (isDiff)
		parts.push(`before ${formatValue(tree.old[frame])}, ` +
			`${formatShare(tree.old[frame], tree.old[0])} %`);
	return parts.join("; ");
}

function classOf(frame) {
	if (!isDiff)
		return frame === 0 ? "hx" : names[tree.name[frame]].hue;
	const share = (values) => values[0] === 0 ? 0 :
		100 * values[frame] / values[0];
	const change = share(tree.all) - share(tree.old);
	const level = STEPS.filter((step) => Math.abs(change) >= step).length;
	return `${change < 0 && level > 0 ? "b" : "r"}${level}`;
}

function make(name, attributes, text) {
	const made = document.createElementNS(SVG, name);
	for (const [key, value] of Object.entries(attributes))
		made.setAttribute(key, value);
	if (text !== undefined)
		made.textContent = text;
	return made;
}

function fit(frame, room) {
	const letters = Math.floor((room - 6) / LETTER);
	if (frame === 0)
		return letters >= 3 ? "all" : "";
	const { short, name } = names[tree.name[frame]];
	return letters >= 3 ? fitLabel({ label: short, short, name }, letters) :
		"";
}

// Places the boxes, from the enlarged frame on.
function layOut() {
	const boxes = [];
	let below = [];
	for (let one = tree.parent[top]; one >= 0; one = tree.parent[one])
		below.push(one);
	below = below.slice(0, BELOW_MAX).reverse();
	below.forEach((frame, row) =>
		boxes.push({ frame, x: 0, width, row, above: true }));
	const scale = tree.all[top] > 0 ? width / tree.all[top] : 0;
	boxes.push({ frame: top, x: 0, width, row: below.length });
	for (let i = below.length; i < boxes.length; i++) {
		const box = boxes[i], row = box.row + 1;
		if (box.count !== undefined || row >= LEVELS_MAX)
			continue;
		let x = box.x, count = 0, value = 0, first = -1;
		// Frames are sorted by width: all after a narrow one are
		// narrow.
		for (let one = box.frame + 1; one < tree.end[box.frame];
			one = tree.end[one]) {
			const size = tree.all[one] * scale;
			if (size >= 1 && count === 0) {
				boxes.push({ frame: one, x, width: size, row });
				x += size;
				continue;
			}
			first = first < 0 ? one : first;
			count += tree.end[one] - one;
			value += tree.all[one];
		}
		if (value * scale >= 1)
			boxes.push({ frame: first, x, width: value * scale, row,
				count, value, parent: box.frame });
	}
	return boxes;
}

function isHit(box) {
	if (hits === null || box.frame === 0)
		return false;
	if (box.count === undefined)
		return hits[tree.name[box.frame]];
	for (let i = box.frame; i < tree.end[box.parent]; i++)
		if (hits[tree.name[i]])
			return true;
	return false;
}

function drawBox(box, rows) {
	const y = HEAD + FRAME * (isIcicle ? box.row : rows - 1 - box.row);
	const folded = box.count !== undefined;
	const name = folded ? "fold" : classOf(box.frame);
	const group = make("g", { class: name + (box.above ? " above" : "") +
		(isHit(box) ? " hit" : "") });
	group.append(make("title", {}, folded ?
		`${formatPlural(box.count, "narrow frame")}\n` +
		`${formatValue(box.value)}, ` +
		`${formatShare(box.value, tree.all[0])} %` :
		labelOf(box.frame) + (box.frame === 0 ? "" :
			names[tree.name[box.frame]].signature) +
			`\n${describe(box.frame)}`),
	make("rect", { x: box.x, y, height: FRAME - 1,
		width: Math.max(box.width - 0.5, 0.5) }));
	const text = folded ? "" : fit(box.frame, box.width);
	if (text !== "")
		group.append(make("text", { x: box.x + 3, y: y + 13 }, text));
	// A click on a folded box enlarges the frame that it is on or, if that
	// is enlarged already, the widest of the folded frames.
	group.addEventListener("click", () => zoom(!folded ? box.frame :
		box.parent === top ? box.frame : box.parent));
	group.addEventListener("pointerenter", () => say(folded ?
		group.firstChild.textContent.replace("\n", ": ") :
		`${labelOf(box.frame)}: ${describe(box.frame)}`));
	group.addEventListener("pointerleave", () => say(null));
	box.element = group;
	return group;
}

function draw() {
	const boxes = layOut();
	const rows = 1 + boxes.reduce((most, box) =>
		Math.max(most, box.row), 0);
	const height = HEAD + rows * FRAME + FOOT;
	shown = boxes;
	get("frames").replaceChildren(...boxes.map((box) =>
		drawBox(box, rows)));
	root.setAttribute("height", height);
	if (isAlone) {
		root.setAttribute("width", width);
		root.removeAttribute("viewBox");
	} else {
		root.setAttribute("viewBox", `0 0 ${width} ${height}`);
	}
	get("status").setAttribute("y", height - 10);
	mark();
	showOutermost();
}

// The outermost frame is at the bottom, unless they hang from the top.
function showOutermost() {
	if (isAlone && !isIcicle)
		window.scrollTo(0, document.documentElement.scrollHeight);
}

function mark() {
	for (const box of shown)
		box.element.classList.toggle("chosen", box.frame === chosen &&
			chosen !== 0 && box.count === undefined);
	say(null);
}

function say(text) {
	const folded = shown.reduce((sum, box) => sum + (box.count ?? 0), 0);
	get("status").textContent = text ?? (chosen !== 0 ?
		`${labelOf(chosen)}: ${describe(chosen)}` :
		(folded > 0 ? `${formatPlural(folded, "narrow frame")} ` +
			"folded. " : "") + "Click or Enter: enlarge; Escape: " +
			"back; arrows: choose; /: search");
	get("found").textContent = summary;
}

function zoom(frame) {
	top = chosen = frame;
	draw();
}

// Finds the frames that match. Frames on a matching frame are part of its sum,
// and do not count again.
function search(text) {
	hits = null;
	summary = "";
	if (text !== "") {
		let pattern;
		try {
			pattern = new RegExp(text, "iu");
		} catch (error) {
			input?.setCustomValidity(error.message);
			summary = error.message;
			draw();
			return;
		}
		hits = names.map((name) => pattern.test(name.full));
		let sum = 0, count = 0;
		for (let i = 1, end = 0; i < tree.count; i++) {
			if (!hits[tree.name[i]])
				continue;
			count++;
			if (i < end)
				continue;
			sum += tree.all[i];
			end = tree.end[i];
		}
		summary = `${formatPlural(count, "frame")} found: ` +
			`${formatValue(sum)}, ` +
			`${formatShare(sum, tree.all[0])} % of all`;
	}
	input?.setCustomValidity("");
	chosen = top;
	draw();
}

function closeSearch() {
	input.value = "";
	input.blur();
	search("");
}

function makeSearch() {
	const holder = make("foreignObject", { id: "search", y: 5, height: 26,
		width: 240 });
	input = document.createElementNS("http://www.w3.org/1999/xhtml",
		"input");
	for (const [key, value] of [["type", "text"], ["aria-label",
		"Search, by a regular expression"], ["placeholder",
		"/ search: regular expression"], ["spellcheck", "false"]])
		input.setAttribute(key, value);
	input.addEventListener("input", () => search(input.value));
	input.addEventListener("keydown", (event) => {
		event.stopPropagation();
		if (event.key === "Escape")
			closeSearch();
		else if (event.key === "Enter")
			input.blur();
	});
	holder.append(input);
	root.append(holder, make("text", { id: "found", y: 44 }));
}

// Returns the box below another one if rows is negative, one on it if rows is
// positive, and else the one that is along places beside it.
function neighbor(from, rows, along) {
	if (rows < 0)
		return shown.find((box) => box.frame === tree.parent[from]);
	if (rows > 0)
		return shown.find((box) => box.count === undefined &&
			tree.parent[box.frame] === from);
	const row = shown.filter((box) => box.count === undefined &&
		box.row === shown.find((one) => one.frame === from)?.row);
	return row[row.findIndex((box) => box.frame === from) + along];
}

function choose(box) {
	if (box === undefined)
		return;
	chosen = box.frame;
	mark();
	if (isAlone)
		box.element.scrollIntoView({ block: "nearest" });
}

function onKey(event) {
	if (event.ctrlKey || event.altKey || event.metaKey)
		return;
	const out = isIcicle ? 1 : -1;
	const actions = {
		"ArrowUp": () => choose(neighbor(chosen, -out, 0)),
		"ArrowDown": () => choose(neighbor(chosen, out, 0)),
		"ArrowLeft": () => choose(neighbor(chosen, 0, -1)),
		"ArrowRight": () => choose(neighbor(chosen, 0, 1)),
		"Enter": () => zoom(chosen),
		"Escape": () => {
			if (hits !== null)
				closeSearch();
			else
				zoom(chosen !== top ? top :
					Math.max(tree.parent[top], 0));
		},
		"/": () => input.focus(),
	};
	const action = actions[event.key];
	if (action === undefined)
		return;
	event.preventDefault();
	action();
}

function resize() {
	// Draw again if a scroll bar appeared and made the page narrower.
	for (let tries = 0; tries < 2; tries++) {
		const room = isAlone ? Math.max(root.clientWidth, 300) : 1200;
		if (tries > 0 && room === width)
			break;
		width = room;
		get("search").setAttribute("x", width - 248);
		get("found").setAttribute("x", width - 8);
		draw();
	}
}

makeSearch();
document.addEventListener("keydown", onKey);
if (isAlone) {
	window.addEventListener("resize", resize);
	// A document that is being loaded cannot be scrolled far.
	window.addEventListener("load", showOutermost);
}
resize();
