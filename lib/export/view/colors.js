// colors.js - a color for each package, in the light and in the dark

import { searchable } from "./format.js";

const HUES = [212, 28, 145, 275, 355, 185, 48, 318, 95, 240, 12, 165];
const SHADES = 5;			// of the classes of a package

function hashText(text) {
	let hash = 2166136261;
	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
	return (hash ^ hash >>> 13) >>> 0;
}

function rgbOf(hue, saturation, lightness) {
	const part = (n) => {
		const k = (n + hue / 30) % 12;
		return Math.round(255 * (lightness - saturation *
			Math.min(lightness, 1 - lightness) *
			Math.max(-1, Math.min(k - 3, 9 - k, 1))));
	};
	return [part(0), part(8), part(4)];
}

// Returns a color as a pixel of ImageData, on hosts of either byte order.
function pixelOf([red, green, blue]) {
	const bytes = new Uint8Array([red, green, blue, 255]);
	return new Uint32Array(bytes.buffer)[0];
}

function cssOf([red, green, blue]) {
	return `rgb(${red} ${green} ${blue})`;
}

function parseColor(text) {
	const hex = text.trim().slice(1);
	return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

// Returns the number of the color of a method, in light and dark: of its
// package, if it has one, and of its class.
function codeOf({ package: name, className }) {
	const shade = hashText(searchable(className)) % SHADES;
	return name === "" ? shade : shade + SHADES * (1 +
		hashText(searchable(name)) % (HUES.length * 7));
}

// The colors of methods by index, and those of the style.
export class Palette {
	constructor(trace) {
		const style = getComputedStyle(document.documentElement);
		const get = (name) => style.getPropertyValue(name);
		this.dark = get("--dark").trim() === "1";
		for (const name of ["ground", "panel", "text", "faint", "line",
			"mark", "accent", "entry"])
			this[name] = get(`--${name}`).trim();
		this.groundPixel = pixelOf(parseColor(this.ground));
		this.faintPixel = pixelOf(parseColor(this.faint));
		this.markPixel = pixelOf(parseColor(this.mark));
		this.accentPixel = pixelOf(parseColor(this.accent));
		// The ground of a strip where calls waited.
		this.light = this.dark ? "#2a2f39" : "#e7eaf0";
		this.bar = this.dark ? "#f3f3f3" : "#16181d";
		const base = this.dark ? 0.30 : 0.70;
		const colors = Array.from({ length: SHADES * (HUES.length * 7 +
			1) }, (one, code) => {
			const shade = code % SHADES;
			const hue = Math.floor(code / SHADES) - 1;
			return hue < 0 ?
				rgbOf(220, 0.08, base + shade * 0.02) :
				rgbOf(HUES[hue % HUES.length] + hue % 7 * 3,
					this.dark ? 0.42 : 0.62,
					base + shade * 0.025);
		});
		const codes = Uint16Array.from(trace.methods, (method) =>
			method.color ??= codeOf(method));
		const ofMethods = (of) => {
			const made = colors.map(of);
			return (code) => made[code];
		};
		this.css = Array.from(codes, ofMethods(cssOf));
		// From blue, where less time was spent than before, to red.
		this.change = (before, after) => {
			const share =
				(after - before) / Math.max(after, before, 1);
			const size = Math.min(1, Math.abs(share));
			return cssOf(rgbOf(share < 0 ? 215 : 8, size < 0.02 ?
				0 :
				0.2 + 0.55 * size, this.dark ? 0.26 + 0.14 *
					size :
				0.93 - 0.23 * size));
		};
		this.pixels = Uint32Array.from(codes, ofMethods(pixelOf));
		// The color of calls that a search does not find.
		const ground = parseColor(this.ground);
		this.dimmed = Uint32Array.from(codes, ofMethods((rgb) =>
			pixelOf(rgb.map((part, i) => Math.round(part * 0.3 +
				ground[i] * 0.7)))));
	}
}
