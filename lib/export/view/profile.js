// profile.js - the table of methods, which unfolds to callers and callees

import { openMethodMenu } from "./choices.js";
import { filterBox } from "./controls.js";
import { bounded, boundedDuration, boundedShare, durationElement, element,
	formatCount, formatMicros, formatPlural, formatShare, searchable,
	shareElement, shorten } from "./format.js";
import { firstOf, PIECE } from "./work.js";

const DURATIONS = [["min", "Min"], ["median", "Median"], ["p90", "90 %"],
	["p99", "99 %"], ["max", "Max"], ["mean", "Mean"],
	["deviation", "Deviation"]];
const METHODS_SHOWN = 60;		// rows that are shown at first

function columnsOf(app) {
	const clock = app.measure;
	const calls = (row) => row.calls + row.recursive;
	const share = (what) => (row, whole) => {
		const time = row.time(what, clock);
		return shareElement(time, whole.least, whole.of === row &&
			what === "inclusive" ?
			formatShare(whole.most, whole.most) :
			boundedShare([time, row.slack[what][clock]], whole));
	};
	const inclusive = (row) => row.inclusive[clock];
	const exclusive = (row) => row.exclusive[clock];
	const perCall = (row) => {
		const more = row.slack.calls + row.slack.recursive;
		const least = row.time("inclusive", clock) /
			(calls(row) + more);
		return calls(row) === 0 ? "" : boundedDuration(
			least, (inclusive(row) + row.slack.inclusive[clock]) /
				calls(row) - least);
	};
	const time = (what) => clock === "wait" ? offCpu(what) : (row) =>
		boundedDuration(row.time(what, clock), row.slack[what][clock]);
	const columns = [
		["inclusive", "Inclusive", inclusive, time("inclusive")],
		["inclusive-share", "%", inclusive, share("inclusive")],
		["exclusive", "Exclusive", exclusive, time("exclusive")],
		["exclusive-share", "%", exclusive, share("exclusive")],
		["calls", "Calls", calls, (row) => bounded(calls(row),
			row.slack.calls + row.slack.recursive, formatCount)],
		["recursive", "Recursive", (row) => row.recursive,
			(row) => bounded(row.recursive, row.slack.recursive,
				formatCount)],
		["per-call", "Per call",
			(row) => calls(row) ? inclusive(row) / calls(row) : 0,
			perCall],
	];
	if (app.trace.clocks.length > 1)
		columns.push(["off-cpu", "Off CPU",
			...app.trace.thinned !== undefined &&
				app.range !== null && app.clock === "cpu" ?
				[() => 0, () => element("span", { title:
					"The wall time of calls that were " +
					"left out is not known in a range of " +
					"CPU time" }, "unknown")] :
				[(row) => row.inclusive.wall -
					row.inclusive.cpu, offCpu("inclusive")]]);
	const { durations } = app.thread < 0 ? app.trace :
		app.trace.threads[app.thread];
	if (durations === undefined)
		return columns;
	const known = new Map(durations.map(([method, ...times]) =>
		[method, times]));
	return columns.concat(DURATIONS.map(([key, text], i) => {
		const get = (row) => known.get(row.method)?.[i] ?? 0;
		return [key, text, get, (row) => known.has(row.method) ?
			durationElement(get(row)) : ""];
	}));
}

// Returns the function that shows the time off the CPU of a row: "inclusive" or
// "exclusive". The CPU time can be above the wall time: the clocks are read one
// after the other, and in different steps.
function offCpu(what) {
	return (row) => {
		const { wall, cpu } = row.slack[what];
		const least = row[what].wall - row.time(what, "cpu") - cpu;
		if (wall + cpu > 0)
			return boundedDuration(Math.max(0, least), wall + cpu +
				Math.min(0, least));
		const shown = durationElement(Math.max(0, least));
		if (!(least < 0))
			return shown;
		shown.title = `${formatMicros(least)}: more CPU time than ` +
			"wall time, because the clocks are read one after " +
			"the other";
		shown.append("*");
		return shown;
	};
}

// Returns what shares are of.
function boundsOf(row, clock) {
	const least = row.time("inclusive", clock);
	return { of: row, least, most: least + row.slack.inclusive[clock] };
}

export class ProfileTable {
	constructor(app) {
		this.app = app;
		this.sort = "inclusive";
		this.falls = true;
		this.filter = "";
		this.shown = METHODS_SHOWN;
		this.unfolded = new Set();
		this.filterBox = filterBox("Filter methods",
			"Filter methods by name", () => {
				this.setFilter(this.filterBox.value);
				app.panels.draw();
				app.address.keep();
			});
		this.note = element("output", { class: "status" });
		this.place = element("div", { class: "scrolls",
			oncontextmenu: (event) => {
				const row =
					event.target.closest("[data-method]");
				const method =
					Number(row?.dataset.method ?? -1);
				if (method < 0)
					return;
				event.preventDefault();
				openMethodMenu(app, event, method, null);
			} });
		this.root =
			element("div", {}, element("div", { class: "tools" },
			this.filterBox, this.note), this.place);
	}

	setFilter(text) {
		this.filter = searchable(text);
		if (this.filterBox.value !== text)
			this.filterBox.value = text;
		this.shown = METHODS_SHOWN;
	}

	sortBy(key) {
		this.falls = this.sort === key ? !this.falls : key !== "name";
		this.sort = key;
		this.app.panels.draw();
		this.app.address.keep();
	}

	// Returns the function that compares rows by a column.
	order(column, falls) {
		const valueOf =
			this.columns.find(([key]) => key === column)?.[2];
		const nameOf = (row) => this.app.nameOf(row.method);
		const byName = (a, b) => nameOf(a) < nameOf(b) ? -1 :
			nameOf(a) > nameOf(b) ? 1 : 0;
		const turn = falls ? -1 : 1;
		return valueOf === undefined ?
			(a, b) => turn * byName(a, b) :
			(a, b) => turn * (valueOf(a) - valueOf(b)) ||
				byName(a, b);
	}

	// Returns the rows that the options of a report keep, and those whose
	// time is not known.
	*limit(rows, total) {
		const { trace: { report }, measure: clock } = this.app;
		if (report === undefined)
			return rows;
		const least = report.threshold * total / 100;
		const left = rows.filter((row) =>
			!(row.time("inclusive", clock) < least));
		return yield* firstOf(left, report.top > 0 ? report.top :
			Infinity, this.order(report.sort,
			report.sort !== "name"));
	}

	// Finds the rows that are shown.
	*prepare() {
		const { app } = this;
		const { total, rows } =
			yield* (yield* app.sums.make()).sumMethods();
		this.columns = columnsOf(app);
		this.sum = total;
		this.total = boundsOf(total, app.measure);
		const kept = [];
		let done = 0;
		for (const row of yield* this.limit(rows,
			total.inclusive[app.measure])) {
			if (this.filter === "" || searchable(app.nameOf(
				row.method)).includes(this.filter))
				kept.push(row);
			if (++done % (PIECE / 10) === 0)
				yield done / rows.length;
		}
		this.counts = [kept.length, rows.length];
		this.rows = yield* firstOf(kept, this.shown,
			this.order(this.sort, this.falls));
		// One that is gone to is shown, too.
		const row = kept.find(({ method }) => method === this.wanted);
		if (row !== undefined && !this.rows.includes(row))
			this.rows.push(row);
	}

	render() {
		const { app } = this, [kept, all] = this.counts;
		const head = (key, text) => element("th", {
			scope: "col", "data-sort": key,
			"aria-sort": this.sort !== key ? null :
				this.falls ? "descending" : "ascending",
		}, element("button", { type: "button",
			onclick: () => this.sortBy(key) }, text));
		const body = element("tbody");
		if (this.filter === "")
			body.append(this.row(this.sum, this.total, false));
		for (const row of this.rows)
			this.addRow(body, row);
		const table = element("table", { class: "methods" },
			element("caption", { class: "hidden" },
				"Methods, their times and calls"),
			element("thead", {}, element("tr", {}, head("name",
				"Method"), ...this.columns.map(([key, text]) =>
				head(key, text)))), body);
		const { sort, method } = document.activeElement?.closest(
			"table.methods [data-sort], tr[data-method]")
			?.dataset ?? {};
		this.place.replaceChildren(table);
		// The focus of a user of the keyboard is kept.
		if (sort !== undefined || method !== undefined)
			this.place.querySelector(sort !== undefined ?
				`[data-sort="${sort}"] button` :
				`tr[data-method="${method}"] button`)?.focus(
				{ preventScroll: true });
		if (kept > this.rows.length)
			this.place.append(element("button", {
				type: "button", class: "more",
				onclick: () => {
					this.shown += 5 * METHODS_SHOWN;
					app.panels.draw();
				},
			}, `Show more of ${formatPlural(kept, "method")}`));
		this.place.classList.toggle("wide", this.columns.length > 8);
		this.note.value = kept === all ? formatPlural(all, "method") :
			`${formatCount(kept)} of ${formatPlural(all,
				"method")}`;
		const wanted = this.wanted === undefined ? null :
			this.place.querySelector(
				`tr[data-method="${this.wanted}"]`);
		this.wanted = undefined;
		wanted?.scrollIntoView({ block: "center" });
		wanted?.querySelector("button").focus({ preventScroll: true });
	}

	addRow(body, row) {
		const made = this.row(row, this.total, true);
		body.append(made);
		if (this.unfolded.has(row.method))
			made.after(...this.details(row));
	}

	cell(key, ...shown) {
		return element("td", { class: key }, ...shown.length === 0 ?
			[] : [this.app.about, ...shown]);
	}

	row(row, total, unfolds) {
		const { app } = this, method = row.method;
		const open = this.unfolded.has(method);
		// The name is text, which can be selected and copied.
		const name = element("span", {
			class: unfolds ? "method foldable" : "method",
			title: shorten(app.nameOf(method), 2000),
			onclick: () => unfolds && this.app.isNothingSelected &&
				this.unfold(row, made),
		}, element("i", { class: "swatch", style: method < 0 ? null :
			`background:${app.palette.css[method]}` }),
		...app.nameParts(method));
		const fold = unfolds ? element("button", { type: "button",
			class: "fold", "aria-expanded": String(open),
			"aria-label": `Callers and callees of ${shorten(
				app.nameOf(method))}`,
			onclick: () => this.unfold(row, made) }) : null;
		const made = element("tr", {
			"data-method": method,
			class: method >= 0 && method === app.method ? "chosen" :
				open ? "open" : null,
		}, element("th", { scope: "row" }, fold, name),
		...this.columns.map(([key, , , show]) =>
			this.cell(key, show(row, total))));
		return made;
	}

	unfold(row, made) {
		const { app } = this;
		if (this.unfolded.delete(row.method)) {
			while (made.nextElementSibling?.classList
				.contains("detail"))
				made.nextElementSibling.remove();
		} else {
			this.unfolded.add(row.method);
			made.after(...this.details(row));
		}
		const open = this.unfolded.has(row.method);
		made.classList.toggle("open", open);
		made.querySelector("button").setAttribute("aria-expanded",
			String(open));
		app.chooseMethod(row.method);
	}

	// Returns the rows of callers and callees; shares are of the method's
	// time.
	details(row) {
		const { app } = this, clock = app.measure;
		const made = [];
		const total = boundsOf(row, clock);
		const cellOf = (key, show, one) => this.cell(key,
			...key.startsWith("excl") ? [] : [show(one, total)]);
		const add = (what, rows) => {
			made.push(element("tr", { class: "detail kind" },
				element("th", { scope: "rowgroup",
					colspan: this.columns.length + 1 },
				`${what}${rows.length === 0 ? ": none" :
					""}`)));
			rows.sort((a, b) => b.inclusive[clock] -
				a.inclusive[clock]);
			for (const one of rows.slice(0, METHODS_SHOWN)) {
				const line = element("tr", { class: "detail" },
					element("th", { scope: "row" },
						this.link(one.method)),
					...this.columns.map(([key, , , show]) =>
						cellOf(key, show, one)));
				made.push(line);
			}
			if (rows.length > METHODS_SHOWN)
				made.push(element("tr", { class: "detail" },
					element("th", {}, `and ${formatCount(
						rows.length - METHODS_SHOWN)
					} more`)));
		};
		const callers = app.sums.tree.links(row.method, false);
		const rest = row.calls + row.recursive - callers.reduce(
			(sum, one) => sum + one.calls + one.recursive, 0);
		add("Called by", callers);
		if (app.trace.thinned !== undefined && rest +
			row.slack.calls + row.slack.recursive > 0)
			made.push(element("tr", { class: "detail" }, element(
				"th", { colspan: this.columns.length + 1 },
				bounded(rest, row.slack.calls +
				row.slack.recursive, formatCount),
				" more calls, of which the callers are not " +
				"on this page")));
		add("Calls", app.sums.tree.links(row.method, true));
		if (app.trace.report === undefined)
			made.push(element("tr", { class: "detail" },
				element("th",
			{ colspan: this.columns.length + 1 },
			element("button", { type: "button", onclick: () =>
				app.showCalls(row.method) },
			"List the calls, longest first"))));
		return made;
	}

	link(method) {
		const { app } = this;
		if (method < 0)
			return element("span", { class: "method" },
				app.nameOf(method));
		return element("button", {
			type: "button", class: "method",
			title: shorten(app.nameOf(method), 2000),
			onclick: () => this.goTo(method),
		}, element("i", { class: "swatch",
			style: `background:${app.palette.css[method]}` }),
		...app.nameParts(method));
	}

	// Unfolds a method, and scrolls to it.
	goTo(method) {
		this.setFilter("");
		this.unfolded.add(method);
		this.wanted = method;
		this.app.chooseMethod(method);
		this.app.setTab("profile");
	}

	markChosen() {
		for (const row of this.place.querySelectorAll(
			"tr[data-method]"))
			row.classList.toggle("chosen", this.app.method >= 0 &&
				Number(row.dataset.method) ===
				this.app.method);
	}
}
