// colors.js - a color for each package, in the light and in the dark

import { searchable } from "./format.js";

const HUES = [212, 28, 145, 275, 355, 185, 48, 318, 95, 240, 12, 165];
const SHADES = 5;			// of the classes of a package
const CONTRAST = 4.5;			// of names, at least

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

// Returns the contrast of two colors, as WCAG defines it.
function contrastOf(...pair) {
	const [a, b] = pair.map((rgb) => rgb.map((part) => part / 255).map(
		(part) => part <= 0.03928 ? part / 12.92 :
			((part + 0.055) / 1.055) ** 2.4).reduce(
		(sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0));
	return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
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
export function codeOf({ package: name, className }) {
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
		const text = parseColor(this.bar);
		const colors = [];
		for (let hue = -1; hue < HUES.length * 7; hue++) {
			const angle = hue < 0 ? 220 : HUES[hue % HUES.length] +
				hue % 7 * 3;
			const saturation = hue < 0 ? 0.08 : this.dark ? 0.42 :
				0.62;
			const colorOf = (base, shade) => rgbOf(angle,
				saturation, base + shade * 0.025);
			// In the dark, some hues would be too light for names.
			let base = this.dark ? 0.30 : 0.70;
			while (contrastOf(text, colorOf(base, SHADES - 1)) <
				CONTRAST && this.dark)
				base -= 0.01;
			for (let shade = 0; shade < SHADES; shade++)
				colors.push(colorOf(base, shade));
		}
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
