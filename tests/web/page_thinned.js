// page_thinned.js - the page of a trace whose short calls are left out
"use strict";

const { execFileSync } = require("child_process");
const { boxOf, nameOf, openPage, pixelOf, report, settle, shownRows, stateOf,
	textOf, us, wantedRows } = require("./page_start.js");
const { readPage } = require("./read_page.js");
const { claim, quiet, same } = require("./web_cases.js");

// The calls of a trace by thread, depth and order of their ends: start,
// inclusive and exclusive wall time in ns, number of callees.
function callsOf(trace) {
	const [names, ...lines] = execFileSync("dmtrace", ["dump", "-q", "-f",
		"tsv", trace], { encoding: "utf8", maxBuffer: 1 << 29 })
		.trimEnd().split("\n").map((line) => line.split("\t"));
	const [thread, action, wall] = ["thread", "action", "wall_ns"].map(
		(name) => names.indexOf(name));
	const open = new Map(), calls = new Map();
	for (const line of lines) {
		if (!open.has(line[thread]))
			open.set(line[thread], []);
		const stack = open.get(line[thread]);
		const time = Number(line[wall]);
		if (line[action] === "enter") {
			stack.push({ start: time, below: 0, callees: 0 });
			continue;
		}
		const call = stack.pop(), caller = stack.at(-1);
		if (call === undefined)
			throw new Error("an exit without an enter");
		call.took = time - call.start;
		if (caller !== undefined) {
			caller.below += call.took;
			caller.callees++;
		}
		calls.set(`${line[thread]} ${stack.length} ${call.start} ${
			call.took}`, call);
	}
	return calls;
}

// The number of a figure with units, or of its bounds: [least, most] in ns.
// The bounds that the text of a cell has: [least, most], and what its tooltip
// says, in microseconds.
function boundsOf([text, tip]) {
	const sizes = { ns: 0.001, ms: 1e3, s: 1e6 };
	const parts = text.replace(/[≥≈ ,]/g, "").split("–");
	const unit = parts.at(-1).replace(/[\d.]+/, "");
	const [figure, most = figure] = parts.map((one) => parseFloat(one) *
		(sizes[one.replace(/[\d.]+/, "") || unit] ?? 1));
	const shown = text.startsWith("≈") ? [figure * 0.95, figure * 1.05] :
		[figure, text.startsWith("≥") ? figure * 1.05 : most];
	const [few, many = few] = tip.replace(/:.*|[ ,µs]/g, "").split("to")
		.map(Number);
	return { shown, exact: [few, many] };
}

async function checkThinned(browser, page) {
	const trace = page.replace(/\.html$/, ".trace");

	await claim("thinned: the page says so", async () => {
		await openPage(browser, `file://${page}`);
		const text = await textOf(browser, ".summary");
		if (!/ · [\d,]+ calls below [\d.]+ µs not shown one by one/.test(
			text))
			throw new Error(text);
	});
	await claim("thinned: figures of the whole trace are exact", async () =>
		same(await shownRows(browser), wantedRows(trace, "wall")));
	await claim("thinned: so are those of 200 calls", async () => {
		const calls = callsOf(trace);
		const shown = await browser.evaluate(() => {
			const { trace: { threads } } = window.dmtrace;
			const found = [];
			for (let i = 0; i < 200; i++) {
				const lane =
					window.dmtrace.lane(i % threads.length);
				const depth = (i >> 1) % lane.levels.length;
				const { length } = lane.levels[depth].start;
				const one =
					lane.describe({ depth, at: Math.floor(
					length * ((i * 0.6180339) % 1)) });
				found.push([threads[i % threads.length].number,
					depth, one.start, one.inclusive.wall,
					one.exclusive.wall, one.children]);
			}
			return found;
		});
		let left = 0;
		for (const [thread, depth, start, took, exclusive, callees]
			of shown) {
			const call = calls.get(
				`${thread} ${depth} ${start} ${took}`);
			same([exclusive, callees],
				[call.took - call.below, call.callees]);
			left += callees;
		}
		return left > 0;
	});
	await claim("thinned: strips are those of all events", async () => {
		const bins = await browser.evaluate(() => {
			const { trace: one } = window.dmtrace;
			const { from, width } = one.strips;
			return [20, 77, 101, 150, 180].map((bin) => {
				const start =
					Math.round((from + bin * width) / 1000);
				return { number: one.threads[0].number, start,
					end: Math.round(start + width / 1000),
					level: one.stripOf(0).level[bin] };
			});
		});
		for (const { number, start, end, level } of bins) {
			const [top] = report(trace, `-t${number}`,
				`--from=${start}us`, `--to=${end}us`);
			const share = (top.inclusive_cpu_ns -
				top.exclusive_cpu_ns) / 50 / (end - start);
			if (Math.abs(level - share) > 0.6)
				throw new Error(`${level} is not ${share}`);
		}
	});
	await claim("thinned: what is left out is hatched, and named",
		async () => {
		const place = await browser.evaluate(() => {
			const { timeline } = window.dmtrace;
			const lane = window.dmtrace.lane(
				window.dmtrace.trace.main);
			const depth = lane.gaps.findIndex((one, i) => i > 0 &&
				one.start.length > 0);
			const gaps = lane.gaps[depth];
			let at = 0;
			for (let i = 0; i < gaps.start.length; i++)
				if (gaps.end[i] - gaps.start[i] >
					gaps.end[at] - gaps.start[at])
					at = i;
			window.dmtrace.setView({ from: gaps.start[at],
				to: gaps.end[at] });
			timeline.scroller.scrollTop = 0;
			return { depth, left:
				lane.leftBefore(gaps.step[at]).calls };
		});
		await settle(browser);
		const box = await boxOf(browser, ".lanes");
		const y = 22 + place.depth * 16 + 7;
		const colors = new Set();
		for (let x = 0; x < 6; x++)
			colors.add(String(await pixelOf(browser, ".bars",
				box.width * 0.9 + x, y)));
		await browser.mouse("mouseMoved", box.x + box.width * 0.9,
			box.y + y, { button: "none", buttons: 0 });
		const tip = await textOf(browser, ".timeline .tip");
		if (!new RegExp(`^${place.left} calls? < [\\d.]+ µs\n`).test(
			tip.replace(/,/g, "")))
			throw new Error(tip);
		await browser.key("0");
		return colors.size === 2;
	});
	await claim("thinned: figures of a transform are marked", async () => {
		const found = await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.chooseMethod(0);
			app.timeline.scroller.focus();
			document.activeElement.dispatchEvent(
				new window.KeyboardEvent("keydown", { key: "c",
					bubbles: true }));
			document.querySelector(".menu button").click();
			const texts = [];
			for (const tab of ["profile", "tree", "flame"]) {
				app.setTab(tab);
				app.panels.drawNow();
				texts.push(...[...document.querySelectorAll(
					tab === "tree" ? "[role='treeitem'] >" +
					" span:not(.method)" :
					"table.methods td")].map((one) =>
					one.innerText));
			}
			const { flame } = app.panels;
			const [{ node }] = flame.frames.slice(-1);
			texts.push(...flame.describe(node)[1].split("; "));
			texts.push(...flame.status.value.replace(/.*: /,
				"").split(", "));
			app.chooseMethod(-1);
			flame.top = node;
			app.panels.drawNow();
			texts.push(...flame.status.value.replace(/.*: /,
				"").split(" of "));
			flame.zoomTo(null);
			const { trace: { main } } = app, { levels } =
				app.lane(main);
			app.showCalls(levels[0].method[0]);
			app.panels.drawNow();
			const { calls } = app.panels;
			texts.push(calls.status.value.replace(/.*: /, ""),
				calls.place.querySelector("td:nth-child(3)")
					.innerText);
			app.select({ thread: main, depth: 0, at: 0 });
			texts.push(...document.querySelector(".about")
				.innerText.match(/\S+(?= callee| \S+ exclusive)/g));
			app.select(null);
			app.chooseMethod(-1);
			document.querySelector(".chip").click();
			app.setTab("profile");
			return texts;
		});
		return found.length > 20 && found.every((one) => one === "" ||
			one.startsWith("~"));
	});
	await claim("thinned: durations are of calls that a transform shows",
		async () => {
			const found = await browser.evaluate(() => {
				const { dmtrace: app } = window;
				const { calls } = app.panels;
				const { levels } = app.lane(app.trace.main);
				const [outer, method] = levels.map((level) =>
					level.method[0]);
				app.showCalls(method);
				app.panels.drawNow();
				const read = () => [
					calls.histogram.innerText.replace(
						/ from.*/, ""),
					calls.status.value.replace(
						/.* or more/, "")];
				const before = read();
				app.chooseMethod(outer);
				app.timeline.scroller.focus();
				document.activeElement.dispatchEvent(
					new window.KeyboardEvent("keydown", {
						key: "c", bubbles: true }));
				document.querySelector(".menu button").click();
				app.chooseMethod(method);
				app.panels.drawNow();
				const after = read();
				calls.shown = Infinity;
				app.panels.drawNow();
				app.search.set(app.trace.methods[method].label);
				return { before, after, rest:
					calls.place.querySelectorAll("tbody tr")
						.length - calls.calls.length };
			});
			await settle(browser);
			found.search = (await textOf(browser, ".found"))
				.replace(/\d.*/, "");
			await browser.evaluate(() => {
				window.dmtrace.search.set("");
				document.querySelector(".chip").click();
				window.dmtrace.chooseMethod(-1);
				window.dmtrace.setTab("profile");
			});
			same(found, { before: ["Durations in the whole trace",
				" and the slowest others"],
			after: ["Durations of the calls in the list", ""],
			rest: 0, search: "≥ " });
		});
	await claim("thinned: no bound is rounded inwards", () => {
		const { boundsShown, formatDuration, stepOfDuration } =
			readPage(page, 0);
		same([[12449000, 1000], [12449000, 900000], [12449000, 9e6],
			[999, 2], [0, 1], [59.96e9, 1], [59.94e9, 1]].map(
			([least, slack]) => Object.values(boundsShown(least,
				slack, stepOfDuration)).map((one, i) =>
				i === 0 ? one : formatDuration(one)).join(" ")),
		["least 12.4 ms", "middle 12.9 ms", "neither 12.4 ms 21.5 ms",
			"least 999 ns", "neither 0 s 1 ns", "least 59.9 s",
			"least 59.9 s"]);
	});
	await claim("thinned: time off the CPU in a range of CPU time is unknown",
		async () => {
			same(await browser.evaluate(() => {
				const { dmtrace: app } = window;
				app.setClock("cpu");
				const { from, to } = app.span;
				app.setRange({ from: from + (to - from) / 4,
					to: to - (to - from) / 4 }, true);
				app.panels.drawNow();
				const cells = [...document.querySelectorAll(
					"td.off-cpu")].map((one) =>
					one.innerText);
				app.setRange(null, true);
				app.setClock("wall");
				return [...new Set(cells)];
			}), ["unknown"]);
		});
	await claim("thinned: figures of a range contain those of a report",
		async () => {
			const { span } = await stateOf(browser);
			let inexact = 0;
			for (const [from, to] of [[0.21, 0.64], [0.4, 0.55]]) {
				await browser.evaluate((a, b) => {
					window.dmtrace.setRange({ from: a, to:
						b },
						true);
				}, span.from + from * (span.to - span.from),
				span.from + to * (span.to - span.from));
				await settle(browser);
				const { range } = await stateOf(browser);
				const wanted = new Map(report(trace,
					`--from=${us(range.from)}us`,
					`--to=${us(range.to)}us`).map((row) =>
					[nameOf(row), row]));
				const rows = await browser.evaluate(() => [
					...document.querySelectorAll(
						"tr[data-method]")].map((row) =>
					["calls", "exclusive"].reduce((all,
						what) => {
						const cell = row.querySelector(
							`td.${what}`);
						return [...all, [
							cell.textContent,
							cell.querySelector("[title]")
								?.title ??
								cell.textContent]];
					}, [row.querySelector(".method")
						.title])));
				for (const [name, ...cells] of rows) {
					const row = wanted.get(name);
					if (name === "(toplevel)" || row ===
						undefined)
						continue;
					inexact += /[≥≈–]/.test(cells[0][0]);
					const calls = Number(row.calls) +
						Number(row.recursive_calls);
					const time = Number(
						row.exclusive_wall_ns) / 1000;
					const { shown, exact } =
						boundsOf(cells[0]);
					const times = boundsOf(cells[1]);
					for (const [one, [least, most]] of [
						[calls, shown], [calls, exact],
						[time, times.exact],
						/[≥≈–]/.test(cells[1][0]) ?
							[time, times.shown] :
							[1, [1, 1]]])
						if (one < least || one > most ||
							most > least * 1.11)
							throw new Error(
								`${name}: ${
								least} to ${
								most}, not ${one}`);
				}
			}
			await browser.evaluate(() =>
				window.dmtrace.setRange(null, true));
			return inexact > 0;
		});
	await claim("thinned: so do those beside the panels", async () => {
		const { span: { from } } = await stateOf(browser);
		const to = from + 2e6;
		const found = await browser.evaluate((a, b) => {
			const { dmtrace: app } = window;
			const read = () => {
				app.panels.drawNow();
				return { sums: app.sums.status.value.split("; ",
					2),
				packages: [...document.querySelectorAll(
					".legend .note")].map((one) =>
					one.innerText) };
			};
			const whole = read();
			app.setRange({ from: a, to: b }, true);
			const range = read();
			range.shares = [...document.querySelectorAll(
				"tr[data-method] .share")].map((one) =>
				one.textContent);
			const cells = ["without", "only"].flatMap((waiting) => {
				app.setWaiting(waiting);
				const { sums } = read();
				return [...sums, "inclusive", "exclusive",
					"off-cpu"].map((text, i) => {
					const cell = i < sums.length ? null :
						document.querySelector(
							`td.${text}`);
					return cell === null ? [text, ""] :
						[cell.textContent,
							cell.lastChild.title];
				});
			});
			const { inclusive, slack } =
				app.sums.tree.profile().total;
			const [root] = app.sums.stacks;
			const waits = [[inclusive.wait, slack.inclusive.wait],
				root.boundsOf("total")];
			range.shares.unshift(app.sums.shareOf(root, "total"));
			app.setWaiting("with");
			app.setRange(null, true);
			app.panels.drawNow();
			return { whole, range, cells, waits };
		}, from, to);
		const [top] = report(trace, `--from=${us(from)}us`,
			`--to=${us(to)}us`);
		const [text] = found.range.sums;
		const { shown: [least, most] } = boundsOf([
			text.replace(/ = sum .*/, ""), "0"]);
		const time = top.inclusive_wall_ns / 1000;
		if (time < least || time > most)
			throw new Error(`${time} is not ${text}`);
		const { shares } = found.range;
		same([shares.slice(0, 2), shares.flatMap((one) =>
			one.split("–")).filter((one) =>
			one.replace("≥ ", "") > 100)], [["100.0", "100.0"], []]);
		const cpu = top.inclusive_cpu_ns / 1000, wait = time - cpu;
		const own = top.exclusive_cpu_ns / 1000;
		// The clocks are read one after the other.
		const waits = Math.max(0, top.exclusive_wall_ns / 1000 - own);
		const wanted = [cpu, wait, cpu, own, wait, wait, cpu, wait,
			waits, wait];
		found.cells.forEach(([words, tip], i) => {
			const { shown, exact } = boundsOf([words.replace(
				/ (=|of|on) .*/, ""), tip || "0"]);
			const bounds = tip === "" ? [shown] : [shown, exact];
			for (const [few, many] of bounds)
				if (wanted[i] < few || wanted[i] > many)
					throw new Error(`${wanted[i]} is not ${
						words} (${tip})`);
		});
		same(...found.waits);
		return found.whole.packages.every((one) => one[0] !== "~") &&
			found.range.packages.every((one) => one[0] === "~");
	});
	await claim("thinned: so do those of the tree", async () => {
		const { span } = await stateOf(browser);
		const [from, to] = [0.213, 0.641].map((part) => 1000 *
			Math.round((span.from + part * (span.to - span.from)) /
				1000));
		await browser.evaluate((a, b) => {
			window.dmtrace.setRange({ from: a, to: b }, true);
			window.dmtrace.setTab("tree");
		}, from, to);
		await settle(browser);
		const [top] = report(trace, `--from=${us(from)}us`,
			`--to=${us(to)}us`);
		const found = await browser.evaluate(() => {
			const { panels, sums } = window.dmtrace;
			const { tree, stacks: [root] } = sums;
			// One of the calls at an edge, from the outermost on.
			const end = [...tree.slack.keys()].find((one) =>
				one > 0);
			const methods = [];
			for (let one = end; one > 0; one = tree.parent[one])
				methods.unshift(tree.method[one]);
			const cut = methods.reduce((node, method) =>
				node.children.find((one) =>
					one.method === method), root);
			const cells = [...panels.tree.row(cut, 0).children];
			return { bounds: ["total", "self"].map((what) =>
				root.boundsOf(what)),
			cut: cut.boundsOf("self"), self: cut.self,
			slack: tree.slackOf(end, "wall"),
			shown: cells.map((one) =>
				one.querySelector(".bound") !== null) };
		});
		[top.inclusive_wall_ns, top.exclusive_wall_ns].forEach(
			(figure, i) => {
				const [least, more] = found.bounds[i];
				if (figure < least || figure > least + more)
					throw new Error(`${figure} is not ${
						found.bounds[i]}`);
			});
		await browser.evaluate(() => {
			window.dmtrace.setRange(null, true);
			window.dmtrace.setTab("profile");
		});
		same([found.cut[0], found.shown], [found.self - found.slack,
			[false, true, true, true, true, true]]);
		return found.slack > 0 && found.cut[1] >= found.slack;
	});
	await claim("thinned: which paths there are is said for each direction",
		async () => {
			same(await browser.evaluate(() => {
				const { dmtrace: app } = window;
				const { from, to } = app.span;
				app.setRange({ from,
					to: from + (to - from) / 9 }, true);
				app.setTab("tree");
				const read = (direction) => {
					app.setDirection(direction);
					app.panels.drawNow();
					return app.sums.status.value.split("; ")
						.slice(2).join("; ").replace(
							/of [\d.]+ µs/, "of T");
				};
				const texts = ["up", "around", "down"]
					.map(read);
				app.setRange(null, true);
				app.setTab("profile");
				return texts;
			}), ["callers are those of calls of T or more; " +
				"those of shorter calls are not known",
			"callers and callees are calls of T or more; shorter " +
				"ones are (left out), or not known",
			"paths are of calls of T or more, shorter ones are " +
				"(left out)"]);
		});
	await claim("thinned: the frames of a method are a lower bound",
		async () => same(await browser.evaluate(() => {
			const { dmtrace: app } = window, { from, to } = app.span;
			app.setTab("flame");
			app.chooseMethod(0);
			const texts = [null, { from, to: (from + to) / 2 }].map(
				(range) => {
					app.setRange(range, true);
					app.panels.drawNow();
					return app.panels.flame.status.value
						.match(/: (.*)[\d,]+ frame/)[1]
						.replace(/[\d,]/g, "");
				});
			app.setRange(null, true);
			app.chooseMethod(-1);
			app.setTab("profile");
			return texts;
		}), ["≥ ", "≥ "]));
	await claim("thinned: the bounds in a tooltip are not rounded together",
		async () => {
			const titles = await browser.evaluate(() => {
				const { dmtrace: app } = window;
				const { from, to } = app.span;
				app.setRange({ from, to: from + (to - from) /
					9 }, true);
				app.panels.drawNow();
				const found = [...document.querySelectorAll(
					".share .bound")].map((one) =>
					one.title);
				app.setRange(null, true);
				return found;
			});
			return titles.length > 10 && titles.every((one) => {
				const [, least, most] =
					/^([\d.]+\.\d{3}) to ([\d.]+):/
						.exec(one) ?? [];
				return Number(least) < Number(most);
			});
		});
	await claim("thinned: the list of calls has the slowest of all",
		async () => {
			const method = await browser.evaluate(() => {
				const { trace: { methods } } = window.dmtrace;
				const found =
					window.dmtrace.trace.durationsOf(0);
				window.dmtrace.showCalls(0);
				return { count:
					found.counts.reduce((sum, [, one]) =>
					sum + one, 0), label: methods[0].label,
				signature: methods[0].signature };
			});
			await settle(browser);
			const row = report(trace).find((one) => nameOf(one) ===
				`${method.label} ${method.signature}`.trim());
			const calls = Number(row.calls) +
				Number(row.recursive_calls);
			same(method.count, calls);
			const text = await textOf(browser,
				"#panel > :not([hidden]) .status");
			await browser.evaluate(() =>
				window.dmtrace.setTab("profile"));
			return text.replace(/,/g,
				"").includes(`: ${calls} calls; `);
		});
	await claim("thinned: no error, no message, no request", () =>
		quiet(browser));
}

module.exports = { checkThinned };
