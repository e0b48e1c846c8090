/* page_style.c - how a page looks, also in the dark */

#include "export/page.h"

#include <stddef.h>

const char *const dmt_page_style[] = {
	":root { color-scheme: light dark; --line: #8884; --soft: #8882; }",
	"body { font: 14px/1.4 system-ui, sans-serif; margin: 1rem; }",
	"h1 { font-size: 1.3rem; overflow-wrap: anywhere; }",
	"h2, summary { font-size: 1.1rem; font-weight: 600; }",
	"summary { cursor: pointer; overflow-wrap: anywhere; }",
	"table { border-collapse: collapse; width: 100%; }",
	"caption { text-align: left; font-weight: 600; padding: .2rem 0; }",
	"th, td { padding: .15rem .4rem; text-align: right;",
	" vertical-align: top; border-bottom: 1px solid var(--line);",
	" font-variant-numeric: tabular-nums; }",
	"th { position: sticky; top: 0; z-index: 1; background: Canvas;",
	" white-space: nowrap; }",
	"td td, td th { position: static; background: none; }",
	".name { text-align: left; width: 60%; }",
	".name div { overflow: auto; max-height: 8em; min-width: 24em;",
	" overflow-wrap: anywhere; unicode-bidi: isolate;",
	" font-family: ui-monospace, monospace; }",
	".detail > td { background: var(--soft); padding-left: 3rem; }",
	"tr.open > td { border-bottom: none; background: var(--soft); }",
	"button { font: inherit; color: inherit; background: none;",
	" border: 0; padding: 0; text-align: inherit; cursor: pointer;",
	" overflow-wrap: anywhere; }",
	"button:hover, a:hover { text-decoration: underline; }",
	"td > div > button::before { content: '\\25b8\\00a0'; }",
	"tr.open > td > div > button::before { content: '\\25be\\00a0'; }",
	"th[aria-sort=ascending] button::after { content: ' \\2191'; }",
	"th[aria-sort=descending] button::after { content: ' \\2193'; }",
	"a { color: LinkText; }",
	".note { opacity: .75; }",
	"input { font: inherit; width: 20em; max-width: 90%; }",
	"@media (max-width: 50em) {",
	"body { font-size: 13px; margin: .5rem; }",
	"th { white-space: normal; }",
	"th button { overflow-wrap: normal; }",
	".name div { min-width: 11em; }",
	".detail > td { padding-left: .4rem; }",
	".detail table { max-width: calc(100vw - 2rem); } }",
	NULL
};
