// graph_svg.js - call graphs: moves and zooms what is seen (the viewBox)
//
// A graph is first as large as the window. Wheel, plus and minus zoom, at the
// pointer; a drag and arrows move; two fingers do both; 0 and a double click
// show the whole graph.

const root = document.documentElement.localName === "svg" ?
	document.documentElement : document.currentScript.closest("svg");
const LEAST = 40;			// width of what is seen
const whole = root.getAttribute("viewBox").split(/[ ,]+/).map(Number);
const pointers = new Map();
let [x, y, width, height] = whole;

function show() {
	root.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
}

// Returns the place of the pointer in the graph.
function placeOf({ clientX, clientY }) {
	const { a, e, f } = root.getScreenCTM();
	return { x: (clientX - e) / a, y: (clientY - f) / a, scale: a };
}

function zoom(factor, at) {
	const size = Math.max(LEAST, Math.min(whole[2] * 2, width * factor));
	const by = size / width;
	x = at.x - (at.x - x) * by;
	y = at.y - (at.y - y) * by;
	width *= by;
	height *= by;
	show();
}

function move(dx, dy) {
	x += dx;
	y += dy;
	show();
}

function showAll() {
	[x, y, width, height] = whole;
	show();
}

root.addEventListener("wheel", (event) => {
	event.preventDefault();
	zoom(Math.exp(event.deltaY * (event.deltaMode === 1 ? 16 : 1) * 0.002),
		placeOf(event));
}, { passive: false });

root.addEventListener("pointerdown", (event) => {
	if (event.button !== 0)
		return;
	root.setPointerCapture(event.pointerId);
	pointers.set(event.pointerId, event);
});

root.addEventListener("pointermove", (event) => {
	const before = pointers.get(event.pointerId);
	if (before === undefined)
		return;
	const [old, now] = [placeOf(before), placeOf(event)];
	pointers.set(event.pointerId, event);
	if (pointers.size === 1) {
		move(old.x - now.x, old.y - now.y);
		return;
	}
	const other = [...pointers.values()].find((one) =>
		one.pointerId !== event.pointerId);
	const apart = (one) => Math.hypot(one.clientX - other.clientX,
		one.clientY - other.clientY);
	if (apart(event) > 10)
		zoom(apart(before) / apart(event), placeOf(other));
});

for (const type of ["pointerup", "pointercancel"])
	root.addEventListener(type, (event) =>
		pointers.delete(event.pointerId));

root.addEventListener("dblclick", showAll);

document.addEventListener("keydown", (event) => {
	if (event.ctrlKey || event.metaKey || event.altKey)
		return;
	const middle = { x: x + width / 2, y: y + height / 2 };
	const act = {
		"+": () => zoom(0.8, middle),
		"=": () => zoom(0.8, middle),
		"-": () => zoom(1.25, middle),
		"0": showAll,
		"ArrowLeft": () => move(-width / 10, 0),
		"ArrowRight": () => move(width / 10, 0),
		"ArrowUp": () => move(0, -height / 10),
		"ArrowDown": () => move(0, height / 10),
	}[event.key];
	if (act === undefined)
		return;
	event.preventDefault();
	act();
});
