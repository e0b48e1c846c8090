// panes.js - the line between timeline and panels, which can be dragged

import { element } from "./format.js";

const STEP = 32;			// pixels of a key
const LEAST = 60;			// height of each

export class Divider {
	// scroller is what gets higher, panels what is below.
	constructor(timeline, panels) {
		this.timeline = timeline;
		this.panels = panels;
		this.drag = null;
		this.root = element("div", {
			class: "divider", role: "separator", tabindex: 0,
			"aria-orientation": "horizontal", "aria-valuemin":
				LEAST,
			"aria-label": "Height of the timeline",
			onpointerdown: (event) => {
				event.preventDefault();
				this.root.setPointerCapture(event.pointerId);
				this.drag = { y: event.clientY,
					chosen: timeline.chosenHeight ?? null,
					height: timeline.scroller
						.offsetHeight };
			},
			onpointermove: (event) => this.drag !== null &&
				this.move(
				this.drag.height + event.clientY - this.drag.y),
			onpointerup: () => {
				this.drag = null;
			},
			onpointercancel: () => {
				this.drag = null;
			},
			ondblclick: () => this.move(null),
			onkeydown: (event) => {
				const by = { ArrowUp: -STEP, ArrowDown: STEP }[
					event.key];
				if (by === undefined)
					return;
				event.preventDefault();
				event.stopPropagation();
				this.move(timeline.scroller.offsetHeight + by);
			},
		});
		new ResizeObserver(() => this.root.setAttribute("aria-valuenow",
			timeline.scroller.offsetHeight))
			.observe(timeline.scroller);
	}

	// Ends a drag as if it had not begun. Returns whether there was one.
	cancelDrag() {
		if (this.drag === null)
			return false;
		this.move(this.drag.chosen);
		this.drag = null;
		return true;
	}

	// Sets the height of the timeline; null: that of its threads.
	move(height) {
		const { timeline, panels } = this;
		const most = timeline.scroller.offsetHeight +
			panels.clientHeight - LEAST;
		timeline.chosenHeight = height === null ? undefined :
			Math.max(LEAST, Math.min(height, most));
		timeline.threads.arrange();
	}
}
