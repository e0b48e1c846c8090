/* export_flame.c - writes a profile as a flame graph in SVG */

/*
 * The paths of the profile are put into a tree of frames, from the outermost
 * method inwards or, if reversed, from the method that took the time outwards
 * to its callers. If another profile is compared, its values are added to the
 * existing frames; a path without frames counts for the innermost frame that
 * exists, so that shares are right at each level. The tree is written twice in
 * one walk, the widest frames first: as a picture of all frames that are at
 * least a pixel wide, for viewers that do not run scripts, and as a line of
 * text for each frame, from which the script draws the parts that the reader
 * zooms into.
 */

#include <dmtrace/export.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/idmap.h"
#include "events/pipeline.h"
#include "export/flame_page.h"
#include "export/labels.h"
#include "private/put.h"
#include "private/export.h"
#include "private/output.h"
#include "private/text.h"
#include "profile/profile.h"

#define WIDTH 1200
#define FRAME 18			/* height of a frame */
#define HEAD 48				/* above the frames */
#define FOOT 28				/* below them */
#define LETTER 7.0			/* width of a letter */
#define LEVELS_MAX 400			/* levels in the picture */
#define HUES 12				/* classes h0 to h11 of the style */

enum { NEW, OLD, PROFILES };

struct frame {
	uint32_t parent, method, depth;
	uint64_t own[PROFILES];		/* value of calls that end in it */
	uint64_t all[PROFILES];
	uint64_t frames;		/* in its subtree, with itself */
	double x;			/* position in the picture */
	bool drawn;
};

/* The position of a frame in the order of its siblings. */
struct frame_order {
	uint32_t parent, frame;
	uint64_t all;
};

struct flame {
	const struct dmtrace_profile *profile;
	const struct dmt_flame_options *options;
	struct dmt_output *out;
	unsigned weight;		/* a clock, or PROFILE_CLOCKS for
					   calls */
	struct frame *frames;		/* the first one is the root */
	size_t count, capacity;
	struct dmt_idmap children;	/* by parent and method */
	struct frame_order *order;	/* by parent, then the widest first */
	uint32_t *first;		/* by parent: the range of its children
					   in order */
	uint32_t *names;		/* by method: 1 + its number, or 0 */
	uint32_t *name_methods;		/* by number: the method */
	size_t name_count;
	uint64_t gone;			/* value of OLD in paths that NEW
					   lacks */
	uint64_t negative;		/* number of negative values, which are
					   left out */
	uint32_t levels;		/* levels in the picture */
};

/* A position in the tree: a frame, or a call below it that has no frame. */
struct place {
	uint32_t frame;
	bool lost;
};

static uint64_t
child_id(uint32_t parent, uint32_t method)
{
	return (uint64_t)parent << 32 | method;
}

static bool
add_frame(struct flame *flame, uint32_t parent, uint32_t method)
{
	struct frame *const frames = dmt_array_grow(flame->frames,
	    &flame->capacity, flame->count + 1, sizeof(*frames));

	if (frames == NULL)
		return false;
	flame->frames = frames;
	frames[flame->count] = (struct frame){
		.parent = parent, .method = method,
		.depth = flame->count == 0 ? 0 : frames[parent].depth + 1
	};
	if (flame->count > 0 && !dmt_idmap_add(&flame->children,
	    child_id(parent, method), (uint32_t)flame->count))
		return false;
	flame->count++;
	return true;
}

/* Moves to the child frame of a method, which is added, but not for a profile
 * that is compared; method is then DMTRACE_NONE if the other profile has no
 * such method. */
static bool
go_on(struct flame *flame, int which, struct place *place, uint32_t method)
{
	if (place->lost)
		return true;
	const uint32_t *const found = dmt_idmap_find(&flame->children,
	    child_id(place->frame, method));
	if (found != NULL) {
		place->frame = *found;
		return true;
	}
	place->lost = which == OLD;
	if (place->lost)
		return true;
	if (!add_frame(flame, place->frame, method))
		return false;
	place->frame = (uint32_t)flame->count - 1;
	return true;
}

/* Moves from the method of a node outwards, caller by caller, to the top. */
static bool
go_outwards(struct flame *flame, const struct dmtrace_profile *profile,
    int which, const uint32_t *methods, size_t index, struct place *place)
{
	struct dmtrace_profile_node node;

	for (; index != 0; index = node.parent) {
		dmtrace_profile_node_get(profile, 0, index, &node);
		if (!go_on(flame, which, place, methods[node.method]))
			return false;
	}
	return true;
}

struct named {
	struct dmtrace_text texts[3];
	uint32_t index;
};

static int
compare_named(const void *a, const void *b)
{
	const struct named *const one = a, *const other = b;
	int order = dmt_class_compare(one->texts[0], other->texts[0]);

	for (int i = 1; i < 3 && order == 0; i++)
		order = dmt_text_compare(one->texts[i], other->texts[i]);
	return order;
}

static struct named
name_method(const struct dmtrace_profile *profile, size_t index)
{
	struct dmtrace_profile_method method;

	dmtrace_profile_method_get(profile, 0, index, &method);
	return (struct named){
		.texts = { method.class_name, method.name, method.signature },
		.index = (uint32_t)index
	};
}

/* Returns, by method of another profile, the method of the same name or
 * DMTRACE_NONE. NULL: no memory. */
static uint32_t *
match_methods(const struct dmtrace_profile *profile,
    const struct dmtrace_profile *other)
{
	const size_t count = dmtrace_profile_method_count(profile);
	const size_t others = dmtrace_profile_method_count(other);
	struct named *const named = dmt_array_new(count, sizeof(*named));
	uint32_t *const methods = dmt_array_new(others, sizeof(*methods));

	for (size_t i = 0; i < count && named != NULL; i++)
		named[i] = name_method(profile, i);
	if (named != NULL)
		qsort(named, count, sizeof(*named), compare_named);
	for (size_t i = 0; i < others && named != NULL && methods != NULL;
	    i++) {
		const struct named key = name_method(other, i);
		const struct named *const found = bsearch(&key, named, count,
		    sizeof(key), compare_named);

		methods[i] = found == NULL ? DMTRACE_NONE : found->index;
	}
	if (named == NULL) {
		free(methods);
		return NULL;
	}
	free(named);
	return methods;
}

/* Adds the paths of a profile, with the methods numbered as in the frames. */
static bool
add_paths(struct flame *flame, const struct dmtrace_profile *profile,
    int which)
{
	const size_t count = dmtrace_profile_node_count(profile, 0);
	uint32_t *const methods = match_methods(flame->profile, profile);
	struct place *const places = dmt_array_new(count, sizeof(*places));
	struct dmtrace_profile_node node;
	bool ok = methods != NULL && places != NULL;

	for (size_t i = 0; i < count && ok; i++) {
		dmtrace_profile_node_get(profile, 0, i, &node);
		const int64_t ns = flame->weight == DMTRACE_PROFILE_CLOCKS ?
		    (int64_t)node.calls : node.exclusive_ns[flame->weight];
		const uint64_t value = ns < 0 ? 0 : (uint64_t)ns;
		struct place *const place = &places[i];

		flame->negative += ns < 0;

		if (i > 0 && flame->options->reverse && value > 0) {
			ok = go_outwards(flame, profile, which, methods, i,
			    place);
		} else if (i > 0 && !flame->options->reverse) {
			*place = places[node.parent];
			ok = go_on(flame, which, place, methods[node.method]);
		}
		if (!ok)
			break;
		flame->frames[place->frame].own[which] += value;
		if (place->lost)
			flame->gone += value;
	}
	free(places);
	free(methods);
	return ok;
}

static int
compare_orders(const void *a, const void *b)
{
	const struct frame_order *const one = a, *const other = b;

	if (one->parent != other->parent)
		return one->parent < other->parent ? -1 : 1;
	if (one->all != other->all)
		return one->all > other->all ? -1 : 1;
	return one->frame < other->frame ? -1 : 1;
}

/* Sums the values of subtrees, and sorts siblings. */
static bool
sum_calls(struct flame *flame)
{
	flame->order = dmt_array_new(flame->count, sizeof(*flame->order));
	flame->first = dmt_array_new(flame->count + 1, sizeof(*flame->first));
	if (flame->order == NULL || flame->first == NULL)
		return false;
	for (size_t i = flame->count; i-- > 0;) {
		struct frame *const frame = &flame->frames[i];
		struct frame *const parent = &flame->frames[frame->parent];

		for (int n = 0; n < PROFILES; n++)
			frame->all[n] += frame->own[n];
		frame->frames += frame->all[NEW] > 0;
		flame->order[i] = (struct frame_order){
			.parent = i == 0 ? 0 : frame->parent + 1,
			.frame = (uint32_t)i, .all = frame->all[NEW]
		};
		if (i == 0)
			break;
		parent->frames += frame->frames;
		for (int n = 0; n < PROFILES; n++)
			parent->all[n] += frame->all[n];
		flame->first[frame->parent + 1]++;
	}
	/* The root has no parent: it is the first in order. */
	qsort(flame->order, flame->count, sizeof(*flame->order),
	    compare_orders);
	flame->first[0] = 1;
	for (size_t i = 0; i < flame->count; i++)
		flame->first[i + 1] += flame->first[i];
	return true;
}

/* Writes the style class for a package: h and a number, or hx for none. */
static void
put_hue(struct dmt_output *out, struct dmtrace_text class_name)
{
	const struct dmtrace_text package = dmt_class_package(class_name);
	uint32_t hash = 2166136261;	/* FNV-1a */

	for (size_t i = 0; i < package.len; i++)
		hash = (hash ^ (unsigned char)package.bytes[i]) * 16777619;
	if (package.len == 0)
		dmt_put(out, "hx");
	else
		dmt_put_format(out, "h%" PRIu32, (hash ^ hash >> 13) % HUES);
}

/* Writes the style class for the change of a frame's share: r1 to r4 for an
 * increase (red), b1 to b4 for a decrease (blue); r0 is about the same. */
static void
put_change_class(const struct flame *flame, const struct frame *frame)
{
	static const double steps[] = { 0.1, 0.5, 2, 8 };	/* percent */
	double shares[PROFILES];
	int level = 0;

	for (int n = 0; n < PROFILES; n++)
		shares[n] = flame->frames[0].all[n] == 0 ? 0 : 100 *
		    (double)frame->all[n] / (double)flame->frames[0].all[n];
	const double change = shares[NEW] - shares[OLD];
	const double size = change < 0 ? -change : change;
	while (level < 4 && size >= steps[level])
		level++;
	dmt_put_format(flame->out, "%c%d",
	    change < 0 && level > 0 ? 'b' : 'r', level);
}

/* Writes text without U+FFFE and U+FFFF, which XML does not allow. */
static void
put_text(struct dmt_output *out, struct dmtrace_text text)
{
	size_t from = 0;

	for (size_t i = 0; i + 2 < text.len; i++) {
		const unsigned char last = (unsigned char)text.bytes[i + 2];

		if (memcmp(text.bytes + i, "\357\277", 2) != 0 || last < 0xbe)
			continue;
		dmt_put_name(out, DMT_PUT_HTML, (struct dmtrace_text){
		    text.bytes + from, i - from }, SIZE_MAX);
		dmt_put_format(out, "\\xef\\xbf\\x%02x", last);
		from = i + 3;
	}
	dmt_put_name(out, DMT_PUT_HTML, (struct dmtrace_text){
	    text.bytes + from, text.len - from }, SIZE_MAX);
}

static void
put_value(const struct flame *flame, struct dmt_output *out, uint64_t value)
{
	if (flame->weight == DMTRACE_PROFILE_CLOCKS)
		dmt_put_count(out, value, "call");
	else
		dmt_put_duration(out, (int64_t)value);
}

static void
put_title(const struct flame *flame, const struct frame *frame,
    const struct dmtrace_profile_method *method)
{
	struct dmt_output *const out = flame->out;
	const uint64_t total = flame->frames[0].all[NEW];

	if (frame == flame->frames) {
		dmt_put(out, "all");
	} else {
		const struct dmt_method_scope scope = dmt_method_scope(
		    method->class_name, method->signature);

		put_text(out, scope.text);
		dmt_put(out, method->name.len > 0 ? scope.separator : "");
		put_text(out, method->name);
		put_text(out, method->signature);
	}
	dmt_put(out, "\n");
	put_value(flame, out, frame->all[NEW]);
	dmt_put(out, ", ");
	dmt_put_share(out, (int64_t)frame->all[NEW], (int64_t)total);
	if (flame->options->old == NULL)
		return;
	dmt_put(out, "\nbefore: ");
	put_value(flame, out, frame->all[OLD]);
	dmt_put(out, ", ");
	dmt_put_share(out, (int64_t)frame->all[OLD],
	    (int64_t)flame->frames[0].all[OLD]);
}

/* Writes as much as fits of class and name, or of the name alone. */
static void
put_label(struct dmt_output *out,
    const struct dmtrace_profile_method *method, double width)
{
	const size_t letters = width < 2 * LETTER ? 0 :
	    (size_t)((width - 6) / LETTER);
	const struct dmt_method_scope scope =
	    dmt_method_scope(method->class_name, method->signature);
	const size_t skipped = dmt_class_package(scope.text).len;
	const struct dmtrace_text class_name = skipped == 0 ? scope.text :
	    dmt_text_after(scope.text, skipped + 1);

	if (class_name.len + strlen(scope.separator) + method->name.len <=
	    letters) {
		put_text(out, class_name);
		dmt_put(out, method->name.len > 0 ? scope.separator : "");
		put_text(out, method->name);
	} else if (method->name.len <= letters) {
		put_text(out, method->name);
	} else if (letters > 4) {
		size_t len = letters - 3;

		while (len > 0 && (method->name.bytes[len] & 0xc0) == 0x80)
			len--;
		put_text(out, (struct dmtrace_text){ method->name.bytes,
		    len });
		dmt_put(out, "...");
	}
}

/* Writes a length in the picture, with one decimal. */
static void
put_length(struct dmt_output *out, const char *name, double length)
{
	dmt_put_format(out, " %s=\"", name);
	dmt_put_parts(out, length * 10, 10);
	dmt_put(out, "\"");
}

static void
put_rect(const struct flame *flame, double x, uint32_t depth, double width)
{
	const uint32_t row = flame->options->icicle ? depth :
	    flame->levels - 1 - depth;

	put_length(flame->out, "x", x);
	dmt_put_format(flame->out, " y=\"%" PRIu32 "\"",
	    HEAD + row * FRAME);
	put_length(flame->out, "width", width > 1 ? width - 0.5 : width);
	dmt_put_format(flame->out, " height=\"%d\"/>", FRAME - 1);
}

static double
picture_width(const struct flame *flame, uint64_t value)
{
	const uint64_t total = flame->frames[0].all[NEW];

	return total == 0 ? 0 : (double)value / (double)total * WIDTH;
}

static void
draw_frame(const struct flame *flame, const struct frame *frame)
{
	struct dmt_output *const out = flame->out;
	const double width = frame == flame->frames ? WIDTH :
	    picture_width(flame, frame->all[NEW]);
	const uint32_t row = flame->options->icicle ? frame->depth :
	    flame->levels - 1 - frame->depth;
	struct dmtrace_profile_method method;

	dmtrace_profile_method_get(flame->profile, 0, frame->method, &method);
	dmt_put(out, "<g class=\"");
	if (flame->options->old != NULL)
		put_change_class(flame, frame);
	else if (frame == flame->frames)
		dmt_put(out, "hx");
	else
		put_hue(out, method.class_name);
	dmt_put(out, "\"><title>");
	put_title(flame, frame, &method);
	dmt_put(out, "</title><rect");
	put_rect(flame, frame->x, frame->depth, width);
	if (width >= 3 * LETTER) {
		dmt_put(out, "<text");
		put_length(out, "x", frame->x + 3);
		dmt_put_format(out, " y=\"%" PRIu32 "\">",
		    HEAD + row * FRAME + 13);
		if (frame == flame->frames)
			dmt_put(out, "all");
		else
			put_label(out, &method, width);
		dmt_put(out, "</text>");
	}
	dmt_put(out, "</g>\n");
}

/* Draws one box for all sibling frames that are narrower than a pixel, unless
 * all of them together are, too. */
static void
draw_folded(const struct flame *flame, double x, uint32_t depth,
    uint64_t frames, uint64_t value)
{
	struct dmt_output *const out = flame->out;
	const double width = picture_width(flame, value);

	if (width < 1)
		return;
	dmt_put(out, "<g class=\"fold\"><title>");
	dmt_put_count(out, frames, "narrow frame");
	dmt_put(out, "\n");
	put_value(flame, out, value);
	dmt_put(out, ", ");
	dmt_put_share(out, (int64_t)value,
	    (int64_t)flame->frames[0].all[NEW]);
	dmt_put(out, "</title><rect");
	put_rect(flame, x, depth, width);
	dmt_put(out, "</g>\n");
}

/* Decides which children of a drawn frame are drawn, and where; the others are
 * one box. */
static void
draw_children(struct flame *flame, uint32_t parent, bool draws)
{
	const struct frame *const on = &flame->frames[parent];
	double x = on->x;
	uint64_t frames = 0, value = 0;

	for (uint32_t i = flame->first[parent]; i < flame->first[parent + 1];
	    i++) {
		struct frame *const frame =
		    &flame->frames[flame->order[i].frame];
		const double width = picture_width(flame, frame->all[NEW]);

		frame->drawn = width >= 1 && frame->depth < LEVELS_MAX;
		frame->x = x;
		if (frame->drawn) {
			x += width;
		} else if (frame->all[NEW] > 0) {
			frames += frame->frames;
			value += frame->all[NEW];
		}
		if (!draws && (frame->drawn ||
		    picture_width(flame, value) >= 1) &&
		    frame->depth >= flame->levels &&
		    frame->depth < LEVELS_MAX)
			flame->levels = frame->depth + 1;
	}
	if (draws && on->depth + 1 < LEVELS_MAX)
		draw_folded(flame, x, on->depth + 1, frames, value);
}

/* Frames are in the order of parents, and each follows its parent: so it is
 * known if the parent is drawn. */
static void
draw_frames(struct flame *flame, bool draws)
{
	flame->frames[0].drawn = true;
	for (uint32_t i = 0; i < flame->count; i++) {
		if (!flame->frames[i].drawn)
			continue;
		if (draws)
			draw_frame(flame, &flame->frames[i]);
		draw_children(flame, i, draws);
	}
}

/* Writes the names in the order of their numbers: style class, class, name and
 * signature. */
static void
put_names(struct flame *flame)
{
	struct dmt_output *const out = flame->out;

	dmt_put(out, "<metadata id=\"names\">");
	for (size_t i = 0; i < flame->name_count; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(flame->profile, 0,
		    flame->name_methods[i], &method);
		put_hue(out, method.class_name);
		dmt_put(out, "\t");
		put_text(out, method.class_name);
		dmt_put(out, "\t");
		put_text(out, method.name);
		dmt_put(out, "\t");
		put_text(out, method.signature);
		dmt_put(out, "\n");
	}
	dmt_put(out, "</metadata>\n");
}

/* Writes the line of a frame, before those of its children: depth, name, its
 * own value and, if compared, that of the other profile. */
static void
put_line(struct flame *flame, const struct frame *frame)
{
	char line[4 * 24];
	char *at = dmt_put_uint(line, frame->depth);

	if (flame->names[frame->method] == 0) {
		flame->name_methods[flame->name_count++] = frame->method;
		flame->names[frame->method] = (uint32_t)flame->name_count;
	}
	*at++ = ' ';
	at = dmt_put_uint(at, flame->names[frame->method] - 1);
	*at++ = ' ';
	at = dmt_put_uint(at, frame->own[NEW]);
	if (flame->options->old != NULL) {
		*at++ = ' ';
		at = dmt_put_uint(at, frame->own[OLD]);
	}
	*at++ = '\n';
	dmt_output_write(flame->out, line, (size_t)(at - line));
}

/* Writes all frames that have a value, each before its children. */
static void
put_tree(struct flame *flame)
{
	uint32_t frame = 0;

	dmt_put(flame->out, "<metadata id=\"tree\">");
	put_line(flame, &flame->frames[0]);
	for (;;) {
		/* The place of the next child in order[], while the item there
		 * has this parent; without one, the parent goes on. */
		uint32_t *const next = &flame->first[frame];
		const struct frame_order *const child =
		    *next < flame->count &&
		    flame->order[*next].parent == frame + 1 ?
		    &flame->order[(*next)++] : NULL;

		if (child == NULL && frame == 0)
			break;
		if (child == NULL) {
			frame = flame->frames[frame].parent;
		} else if (child->all > 0) {
			frame = child->frame;
			put_line(flame, &flame->frames[frame]);
		}
	}
	dmt_put(flame->out, "</metadata>\n");
}

/* Writes a line below the title that says what the graph shows. */
static void
put_subtitle(const struct flame *flame)
{
	struct dmt_output *const out = flame->out;
	const struct frame *const all = &flame->frames[0];

	put_value(flame, out, all->all[NEW]);
	dmt_put(out, flame->weight == DMTRACE_PROFILE_CPU ? " of CPU time" :
	    flame->weight == DMTRACE_PROFILE_WALL ? " of wall time" : "");
	dmt_put(out, ", ");
	dmt_put_count(out, all->frames - (all->frames > 0), "frame");
	if (flame->options->reverse)
		dmt_put(out, ", with callers above what they call");
	if (flame->options->old != NULL) {
		dmt_put(out, "; red: a larger share than before (");
		put_value(flame, out, all->all[OLD]);
		dmt_put(out, "), blue: a smaller one; ");
		dmt_put_share(out, (int64_t)flame->gone,
		    (int64_t)all->all[OLD]);
		dmt_put(out, " of it was in paths that no longer occur");
	}
	if (flame->negative > 0) {
		dmt_put(out, "; ");
		dmt_put_count(out, flame->negative, "time");
		dmt_put(out, " below 0 left out");
	}
}

static void
put_begin(const struct flame *flame)
{
	struct dmt_output *const out = flame->out;
	const uint32_t height = HEAD + flame->levels * FRAME + FOOT;
	const char *const title = flame->options->title != NULL ?
	    flame->options->title : "dmtrace flame";
	const struct dmtrace_text name = { title, strlen(title) };

	dmt_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\"");
	dmt_put_format(out, " height=\"%" PRIu32 "\" viewBox=\"0 0 1200 %"
	    PRIu32 "\"", height, height);
	dmt_put_format(out, " data-weight=\"%s\" data-shape=\"%s\"",
	    flame->weight == DMTRACE_PROFILE_CPU ? "cpu" :
	    flame->weight == DMTRACE_PROFILE_WALL ? "wall" : "calls",
	    flame->options->icicle ? "icicle" : "flame");
	dmt_put(out, flame->options->old != NULL ? " data-diff=\"1\">\n" :
	    ">\n");
	dmt_put(out, "<title>");
	put_text(out, name);
	dmt_put(out, "</title>\n<style>\n");
	dmt_put_lines(out, dmt_flame_style);
	dmt_put(out, "</style>\n<rect id=\"ground\" width=\"100%\""
	    " height=\"100%\"/>\n<text id=\"heading\" x=\"8\" y=\"20\">");
	put_text(out, name);
	dmt_put(out, "</text>\n<text id=\"about\" x=\"8\" y=\"38\">");
	put_subtitle(flame);
	dmt_put_format(out, "</text>\n<text id=\"status\" x=\"8\" y=\"%"
	    PRIu32 "\"></text>\n", height - 10);
}

/* Chooses the weight from what the profile has. */
static enum dmtrace_status
choose_weight(struct flame *flame)
{
	const struct dmtrace_profile *const profiles[] = { flame->profile,
	    flame->options->old };
	const enum dmtrace_export_weight weight = flame->options->weight;
	bool has[DMTRACE_PROFILE_CLOCKS] = { true, true };

	for (int n = 0; n < PROFILES; n++) {
		struct dmtrace_profile_summary summary;

		if (profiles[n] == NULL)
			continue;
		if (!(profiles[n]->keep & DMTRACE_PROFILE_TREE) ||
		    dmtrace_profile_method_count(profiles[n]) == 0)
			return DMTRACE_ERR_STATE;
		dmtrace_profile_summary_get(profiles[n], &summary);
		for (int i = 0; i < DMTRACE_PROFILE_CLOCKS; i++)
			has[i] = has[i] && summary.has_clock[i];
	}
	if (weight == DMTRACE_EXPORT_CALLS) {
		flame->weight = DMTRACE_PROFILE_CLOCKS;
		return DMTRACE_OK;
	}
	flame->weight = weight == DMTRACE_EXPORT_CPU ||
	    (weight == 0 && !has[DMTRACE_PROFILE_WALL]) ?
	    DMTRACE_PROFILE_CPU : DMTRACE_PROFILE_WALL;
	return has[flame->weight] ? DMTRACE_OK : DMTRACE_ERR_RANGE;
}

enum dmtrace_status
dmt_export_flame(const struct dmtrace_profile *profile,
    const struct dmt_flame_options *asked, struct dmt_output *out)
{
	const struct dmt_flame_options none = { 0 };
	struct flame flame = {
		.profile = profile, .options = asked != NULL ? asked : &none,
		.out = out
	};
	const size_t methods = dmtrace_profile_method_count(profile);
	enum dmtrace_status status = choose_weight(&flame);

	if (status != DMTRACE_OK)
		return status;

	/* Build the tree of frames. */
	status = DMTRACE_ERR_MEMORY;
	if (!add_frame(&flame, 0, DMTRACE_PROFILE_TOP) ||
	    !add_paths(&flame, profile, NEW) ||
	    (flame.options->old != NULL &&
	    !add_paths(&flame, flame.options->old, OLD)) ||
	    !sum_calls(&flame))
		goto end;
	flame.names = dmt_array_new(methods, sizeof(*flame.names));
	flame.name_methods = dmt_array_new(methods,
	    sizeof(*flame.name_methods));
	if (flame.names == NULL || flame.name_methods == NULL)
		goto end;

	/* Draw the picture; the first time only to find its height. */
	flame.levels = 1;
	draw_frames(&flame, false);
	put_begin(&flame);
	dmt_put(out, "<g id=\"frames\">\n");
	draw_frames(&flame, true);
	dmt_put(out, "</g>\n");

	/* Write the text that the script draws from, and the script. */
	put_tree(&flame);
	put_names(&flame);
	dmt_put(out, "<script><![CDATA[\n(() => {\n\"use strict\";\n");
	dmt_put_lines(out, dmt_flame_script);
	dmt_put(out, "})();\n]]></script>\n</svg>\n");
	status = DMTRACE_OK;
end:
	free(flame.frames);
	dmt_idmap_fini(&flame.children);
	free(flame.order);
	free(flame.first);
	free(flame.names);
	free(flame.name_methods);
	return status;
}
