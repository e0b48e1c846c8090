// page_take.js - what can be taken from the page
"use strict";

const { execFileSync } = require("child_process");
const fs = require("fs");
const { choose, openPage, settle, textOf, type } = require("./page_start.js");
const { claim, quiet, same } = require("./web_cases.js");

// What can be taken from the page of known.trace.
async function checkTake(browser, page) {
	const copy = async (text) => {
		await browser.evaluate((wanted) => {
			window.dmtrace.panels.copy.click();
			[...document.querySelectorAll(".menu button")].find(
				(one) =>
				one.textContent.startsWith(wanted)).click();
		}, text);
		return browser.evaluate(() => window.copied);
	};

	await openPage(browser,
		`file://${page}#thread=all&range=100000..950000`);
	await browser.evaluate(() => Object.defineProperty(navigator,
		"clipboard", { value: { writeText: async (text) => {
			window.copied = text;
		} } }));
	await claim("rows are copied with tabs", async () => {
		same((await copy("Rows")).split("\n").slice(0, 3).map((one) =>
			one.split("\t").slice(0, 3).join("|")), [
			"Method|Inclusive|%", "(toplevel)|850 µs|100.0",
			"com.x.A.m()|850 µs|100.0"]);
	});
	await claim("rows of a flame graph, too", async () => {
		await browser.evaluate(() => window.dmtrace.setTab("flame"));
		await settle(browser);
		same((await copy("Rows")).split("\n")[1],
			"0\t(toplevel)\t850000\t0\t0");
	});
	await claim("the command gives the same figures", async () => {
		await choose(browser, "Threads", 1);
		const text = await copy("Equal");
		same(text, "dmtrace report --from=100us --to=950us -t 2 take.trace");
		fs.copyFileSync("known.trace", "take.trace");
		const lines = execFileSync("sh", ["-c", `${text} -q -f tsv`],
			{ encoding: "utf8" }).split("\n");
		const column =
			lines[0].split("\t").indexOf("inclusive_wall_ns");
		same(await browser.evaluate(() =>
			String(window.dmtrace.sums.tree
			.inclusive.wall[0])), lines[1].split("\t")[column]);
	});
	await claim("so does that of a range of CPU time", async () => {
		await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.setClock("cpu");
			app.setRange({ from: 100000, to: 300000 }, true);
		});
		const text = await copy("Equal command");
		same(text, "dmtrace convert --clock=cpu take.trace | " +
			"dmtrace report --from=100us --to=300us -t 2 -");
		const lines = execFileSync("sh", ["-c", `${text} -q -f tsv`],
			{ encoding: "utf8" }).split("\n");
		const [names, top] = lines.map((line) => line.split("\t"));
		same(top[names.indexOf("inclusive_cpu_ns")],
			await browser.evaluate(() => String(window.dmtrace.sums
				.tree.profile().total.inclusive.cpu)));
		await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.setClock("wall");
			app.setRange({ from: 100000, to: 950000 }, true);
		});
	});
	await claim("merging hides just that method in the command", async () => {
		const { text, total, rows } = await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.setThread(-1);
			app.chooseMethod(app.trace.methods.findIndex(
				({ name }) => name === "n"));
			app.timeline.scroller.focus();
			return {};
		}).then(async () => {
			await browser.key("c");
			await browser.evaluate(() => [...document
				.querySelectorAll(".menu button")].find((one) =>
				one.textContent.startsWith("Merge")).click());
			await settle(browser);
			const found = await copy("Equal command");
			const figures = await browser.evaluate(() => {
				const { dmtrace: app } = window;
				const { total: top, rows: all } =
					app.sums.tree.profile();
				const figure = (row) => `${app.trace.methods[
					row.method]?.name ?? "(toplevel)"} ${
					row.inclusive.wall} ${
					row.exclusive.wall}`;
				return [figure(top), all.map(figure).sort()];
			});
			return { text: found, total: figures[0],
				rows: figures[1] };
		});
		same(text, "dmtrace filter --from=100us --to=950us take.trace" +
			" | dmtrace report '--hide=com.x.A.n()V' -");
		const [names, ...lines] = execFileSync("sh", ["-c",
			`${text} -q -f tsv`], { encoding: "utf8" }).trimEnd()
			.split("\n").map((one) => one.split("\t"));
		const figures = lines.filter(([kind]) => kind === "top" ||
			kind === "method").map((one) => ["name",
			"inclusive_wall_ns", "exclusive_wall_ns"].map((what) =>
			one[names.indexOf(what)]).join(" "));
		same([figures[0], figures.slice(1).sort()], [total, rows]);
		await browser.evaluate(() => document.querySelector(".chip")
			.click());
	});
	await claim("merging what has no call is not in the command", async () => {
		const found = [];
		for (const [thread, name] of [[0, "n"], [1, "m"]]) {
			await browser.evaluate((index, method) => {
				const { dmtrace: app } = window;
				app.setThread(index);
				app.setRange(null, true);
				app.chooseMethod(app.trace.methods.findIndex(
					(one) => one.name === method));
				app.timeline.scroller.focus();
			}, thread, name);
			await browser.key("c");
			found.push(await browser.evaluate(() => {
				const { dmtrace: app } = window;
				const press = (text) => {
					const one = [...document.querySelectorAll(
						".menu button")].find((button) =>
						button.textContent.startsWith(text));
					one?.click();
					return one !== undefined;
				};
				press("Merge");
				app.panels.copy.click();
				if (press("Equal command"))
					return window.copied;
				const all = document.querySelectorAll(
					".menu button");
				return all[all.length - 1].textContent;
			}));
			await browser.evaluate(() => {
				document.querySelector(".chip").click();
				window.dmtrace.setThread(-1);
				window.dmtrace.setRange({ from: 100000, to:
					950000 }, true);
			});
		}
		same(found, ["dmtrace report -t 1 take.trace", "No command " +
			"gives these figures: a thread begins or ends with " +
			"a merged call"]);
	});
	await claim("what has no command says so", async () => {
		const found = await browser.evaluate(() => {
			const { dmtrace: app } = window;
			const last = () => {
				app.panels.copy.click();
				const all = [...document.querySelectorAll(
					".menu button")];
				return all[all.length - 1].textContent;
			};
			app.setWaiting("only");
			const made = [last()];
			app.setWaiting("with");
			app.chooseMethod(app.trace.methods.findIndex(
				({ name }) => name === "n"));
			for (const what of ["Focus on function",
				"Collapse package", "Collapse recursion"]) {
				app.timeline.scroller.focus();
				document.activeElement.dispatchEvent(
					new window.KeyboardEvent("keydown", { key: "c",
						bubbles: true }));
				[...document.querySelectorAll(
					".menu button")].find((one) => one
					.textContent.startsWith(what)).click();
				made.push(last());
				document.querySelector(".chip").click();
			}
			return made;
		});
		const none = "No command gives these figures: reports have ";
		same(found, [`${none}no profile of waiting only`, ...["Only " +
			"com.x.A.n", "Collapsed com.x.*", "Without recursion " +
			"of com.x.A.n"].map((one) =>
			`${none}nothing like "${one}"`)]);
	});
	await claim("nor has a range with nothing in it", async () => {
		await openPage(browser,
			`file://${page}#thread=1&range=250000..300000`);
		same(await browser.evaluate(() => {
			window.dmtrace.panels.copy.click();
			const all = document.querySelectorAll(".menu button");
			return all[all.length - 1].textContent;
		}), "No command gives these figures: nothing is in the range");
	});
	await claim("threads without events are counted", async () => {
		await openPage(browser, `file://${page}`);
		const found = [await textOf(browser, ".summary")];
		await openPage(browser, `file://${page.replace(/[^/]*$/,
			"chosen.html")}`);
		found.push(await textOf(browser, ".summary"));
		same(found.map((text) => text.split(" · ").at(-1)),
			["2 threads", "1 thread, and 1 without selected events"]);
	});
	await claim("the command has the selection of the page", async () => {
		const folder = page.replace(/[^/]*$/, "");
		fs.copyFileSync("known.trace", "chosen.trace");
		await openPage(browser, `file://${folder}chosen.html#thread=all`);
		await browser.evaluate(() => Object.defineProperty(navigator,
			"clipboard", { value: { writeText: async (text) => {
				window.copied = text;
			} } }));
		const found = [await copy("Equal command")];
		await browser.evaluate(() => window.dmtrace.setRange(
			{ from: 100000, to: 950000 }, true));
		found.push(await copy("Equal command"));
		same(found, ["dmtrace report --thread=worker " +
			"--min-time=150000ns chosen.trace", "dmtrace filter " +
			"--thread=worker --min-time=150000ns chosen.trace | " +
			"dmtrace report --from=100us --to=950us -"]);
		const wanted = await browser.evaluate(() => {
			const { dmtrace: app } = window;
			return app.sums.tree.profile().rows.map((row) =>
				`${app.trace.methods[row.method].name} ${
					row.inclusive.wall}`).sort();
		});
		const [names, ...lines] = execFileSync("sh", ["-c",
			`${found[1]} -q -f tsv`], { encoding: "utf8" })
			.trimEnd().split("\n").map((one) => one.split("\t"));
		same(lines.filter(([kind]) => kind === "method").map((one) =>
			["name", "inclusive_wall_ns"].map((what) =>
				one[names.indexOf(what)]).join(" ")).sort(),
		wanted);
		await openPage(browser,
			`file://${page}#thread=all&range=100000..950000&tab=flame`);
		await browser.evaluate(() => Object.defineProperty(navigator,
			"clipboard", { value: { writeText: async (text) => {
				window.copied = text;
			} } }));
	});
	await claim("a link has what is shown", async () => {
		const link = await copy("Link");
		return link.startsWith("file://") &&
			link.includes("tab=flame") &&
			link.includes("range=100000..950000");
	});
	await claim("a method's durations are bars", async () => {
		await browser.evaluate(() => {
			const { dmtrace: app } = window;
			app.setRange(null, true);
			app.setThread(-1);
			app.showCalls(app.trace.methods.findIndex(({ name }) =>
				name === "n"));
		});
		await settle(browser);
		same(await browser.evaluate(() => [[...document
			.querySelectorAll(".bars-of div")].map((one) =>
				one.title),
		document.querySelectorAll("table.calls tbody tr").length]),
		[["262 µs to 524 µs: 2 calls"], 2]);
	});
	await claim("a search between slashes is a regular expression",
		async () => {
			const found = [];
			for (const query of ["/[mn]$/", "/A\\./", "/(/"]) {
				await type(browser, "Search methods", query);
				found.push(await textOf(browser, ".found"));
			}
			await browser.key("Escape");
			same(found,
				["3 calls of 2 methods", "3 calls of 2 methods",
				"no regular expression"]);
		});
	await claim("a legend has the colors of packages", async () => {
		same(await browser.evaluate(() => [...document.querySelectorAll(
			".legend li")].map((one) =>
				`${one.innerText.replace(/\s+/g,
			" ").trim()} ${one.querySelector(
				"i").style.background ===
			window.dmtrace.palette.css[window.dmtrace.trace.methods
				.findIndex(({ name }) => name === (/org/.test(
					one.innerText) ? "o" : "n"))]
				.replace(/ /g, ", ")}`)), ["com.x 81.8 % true",
			"org.y 18.2 % true"]);
	});
	await claim("nothing that is taken is an error", () => quiet(browser));
}

// The commands that have the figures of pages whose times are in nanoseconds, or
// not all known.
async function checkCommands(browser, page, name) {
	const states = {
		nanos: [["clock=cpu&thread=1&range=100000..300000",
			"dmtrace convert -d v4 --clock=cpu nanos.trace | " +
			"dmtrace report --from=100us --to=300us -t 1 -"]],
		cut: [["thread=2&waiting=without", "dmtrace report " +
			"--to=800000ns -t 2 --clock=cpu ends.trace"],
		["thread=2&waiting=without&range=100000..700000", "No " +
			"command gives these figures: a trace that was " +
			"filtered does not say which CPU time is not known"]],
	}[name];
	for (const [state, wanted] of states)
		await claim(`the command of ${name}, ${state}`, async () => {
			await openPage(browser, `file://${page}#${state}`);
			const { text, figures } = await browser.evaluate(() => {
				const { dmtrace: app } = window;
				Object.defineProperty(navigator, "clipboard", {
					value: { writeText: async (copied) => {
						window.copied = copied;
					} } });
				app.panels.copy.click();
				const last = [...document.querySelectorAll(
					".menu button")].at(-1);
				window.copied = last.textContent;
				last.click();
				const { total, rows } =
					app.sums.tree.profile();
				return { text: window.copied,
					figures: [total, ...rows].map((row) => [
						"inclusive", "exclusive"].map(
						(what) => String(row.time(what,
							"cpu")).replace("NaN",
							"")).join("\t")).sort() };
			});
			same(text, wanted);
			if (text.startsWith("No "))
				return;
			const [names, ...lines] = execFileSync("sh", ["-c",
				`${text} -q -f tsv`], { encoding: "utf8" })
				.trimEnd().split("\n")
				.map((one) => one.split("\t"));
			same(lines.filter(([kind]) => kind === "top" ||
				kind === "method").map((one) => ["inclusive",
				"exclusive"].map((what) => one[names.indexOf(
				`${what}_cpu_ns`)]).join("\t")).sort(),
			figures);
		});
}

module.exports = { checkCommands, checkTake };
