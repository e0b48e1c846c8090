// view_shares.js - how close figures of ranges are on a page that was thinned
//
//	node view_shares.js PAGE TRACE [RANGES [SEED]]
//
// chooses random ranges of a third, a tenth, a hundredth and a thousandth of
// the trace, by each clock, half of them of a single thread, and compares each
// figure on the page with that of "dmtrace report". Prints how many cells are
// exact, off by at most 5 % as a lower bound or as the middle of two, or
// neither: of methods with at least a hundredth of the range's time, and of
// those cells that are themselves at least a hundredth of it, or of the calls.
// A figure outside of its bounds is printed; then the exit status is 1.
"use strict";

const { execFileSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const { readPage } = require("./read_page.js");

const [page, file, count = 10, seed = 1] = process.argv.slice(2);
const { trace, boundsShown, buildTree, stepOfDuration } = readPage(page, 0);
let failed = 0, state = Number(seed);

function random() {
	state = Math.imul(state, 1103515245) + 12345 & 0x7fffffff;
	return state / 0x80000000;
}

function dmtrace(...words) {
	return execFileSync("dmtrace", words, { encoding: "utf8",
		maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "ignore"] });
}

// Returns what a report has by name of the method, "" for the top.
function report(clock, thread, { from, to }) {
	const words = ["report", "-q", "-f", "tsv", `--from=${from / 1000}us`,
		`--to=${to / 1000}us`];
	if (thread >= 0)
		words.push("-t", String(trace.threads[thread].number));
	let text;
	try {
		text = dmtrace(...words, files[clock]);
	} catch (error) {
		if (error.status !== 1)
			throw error;
		text = error.stdout;
	}
	const [names, ...lines] = text.trimEnd().split("\n")
		.map((line) => line.split("\t"));
	const rows = new Map();
	for (const line of lines) {
		const row = Object.fromEntries(names.map((name, i) =>
			[name, line[i]]));
		if (row.kind === "top" || row.kind === "method")
			rows.set(row.kind === "top" ? "" :
				[row.class.replaceAll("/", "."), row.name,
					row.signature].join("\t"), row);
	}
	return rows;
}

const KINDS = ["exact", "least", "middle", "neither"];

// Counts the cells of a range.
function judge(tally, clock, thread, range) {
	const wanted = report(clock, thread, range);
	const { total, rows } = buildTree(trace, thread, clock, range)
		.profile();
	const column = `inclusive_${clock}_ns`;
	let time = 0, calls = 0;
	for (const row of wanted.values()) {
		time = Math.max(time, Number(row[column]));
		calls += Number(row.calls) + Number(row.recursive_calls);
	}
	for (const row of [total, ...rows]) {
		const { className, name, signature } =
			trace.methods[row.method] ?? {};
		const key = row.method < 0 ? "" : [className.replaceAll("/",
			"."), name, signature].join("\t");
		const own = wanted.get(key);
		wanted.delete(key);
		const cells = ["inclusive", "exclusive"].filter((what) =>
			!Number.isNaN(row.time(what, clock))).map((what) =>
			[`${what}_${clock}_ns`, row[what][clock],
				row.slack[what][clock], time]);
		if (row.method >= 0)
			cells.push(["calls", row.calls, row.slack.calls, calls],
				["recursive_calls", row.recursive,
					row.slack.recursive, calls]);
		for (const [what, least, slack, whole] of cells) {
			const figure = Number(own?.[what] ?? 0);
			if (figure < least || figure > least + slack) {
				failed++;
				console.log(`${clock} ${JSON.stringify(range)
				} thread ${thread} ${key} ${what}: ${figure
				} is not ${least} to ${least + slack}`);
			}
			const { kind } = boundsShown(least, slack,
				what.includes("calls") ? () => 1 :
					stepOfDuration);
			if (Number(own?.[column] ?? 0) >= time / 100 &&
				what !== "recursive_calls")
				tally.method[kind]++;
			if (figure >= whole / 100)
				tally.cell[kind]++;
		}
	}
	for (const [name, row] of wanted)
		if (Number(row.calls) + Number(row.recursive_calls) > 0) {
			failed++;
			console.log(`${clock} ${JSON.stringify(range)} thread ${
				thread} ${name}: is not on the page`);
		}
}

function describe(cells) {
	const all = KINDS.reduce((sum, kind) => sum + cells[kind], 0) || 1;
	const shares = KINDS.map((kind) =>
		(100 * cells[kind] / all).toFixed(1));
	return `${String(all).padStart(6)} cells: ${shares[0]} % exact, ${
		shares[1]} % least, ${shares[2]} % middle, ${
		shares[3]} % neither`;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "view_shares-"));
const files = { wall: file, cpu: file };
try {
	if (trace.clocks.length > 1) {
		files.cpu = path.join(folder, "cpu.trace");
		dmtrace("convert", "-q", "--clock=cpu", "-o", files.cpu, file);
	}
	for (const clock of trace.clocks)
		for (const part of [3, 10, 100, 1000]) {
			const tally = { method: {}, cell: {} };
			for (const kind of KINDS)
				tally.method[kind] = tally.cell[kind] = 0;
			for (let i = 0; i < count; i++) {
				const { from, length } = trace.span(clock);
				const width = length / part;
				const start = Math.round((from + random() *
					(length - width)) / 1000) * 1000;
				judge(tally, clock, i % 2 === 0 ? -1 :
					Math.floor(random() *
						trace.threads.length), {
					from: start, to: start +
						Math.round(width / 1000) * 1000,
				});
			}
			const name = `${clock} 1/${part}`.padEnd(10);
			console.log(`${name} of methods of 1 %: ${
				describe(tally.method)}`);
			console.log(`${name} of 1 %:            ${
				describe(tally.cell)}`);
		}
} finally {
	fs.rmSync(folder, { recursive: true });
}
process.exitCode = failed > 0 ? 1 : 0;
