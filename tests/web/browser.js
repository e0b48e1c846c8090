// browser.js - headless Chromium, by its debugging protocol over a pipe
"use strict";

const { spawn } = require("child_process");
const fs = require("fs");
const path = require("path");

// One page at a time: open(url) loads it, evaluate(f, ...) runs a function
// there, send(method, parameters) is the protocol. What is printed to its
// console, thrown, or requested, is in console, errors and requests.
class Browser {
	constructor(folder, width = 1280, height = 800) {
		this.size = { width, height };
		this.count = 0;
		this.waiting = new Map();
		this.handlers = [];
		this.text = "";
		this.child = spawn("chromium", ["--headless", "--no-sandbox",
			"--disable-gpu", "--disable-dev-shm-usage",
			"--remote-debugging-pipe", "--no-first-run",
			`--user-data-dir=${path.resolve(folder)}`], {
			stdio: ["ignore", "ignore", fs.openSync(
				`${folder}.log`, "a"), "pipe", "pipe"],
			env: { ...process.env, HOME: process.cwd() },
		});
		this.child.stdio[4].setEncoding("utf8");
		this.child.stdio[4].on("data", (text) => this.take(text));
		this.forget();
	}

	forget() {
		this.console = [];
		this.errors = [];
		this.requests = [];
	}

	take(text) {
		const parts = (this.text + text).split("\0");
		this.text = parts.pop();
		for (const part of parts) {
			const message = JSON.parse(part);
			const waits = this.waiting.get(message.id);
			if (waits !== undefined) {
				this.waiting.delete(message.id);
				if (message.error)
					waits.reject(new Error(
						message.error.message));
				else
					waits.resolve(message.result);
			} else if (message.method) {
				this.note(message);
			}
		}
	}

	note({ method, params }) {
		if (method === "Tracing.dataCollected")
			this.traced.push(...params.value);
		else if (method === "Runtime.consoleAPICalled" ||
			method === "Log.entryAdded")
			this.console.push(JSON.stringify(params));
		else if (method === "Runtime.exceptionThrown")
			this.errors.push(params.exceptionDetails.exception
				?.description ?? params.exceptionDetails.text);
		else if (method === "Network.requestWillBeSent")
			this.requests.push(params.request.url);
		for (const handler of [...this.handlers])
			if (handler.method === method) {
				this.handlers.splice(
					this.handlers.indexOf(handler), 1);
				handler.resolve(params);
			}
	}

	event(method) {
		return new Promise((resolve) =>
			this.handlers.push({ method, resolve }));
	}

	post(message) {
		const id = ++this.count;
		this.child.stdio[3].write(`${JSON.stringify({ id,
			...message })}\0`);
		return new Promise((resolve, reject) =>
			this.waiting.set(id, { resolve, reject }));
	}

	send(method, params = {}) {
		return this.post({ method, params, sessionId: this.session });
	}

	async start() {
		const { targetInfos } = await this.post(
			{ method: "Target.getTargets" });
		const target = targetInfos.find((one) => one.type === "page");
		const { sessionId } = await this.post({
			method: "Target.attachToTarget",
			params: { targetId: target.targetId, flatten: true } });
		this.session = sessionId;
		for (const domain of ["Page", "Runtime", "Log", "Network"])
			await this.send(`${domain}.enable`);
		await this.send("Performance.enable",
			{ timeDomain: "threadTicks" });
		await this.resize(this.size.width, this.size.height);
	}

	async resize(width, height, scale = 1) {
		await this.send("Emulation.setDeviceMetricsOverride", { width,
			height, deviceScaleFactor: scale, mobile: false });
	}

	async open(url) {
		for (const one of ["about:blank", url]) {
			const loaded = this.event("Page.loadEventFired");
			this.forget();
			await this.send("Page.navigate", { url: one });
			await loaded;
		}
	}

	async evaluate(f, ...values) {
		const { result, exceptionDetails } = await this.send(
			"Runtime.evaluate", {
				expression: `(${f})(${values.map((one) =>
					JSON.stringify(one)).join(", ")})`,
				awaitPromise: true, returnByValue: true });
		if (exceptionDetails !== undefined)
			throw new Error(
				exceptionDetails.exception?.description ??
				exceptionDetails.text);
		return result.value;
	}

	// Until a function in the page is true.
	async until(f, ...values) {
		for (let tries = 0; tries < 300; tries++) {
			const value = await this.evaluate(f, ...values);
			if (value)
				return value;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		throw new Error(`waited for ${f}`);
	}

	// What the page's main thread has computed so far, in milliseconds;
	// other programs of a busy machine do not count.
	async work() {
		const { metrics } = await this.send("Performance.getMetrics");
		return 1000 * metrics.find(({ name }) =>
			name === "TaskDuration").value;
	}

	// Returns the CPU time of the longest piece of script, in milliseconds,
	// while a function works.
	async longestPiece(work) {
		this.traced = [];
		await this.send("Tracing.start", { transferMode: "ReportEvents",
			categories: "devtools.timeline,v8" });
		await work();
		const ended = this.event("Tracing.tracingComplete");
		await this.send("Tracing.end");
		await ended;
		// One that has not ended has no duration.
		return Math.max(...this.traced.filter(({ name, tdur }) =>
			/^(v8.evaluateModule|FunctionCall)$/.test(name) &&
			tdur > 0).map(({ tdur }) => tdur / 1000));
	}

	async mouse(type, x, y, more = {}) {
		await this.send("Input.dispatchMouseEvent", { type, x, y,
			button: "left", buttons: type === "mouseReleased" ||
				type === "mouseWheel" ? 0 : 1, clickCount: 1,
					...more });
	}

	async click(x, y, more) {
		await this.mouse("mousePressed", x, y, more);
		await this.mouse("mouseReleased", x, y, more);
	}

	async drag(fromX, toX, y, more) {
		await this.mouse("mousePressed", fromX, y, more);
		for (let i = 1; i <= 10; i++)
			await this.mouse("mouseMoved",
				fromX + (toX - fromX) * i / 10, y, more);
		await this.mouse("mouseReleased", toX, y, more);
	}

	// Fingers, each [x, y]; none: they are lifted.
	async touch(type, ...fingers) {
		await this.send("Input.dispatchTouchEvent", { type, touchPoints:
			fingers.map(([x, y], id) => ({ x, y, id })) });
	}

	async key(key, more = {}) {
		const text = key.length === 1 ? key : undefined;
		await this.send("Input.dispatchKeyEvent",
			{ type: "keyDown", key, text, ...more });
		await this.send("Input.dispatchKeyEvent",
			{ type: "keyUp", key, ...more });
	}

	async picture(file) {
		const { data } = await this.send("Page.captureScreenshot");
		fs.writeFileSync(file, Buffer.from(data, "base64"));
	}

	async close() {
		const ended = new Promise((resolve) =>
			this.child.once("exit", resolve));
		await this.post({ method: "Browser.close" }).catch(() => {});
		await ended;
	}
}

module.exports = { Browser };
