// web_view.js - the page of "dmtrace view", as a person uses it in Chromium
//
//	node web_view.js FIRST PAGE...
//
// prints a case for each claim, numbered from FIRST. A PAGE is TRACE.html of
// TRACE.trace; the figures on it are compared with those of "dmtrace report".
"use strict";

const path = require("path");
const { checkCalls, checkTrace } = require("./page_trace.js");
const { checkKnown } = require("./page_known.js");
const { checkTree, checkSelect, checkLoop,
	checkUnknown } = require("./page_trees.js");
const { checkAddress } = require("./page_address.js");
const { checkCommands, checkTake } = require("./page_take.js");
const { checkBounds, checkClocks, checkCompare, checkDots, checkPairs,
	checkPartial, checkSame, checkTwo } = require("./page_compare.js");
const { checkGroups, checkDeep, checkEntered, checkStack,
	checkSteps } = require("./page_threads.js");
const { checkFaults } = require("./page_faults.js");
const { checkThinned } = require("./page_thinned.js");
const { checkContrast, checkRules, checkReport, checkEmpty, checkWall,
	checkAhead, checkHostile } = require("./page_rules.js");
const { checkDeepest, checkMany, checkMillion,
	checkPaths } = require("./page_work.js");
const { run } = require("./web_cases.js");

// The cases of some pages; those of others are of any trace.
const SPECIAL = {
	address: checkAddress,
	both: checkTwo,
	hostile: checkHostile,
	known: checkKnown,
	faults: checkFaults,
	deep: checkDeep,
	entered: checkEntered,
	stack: checkStack,
	groups: checkGroups,
	tree: checkTree,
	select: checkSelect,
	bounds: checkBounds,
	many: checkMany,
	deepest: checkDeepest,
	take: checkTake,
	nanos: checkCommands,
	cut: checkCommands,
	steps: checkSteps,
	compare: checkCompare,
	dots: checkDots,
	partial: checkPartial,
	pairs: checkPairs,
	nocpu: checkClocks,
	nowall: checkClocks,
	contrast: checkContrast,
	million: checkMillion,
	paths: checkPaths,
	loop: checkLoop,
	unknown: checkUnknown,
	open: checkCalls,
	empty: checkEmpty,
	wall: checkWall,
	ahead: checkAhead,
	report: checkReport,
	same: checkSame,
	thinned: checkThinned,
};

run(async (browser, ...pages) => {
	for (const page of pages) {
		const name = path.basename(page, ".html");
		await (SPECIAL[name] ?? checkTrace)(browser,
			path.resolve(page), name);
		if (["thinned", "made", "compare"].includes(name))
			await checkRules(browser, path.resolve(page), name);
	}
});
