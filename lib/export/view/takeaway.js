// takeaway.js - what one can take from the page: rows, a stack, a link, a
// command

import { copyAndTell, pathOfCall, stackText } from "./choices.js";
import { STRAY } from "./data.js";
import { bounded, shorten, textOfBounded } from "./format.js";
import { buildTree } from "./tree.js";

const PATTERN_MOST = 30000;	// letters; shells have room for 128 KiB

// Returns the rows that a panel shows, with tabs between the cells.
export function rowsText(page) {
	const { tab, panels } = page;
	const line = (cells) => `${cells.map((cell) => String(cell)
		.replace(/\s+/g, " ").trim()).join("\t")}\n`;
	const bounds = (node, what) => page.about + textOfBounded(bounded(
		...node.boundsOf(what), (figure) => Number.isNaN(figure) ? "" :
			String(Math.round(figure))));
	if (tab === "tree" || tab === "flame") {
		const nodes = tab === "tree" ? panels.tree.rows :
			panels.flame.frames.map(({ node }) => node);
		return line(["depth", "method", "inclusive_ns", "exclusive_ns",
			"calls"]) + nodes.map((node) => line([node.depth,
			page.nameOf(node.method), ...["total", "self", "calls"]
				.map((what) => bounds(node, what))])).join("");
	}
	const table = page.panels.place.querySelector(
		":scope > :not([hidden]) table");
	return [...table?.rows ?? []].map((row) => line([...row.cells].map(
		(cell) => cell.innerText))).join("");
}

// Writes a word for a shell.
function quoted(word) {
	return /^[\w@%+=:,./-]+$/.test(word) ? word :
		`'${word.replaceAll("'", "'\\''")}'`;
}

// Returns a pattern that matches just that method, or null: of names in which a
// character is special, or not shown as it is, of those of C, which have a
// file, and of very long ones.
function patternOf(trace, method) {
	const { label, signature, className, name } = trace.methods[method];
	const isAlone = signature !== "" || trace.methods.every((one, i) =>
		trace.same[i] === method || one.label !== label);
	return name === "" || className.startsWith("[") || !isAlone ||
		/^[!/(]|[*?\\\ufffd]/.test(label + signature) ||
		label.length + signature.length > PATTERN_MOST ? null :
		label + signature;
}

// Whether the first or the last event that a command has of a thread may be one
// of hidden methods: without it, the thread begins later, or ends before. In a
// range, calls that are open at an edge have events there.
function cutsThread({ trace, range, clock }, index, hidden) {
	const thread = trace.threads[index];
	const { word, left, count, [clock]: times } = trace.steps(index);
	const isHidden = (one) => one === STRAY ||
		hidden.has(trace.same[one - 1]);
	const lacks = (i) => (left === null ? 0 : i < count ? left.calls[i] :
		thread.left[0]) > 0;
	const { from, to } = range ?? { from: -Infinity, to: Infinity };
	const before = [...word.subarray(0, thread.before)], open = [];
	const cutsAt = (i, one) => open.length > 0 && range !== null ?
		open.every(isHidden) : lacks(i) || isHidden(one);
	const events = count - thread.after;
	let latest = -Infinity, last, i = thread.before;
	for (; i < events; i++) {
		latest = Math.max(latest, times[i]);
		if (latest >= to)
			break;
		const one = word[i] !== 0 ? word[i] :
			open.at(-1) ?? before.pop() ?? STRAY;
		if (latest >= from) {
			if (last === undefined && cutsAt(i, one))
				return true;
			last = one;
		}
		if (word[i] === 0)
			open.pop();
		else if (word[i] !== STRAY)
			open.push(word[i]);
	}
	return last === undefined ? open.some(isHidden) : cutsAt(i, last);
}

// Returns the methods that are merged and have calls in the selection, in the
// order of transforms: others have no effect, and no command knows them.
function mergedMethods({ trace, thread, clock, range, transforms }) {
	if (transforms.length === 0)
		return [];
	const { rows } = buildTree(trace, thread, clock, range).profile();
	return transforms.map(({ methods: [method] }) => method).filter(
		(method) => rows.some((row) => row.method === method &&
			row.most("calls") + row.most("recursive") > 0));
}

// Returns why no command gives the figures of the profile, or null. Reports of
// only some calls count the time between these calls, too, as that of their
// threads.
function whyNoCommand(page) {
	const { trace, measure, transforms, thread, range } = page;
	const none = "No command gives these figures: ";
	if (measure === "wait")
		return `${none}reports have no profile of waiting only`;
	if (range !== null && page.sums.tree.profile().rows.length === 0)
		return `${none}nothing is in the range`;
	const other = transforms.find(({ kind, methods: [method] }) =>
		kind !== "m" || patternOf(trace, method) === null);
	if (other !== undefined)
		return `${none}reports have nothing like "${
			shorten(other.text, 120)}"`;
	const hidden = new Set(mergedMethods(page));
	if (hidden.size > 0 && trace.threads.some(({ index }) =>
		(thread < 0 || index === thread) &&
		cutsThread(page, index, hidden)))
		return `${none}a thread begins or ends with a merged call`;
	return stepsOf(page).length > 1 && measure === "cpu" &&
		page.sums.tree.profile().total.partial.inclusive ?
		`${none}a trace that was filtered does not say which CPU ` +
		"time is not known" : null;
}

// Returns the steps of the command that prints the figures of the profile.
// Ranges of reports are of wall time if a trace has it; for one of CPU time the
// trace is converted. What was selected when the page was made comes first, and
// each transform is one more step.
function stepsOf(page) {
	const { trace, range, thread, clock } = page;
	const merged = mergedMethods(page);
	const converts = range !== null && clock !== trace.clocks[0];
	const steps = [], words = [];
	const { selection } = trace;
	if (range === null && merged.length === 0)
		words.push(...selection.filter((word) => thread < 0 ||
			!word.startsWith("--thread=")));
	else if (selection.length > 0)
		steps.push(["filter", ...selection]);
	// One clock with nanoseconds is written by version 4 alone.
	if (converts)
		steps.push(["convert", ...trace.unit === 1 ? ["-d", "v4"] : [],
			"--clock=cpu"]);
	if (range !== null)
		words.push(`--from=${range.from / 1000}us`,
			`--to=${range.to / 1000}us`);
	if (thread >= 0)
		words.push("-t", String(trace.threads[thread].number));
	if (merged.length > 0 && words.length > 0)
		steps.push(["filter", ...words.splice(0)]);
	words.push(...merged.map((method) =>
		`--hide=${patternOf(trace, method)}`));
	if (page.measure === "cpu" && trace.clocks.length > 1 && !converts)
		words.push("--clock=cpu");
	return [...steps, ["report", ...words]];
}

// Returns the command, or null.
export function commandText(page) {
	const { trace } = page;
	return whyNoCommand(page) !== null ? null : stepsOf(page).map(
		(step, i) => ["dmtrace", ...step, i > 0 ? "-" :
			trace.name.replace(/^-/, "./-")].map(quoted)
			.join(" ")).join(" | ");
}

export function openCopyMenu(page, near) {
	const path = pathOfCall(page), why = whyNoCommand(page);
	page.menu.open("Copy", [
		["Rows, for a spreadsheet", () =>
			copyAndTell(page, rowsText(page))],
		...path === null ? [] : [["Stack of the selected call", () =>
			copyAndTell(page, stackText(page, path))]],
		["Link to what is shown", () => {
			page.address.write();
			copyAndTell(page, location.href);
		}],
		...page.trace.report !== undefined ? [] :
			[why === null ? ["Equal command", () =>
			copyAndTell(page, commandText(page))] :
			[why, () => page.announce(why)]],
	], near);
}
