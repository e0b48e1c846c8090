// sums.js - the sums that the panels show: of the calls in the range and the
// threads that are chosen, through the transforms
//
// They are computed when they are needed, a few milliseconds at a time, so that
// the page can do other things meanwhile; a bar shows how far they are.

import { stackDifference } from "./compare.js";
import { bounded, boundedDuration, boundedShare, element, formatCount,
	formatPlural, formatShare, formatTime, shorten,
	textOfBounded } from "./format.js";
import { stackAround, stackDown, stackUp } from "./stacks.js";
import { transformTree } from "./transforms.js";
import { sumTree } from "./tree.js";
import { complete, SharedWork } from "./work.js";

export class Sums {
	constructor(app) {
		this.app = app;
		this.work = null;
		this.status = element("output", { class: "status" });
		this.progress = element("progress", { max: 1, hidden: true,
			"aria-label": "Sums of the range" });
	}

	get isComplete() {
		return this.work?.isDone === true;
	}

	// What they are of has changed.
	drop() {
		this.work = null;
	}

	get tree() {
		return complete(this.make());
	}

	// Makes the tree, in pieces.
	*make() {
		this.work ??= new SharedWork(this.sum());
		return yield* this.work.run();
	}

	*sum() {
		const { app } = this;
		const { trace, thread, clock, range, transforms } = app;
		let tree = yield* sumTree(trace, thread, clock, range);
		for (const one of transforms)
			tree = yield* transformTree(tree, one);
		yield* tree.sumMethods();
		if (app.comparison !== undefined)
			yield* app.comparison.sumBefore(app);
		return tree;
	}

	// Returns the trees of calls that flame graph and tree show.
	get stacks() {
		return complete(this.makeStacks());
	}

	// Makes them, in pieces. Callers and callees are those of the selected
	// method. The difference from a time that is not known is the time now.
	*makeStacks() {
		const tree = yield* this.make(), { app } = this;
		const { measure, direction, method } = app;
		const around = direction === "around" && method >= 0;
		const key = [direction, measure, around ? method : -1].join();
		if (this.stacked?.tree === tree && this.stacked.key === key)
			return this.stacked.roots;
		yield* tree.sumFolded();
		let roots;
		if (direction === "difference" &&
			app.comparison.lackOf(measure) === null) {
			const { tree: before } =
				yield* app.comparison.sumBefore(app);
			yield* before.sumFolded();
			roots = [stackDifference(stackDown(tree, measure),
				stackDown(before, measure))];
		} else if (around) {
			roots = yield* stackAround(tree, measure, method);
		} else {
			roots = [(direction === "up" ? stackUp : stackDown)(
				tree, measure)];
		}
		this.stacked = { tree, key, roots };
		return roots;
	}

	// Returns what shares are of, as bounds.
	get total() {
		const { total } = this.tree.profile(), { measure } = this.app;
		const least = total.time("inclusive", measure);
		return { least, most: least + total.slack.inclusive[measure] };
	}

	// Returns the share of a time of a node, "total" or "self". All of it
	// has 100 %, whatever its bounds are.
	shareOf(node, what) {
		const { total } = this;
		return what === "total" && node.parent === null &&
			!node.kind.around ?
			formatShare(total.most, total.most) :
			boundedShare(node.boundsOf(what), total);
	}

	// Says how often the selected method is among the paths, and its share.
	// Calls of it that are not among the paths may have others.
	get methodText() {
		const { tree, app: { method, measure, trace, about } } = this;
		if (method < 0)
			return "";
		const lacks = tree.foldedOf(method, "calls", measure) > 0;
		let frames = 0;
		for (let i = 1; i < tree.count; i++)
			frames += tree.method[i] === method;
		const row = tree.profile().rows.find((one) =>
			one.method === method);
		const share = row === undefined ? "0.0" : boundedShare([
			row.time("inclusive", measure),
			row.slack.inclusive[measure]], this.total);
		return `${shorten(trace.methods[method].label, 120)}: ${about}${
			lacks ? "≥ " : ""}${formatPlural(frames, "frame")}, ${
			about}${textOfBounded(share)} %`;
	}

	get directionText() {
		const { direction, method, measure, comparison } = this.app;
		const lack = comparison?.lackOf(measure) ?? null;
		switch (direction) {
		case "difference":
			return lack !== null ? "No change is shown: the " +
				`trace before has no ${lack}` :
				"As wide as after; red took more time than " +
				"before, blue less";
		case "up":
			return "From the bottom up: time spent in a method, " +
				"by its callers";
		case "down":
			return "From the top down; a click on a frame zooms";
		default:
			return method < 0 ? "Choose a method to see its " +
				"callers and callees" : `Callers of ${shorten(
				this.app.textOf(method), 120)} above it, ` +
				"callees below";
		}
	}

	// Says which paths there are in a range of a page that was thinned.
	get pathsText() {
		const { trace: { limit }, direction } = this.app;
		const long = `calls of ${formatTime(limit)} or more`;
		return direction === "up" ? `callers are those of ${
			long}; those of shorter calls are not known` :
			direction === "around" ? `callers and callees are ${
				long}; shorter ones are (left out), or not ` +
				"known" :
				`paths are of ${long}, shorter ones are ` +
				"(left out)";
	}

	// Says of how many threads figures are sums, and what was left out.
	describe() {
		const { app: { trace, thread, measure, clock, range, tab,
			about }, tree } = this;
		const { total } = tree.profile();
		const boundsOf = (one) => {
			const least = total.time("inclusive", one);
			return [least, least + total.slack.inclusive[one]];
		};
		const show = (least, most) => about + textOfBounded(
			boundedDuration(Math.max(0, least), Math.max(0, most) -
				Math.max(0, least)));
		const wall = boundsOf("wall"), cpu = boundsOf("cpu");
		const parts = [];
		const { least, more } = tree.threads;
		if (thread < 0 && trace.threads.length > 1)
			parts.push(`${show(...boundsOf(measure))} = sum over ${
				textOfBounded(bounded(least, more, formatCount))
			} ${least + more === 1 ? "thread" : "threads"}`);
		if (measure === "cpu" && clock === "wall")
			parts.push(`${show(wall[0] - cpu[1], wall[1] -
				cpu[0])} of waiting is left out`);
		if (measure === "wait")
			parts.push(`${show(...cpu)} on the CPU is left out`);
		if (trace.thinned !== undefined && range !== null)
			parts.push("≥ and ≈ are within 5 %, two figures " +
				"are bounds", ...tab === "flame" || tab ===
				"tree" ? [this.pathsText] : []);
		this.status.value = parts.join("; ");
	}
}

// Returns the chips that say how calls are shown, and remove that again.
export function transformChips(app) {
	const { transforms } = app;
	const thinned = [app.trace, app.comparison?.before].find((one) =>
		one?.thinned !== undefined);
	const chips = transforms.map((one) =>
		element("button", { type: "button",
		class: "chip", title: "Remove", onclick: () =>
			app.setTransforms(
			app.transforms.filter((other) => other !== one)) },
	shorten(one.text, 120), element("span", {}, " ×")));
	return thinned === undefined ? chips :
		[...chips, element("strong",
		{}, `Not exact (~): of calls below ${formatTime(
			thinned.limit)}, those in (other), or in a range ` +
			"(left out), are not known")];
}
