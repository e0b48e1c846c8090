// eslint.config.js - rules for the scripts of lib/export/view/ and tests/
"use strict";

const browser = ["document", "window", "location", "history", "performance",
	"requestAnimationFrame", "setTimeout", "clearTimeout", "ImageData",
	"ResizeObserver", "navigator", "getComputedStyle", "URLSearchParams",
		"Event"];
const node = ["require", "module", "process", "Buffer", "setTimeout",
	"console"];
const rules = {
	"array-callback-return": "error",
	"eqeqeq": "error",
	"no-constant-condition": "error",
	"no-dupe-keys": "error",
	"no-implicit-globals": "error",
	"no-redeclare": "error",
	"no-shadow": "error",
	"no-undef": "error",
	"no-unreachable": "error",
	"no-unused-vars": "error",
	"no-use-before-define": ["error", { functions: false, classes: false,
		variables: false }],
	"no-useless-return": "error",
	"no-var": "error",
	"prefer-const": "error",
};
const namesOf = (names) =>
	Object.fromEntries(names.map((name) => [name, "readonly"]));

module.exports = [
	{
		files: ["lib/export/view/*.js", "lib/export/flame/*.js",
			"lib/export/graph/*.js"],
		languageOptions: { ecmaVersion: 2022, sourceType: "module",
			globals: namesOf(browser) },
		rules,
	},
	{
		files: ["tests/web/*.js"],
		languageOptions: { ecmaVersion: 2022, sourceType: "commonjs",
			globals: namesOf([...node, ...browser]) },
		rules,
	},
];
