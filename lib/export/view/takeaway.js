// takeaway.js - what one can take from the page: rows, a stack, a link, a
// command

import { copyAndTell, pathOfCall, stackText } from "./choices.js";
import { bounded, shorten, textOfBounded } from "./format.js";

// Returns the rows that a panel shows, with tabs between the cells.
export function rowsText(page) {
	const { tab, panels } = page;
	const line = (cells) => `${cells.map((cell) => String(cell)
		.replace(/\s+/g, " ").trim()).join("\t")}\n`;
	const bounds = (node, what) => page.about + textOfBounded(bounded(
		...node.boundsOf(what), (figure) =>
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

// Returns a pattern that matches just that method, or null: names in which a
// character is special, and those of C, which have a file.
function patternOf(trace, method) {
	const { label, signature, className, name } = trace.methods[method];
	const isAlone = signature !== "" || trace.methods.every((one, i) =>
		trace.same[i] === method || one.label !== label);
	return name === "" || className.startsWith("[") || !isAlone ||
		/^[!/(]|[*?]/.test(label + signature) ? null :
		label + signature;
}

// Returns why no command gives the figures of the profile, or null. Reports of
// only some calls count the time between these calls, too, as that of their
// threads.
function whyNoCommand({ trace, measure, transforms }) {
	if (measure === "wait")
		return "No command gives these figures: reports have no " +
			"profile of waiting only";
	const other = transforms.find(({ kind, methods: [method] }) =>
		kind !== "m" || patternOf(trace, method) === null);
	return other === undefined ? null :
		`No command gives these figures: reports have nothing like "${
			shorten(other.text, 120)}"`;
}

// Returns the command that prints the figures of the profile, or null. Ranges
// of reports are of wall time if a trace has it; for one of CPU time the trace
// is converted. What was selected when the page was made comes first, and each
// transform is one more step.
export function commandText(page) {
	const { trace, range, thread, transforms, clock } = page;
	if (whyNoCommand(page) !== null)
		return null;
	const converts = range !== null && clock !== trace.clocks[0];
	const steps = [], words = [];
	const { selection } = trace;
	const isPlain = range === null && thread < 0 && transforms.length ===
		0 && page.measure === trace.clocks[0];
	if (isPlain)
		words.push(...selection);
	else if (selection.length > 0)
		steps.push(["filter", ...selection]);
	if (converts)
		steps.push(["convert", "--clock=cpu"]);
	if (range !== null)
		words.push(`--from=${range.from / 1000}us`,
			`--to=${range.to / 1000}us`);
	if (thread >= 0)
		words.push("-t", String(trace.threads[thread].number));
	if (transforms.length > 0 && words.length > 0)
		steps.push(["filter", ...words.splice(0)]);
	words.push(...transforms.map(({ methods: [method] }) =>
		`--hide=${patternOf(trace, method)}`));
	if (page.measure === "cpu" && trace.clocks.length > 1 && !converts)
		words.push("--clock=cpu");
	steps.push(["report", ...words]);
	return steps.map((step, i) => ["dmtrace", ...step, i > 0 ? "-" :
		trace.name.replace(/^-/, "./-")].map(quoted).join(" "))
		.join(" | ");
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
