// format.js - times, numbers and elements

// The font of bars and frames. All letters have the same width, so that the
// number of letters that fit is known.
export const FONT = "11px ui-monospace, SFMono-Regular, Menlo, Consolas, " +
	"'DejaVu Sans Mono', monospace";

// What clocks are called.
export const NAMES = { wall: "Wall time", cpu: "CPU time" };

const UNITS = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];

// Formats a time in the largest unit that is not above it, with enough digits
// after the point to show differences of step.
export function formatTime(ns, step = Math.abs(ns) / 1000) {
	if (ns === 0)
		return "0";
	const [unit, size] = UNITS.find(([, one]) => Math.abs(ns) >= one) ??
		UNITS[3];
	const digits = Math.max(0, Math.min(9,
		Math.ceil(Math.log10(size / Math.max(step, 1)))));
	return `${(ns / size).toFixed(size === 1 ? 0 : digits)
		.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")} ${unit}`;
}

export function formatCount(number) {
	return number.toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

const LENGTHS = [["µs", 1e3], ["ms", 1e6], ["s", 1e9], ["min", 6e10],
	["h", 3.6e12]];

// Returns how a duration of at least 1000 ns is shown: in a suitable unit, with
// decimals for three significant digits.
function scaleOf(size) {
	const [unit, length] = LENGTHS.find(([, one]) =>
		Math.round(size / one) < 1000) ?? LENGTHS[4];
	const decimals = [2, 1].find((one) =>
		Math.round(size * 10 ** one / length) < 1000) ?? 0;
	return { unit, length, decimals };
}

// Formats a duration as in a report.
export function formatDuration(ns) {
	if (Number.isNaN(ns))
		return "unknown";
	const size = Math.abs(Math.round(ns));
	const sign = ns < 0 && size > 0 ? "-" : "";
	if (size < 1000)
		return `${sign}${size} ${size === 0 ? "s" : "ns"}`;
	const { unit, length, decimals } = scaleOf(size);
	const digits = Math.round(size * 10 ** decimals / length);
	return `${sign}${(digits / 10 ** decimals).toFixed(decimals)} ${unit}`;
}

// Returns the difference between two durations that are shown.
export function stepOfDuration(ns) {
	const size = Math.abs(Math.round(ns));
	if (size < 1000)
		return 1;
	const { length, decimals } = scaleOf(size);
	return length / 10 ** decimals;
}

// Formats a duration in microseconds, with all digits.
export function formatMicros(ns) {
	const [whole, decimals] = (ns / 1000).toFixed(3).split(".");
	return `${formatCount(whole)}.${decimals}`.replace(/\.?0+$/, "") +
		" µs";
}

// Returns an element with a duration, whose tooltip has all digits.
export function durationElement(ns) {
	if (Number.isNaN(ns))
		return element("span", { class: "duration" });
	return element("span", { class: "duration", title: formatMicros(ns) },
		formatDuration(ns));
}

// Returns how a figure is shown that may be higher by slack: "exact" if it
// cannot, "least" as a lower bound if it is 5 % higher at most, "middle" if it
// is no further from either bound, else "neither", with both bounds. What is
// shown has the step of what is near it, and bounds are never rounded inwards.
export function boundsShown(figure, slack, stepOf) {
	const rounded = (round, one) => {
		const step = stepOf(one);
		return round(one / step) * step;
	};
	const most = figure + slack;
	if (!(slack > 0))
		return { kind: "exact", least: figure, most: figure };
	const least = rounded(Math.floor, figure);
	if (most <= least * 1.05)
		return { kind: "least", least };
	const middle = rounded(Math.round, figure + slack / 2);
	return Math.max(middle - figure, most - middle) <= middle * 0.05 ?
		{ kind: "middle", middle } :
		{ kind: "neither", least, most: rounded(Math.ceil, most) };
}

// Returns both bounds as one text, with the unit once if it is the same.
function joinBounds(least, most) {
	const unit = / \S+$/.exec(most)?.[0] ?? "";
	const few = least.endsWith(unit) ?
		least.slice(0, least.length - unit.length) : least;
	return `${few}${least.startsWith("-") ? " to " : "–"}${most}`;
}

// Returns a figure that may be higher by slack. The tooltip has all digits, or
// those of the step fine.
export function bounded(figure, slack, show, { step = 1, digits = show,
	stepOf = () => step, fine = 1 } = {}) {
	if (!(slack > 0) || Number.isNaN(figure))
		return show === formatDuration ? durationElement(figure) :
			show(figure);
	const { kind, least, middle, most } =
		boundsShown(figure, slack, stepOf);
	const text = kind === "least" ? `≥ ${show(least)}` :
		kind === "middle" ? `≈ ${show(middle)}` :
			joinBounds(show(least), show(most));
	const all = (round, one) => digits(round(one / fine) * fine);
	return element("span", { class: "bound", title: `${all(Math.floor,
		figure)} to ${all(Math.ceil, figure + slack)}: more is not ` +
		"known of calls that were left out" }, text);
}

export function boundedDuration(ns, slack) {
	return bounded(ns, slack, formatDuration, { digits: formatMicros,
		stepOf: stepOfDuration });
}

// Returns the share in per cent of a time, as bounded(), of a whole that has
// bounds, too; it is not more than the whole.
export function boundedShare([time, more], whole) {
	const low = formatShare(time, whole.most);
	if (low === formatShare(time + more, whole.least))
		return low;
	const least = 100 * time / whole.most || 0;
	const most = Math.max(least, Math.min(100,
		100 * (time + more) / whole.least || 0));
	return bounded(least, most - least, (part) => part.toFixed(1),
		{ step: 0.1, digits: (part) => part.toFixed(3), fine: 0.001 });
}

// The text of what bounded() returned, for a line of text.
export function textOfBounded(made) {
	return (made.textContent ?? made) || "unknown";
}

// Returns what is shown of a share, with a bar as long as a part of a whole, if
// both are known.
export function shareElement(part, whole, shown) {
	const length = part > 0 && whole > 0 ? Math.min(1, part / whole) : 0;
	return element("span", { class: "share",
		style: `--share:${100 * length}%` }, shown);
}

export function formatPlural(number, what, several = `${what}s`) {
	return `${formatCount(number)} ${number === 1 ? what : several}`;
}

// Names are searched without regard to case, and a class may be written with
// dots or slashes.
export function searchable(name) {
	return name.toLowerCase().replaceAll("/", ".");
}

export function formatShare(part, whole) {
	if (Number.isNaN(part) || Number.isNaN(whole))
		return "";
	return whole === 0 ? "0.0" : (100 * part / whole).toFixed(1);
}

// Returns the step of a ruler: 1, 2 or 5 times a power of ten, at least ns.
export function roundStep(ns) {
	const power = 10 ** Math.floor(Math.log10(Math.max(ns, 1)));
	return power * ([1, 2, 5].find((one) => one * power >= ns) ?? 10);
}

// Returns what is written before a name in its language. It is nothing for C,
// whose class is a file in square brackets, or "native".
export function scopeOf(className, signature) {
	if (className === "" || className === "native" ||
		/^\[.+\]$/s.test(className))
		return "";
	const isCxx = className.includes("::") || signature !== "()" &&
		/^\(.*\)(?:$|[^VZBCSIJFDL[)][^)]*$)/s.test(signature);
	return isCxx ? `${className}::` : `${className.replaceAll("/", ".")}.`;
}

// Returns the part of a method's name that has room for so many letters: names
// are cut from the left, as their ends differ most.
export function fitLabel({ label, short, name }, letters) {
	for (const text of [label, short, name])
		if (text !== "" && text.length <= letters)
			return text;
	return `…${(name || short).slice(1 - letters)}`;
}

const TYPES = { V: "void", Z: "boolean", B: "byte", C: "char", S: "short",
	I: "int", J: "long", F: "float", D: "double" };

const TYPE = "\\[*(?:[VZBCSIJFD]|L[^;]+;)";

// Returns a descriptor of the JVM as a programmer writes the parameters,
// "(Message, int[])"; any other signature as it is.
export function formatSignature(signature) {
	const found = new RegExp(`^\\(((?:${TYPE})*)\\)${TYPE}$`)
		.exec(signature);
	if (found === null)
		return signature;
	const types = found[1].match(new RegExp(TYPE, "g")) ?? [];
	return `(${types.map((type) => {
		const base = type.replace(/^\[+/, "");
		const text = TYPES[base] ?? base.slice(1, -1)
			.replace(/^.*[/.]/, "");
		return text + "[]".repeat(type.length - base.length);
	}).join(", ")})`;
}

// Shortens a text to the length that a line can show.
export function shorten(text, length = 300) {
	return text.length <= length ? text : `${text.slice(0, length)}…`;
}

// Makes an element: element("button", { class: "on", onclick: f }, "text",
// child).
export function element(name, attributes = {}, ...children) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes))
		if (key.startsWith("on"))
			made.addEventListener(key.slice(2), value);
		else if (value !== null && value !== false)
			made.setAttribute(key, value === true ? "" : value);
	made.append(...children.filter((one) => one !== null));
	return made;
}

// Makes a canvas as large as its element, in pixels of the screen.
export function fitCanvas(canvas, width, height) {
	const ratio = window.devicePixelRatio || 1;
	const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
	}
	canvas.style.width = `${width}px`;
	canvas.style.height = `${height}px`;
	const context = canvas.getContext("2d", { alpha: false });
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	return context;
}

// Copies a text for other programs. Returns whether it was copied.
export async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		// Pages from files may not be allowed to do so.
		const box = element("textarea", { class: "hidden",
			"aria-hidden": "true" });
		const before = document.activeElement;
		document.body.append(box);
		box.value = text;
		box.select();
		const done = document.execCommand("copy");
		box.remove();
		before?.focus({ preventScroll: true });
		return done;
	}
}

// Shows a tip beside the pointer, inside of the window. parts is null to hide
// the tip, and empty to keep its text.
export function showTip(tip, parts, event) {
	tip.hidden = parts === null;
	if (parts === null)
		return;
	if (parts.length > 0)
		tip.replaceChildren(...parts);
	const { innerWidth, innerHeight } = window;
	const x = Math.min(event.clientX + 14,
		innerWidth - tip.offsetWidth - 4);
	const below = event.clientY + 18;
	const y = below + tip.offsetHeight + 4 <= innerHeight ? below :
		event.clientY - tip.offsetHeight - 12;
	tip.style.left = `${Math.max(4, x)}px`;
	tip.style.top = `${Math.max(4, y)}px`;
}
