// takeaway.js - what one can take from the page: rows, a stack, a link, a
// command

import { copyAndTell, pathOfCall, stackText } from "./choices.js";

// Returns the rows that a panel shows, with tabs between the cells.
export function rowsText(page) {
	const { tab, panels } = page;
	const line = (cells) => `${cells.map((cell) => String(cell)
		.replace(/\s+/g, " ").trim()).join("\t")}\n`;
	if (tab === "tree" || tab === "flame") {
		const nodes = tab === "tree" ? panels.tree.rows :
			panels.flame.frames.map(({ node }) => node);
		return line(["depth", "method", "inclusive_ns", "exclusive_ns",
			"calls"]) + nodes.map((node) => line([node.depth,
			page.nameOf(node.method), node.total, node.self,
			node.calls])).join("");
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

// Returns the command that prints the figures of the profile. Ranges of reports
// are of wall time if a trace has it; for one of CPU time the trace is
// converted.
export function commandText(page) {
	const { trace, range, thread, transforms, clock } = page;
	const words = ["dmtrace", "report"];
	const converts = range !== null && clock !== trace.clocks[0];
	if (range !== null)
		words.push(`--from=${range.from / 1000}us`,
			`--to=${range.to / 1000}us`);
	if (thread >= 0)
		words.push("-t", String(trace.threads[thread].number));
	if (page.measure === "cpu" && trace.clocks.length > 1 && !converts)
		words.push("--clock=cpu");
	for (const { kind, methods: [method] } of transforms)
		if (kind === "f" || kind === "m")
			words.push(`--${kind === "f" ? "under" : "hide"}=${
				trace.methods[method].label}`);
	const line = (all) => all.map(quoted).join(" ");
	return converts ? `${line(["dmtrace", "convert", "--clock=cpu",
		trace.name])} | ${line([...words, "-"])}` :
		line([...words, trace.name]);
}

export function openCopyMenu(page, near) {
	const path = pathOfCall(page);
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
			[["Equal command", () =>
			copyAndTell(page, commandText(page))]],
	], near);
}
