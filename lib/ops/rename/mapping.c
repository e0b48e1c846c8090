/* mapping.c - original names by a mapping of R8 or ProGuard */

/*
 * A mapping may have millions of lines, of which a trace needs few. So the
 * classes, methods and types of the key are collected first; then the mapping
 * is read once, line by line, and only what is about them is kept: the original
 * name of each class, and for each method the original ones that were given its
 * name, with the lines of the release that they have. Lines of other classes
 * are skipped after a look at their first byte. The memory depends on the key
 * and on those lines of the mapping that are about its methods, of which at
 * most CANDIDATES_MAX names and RANGES_MAX line ranges for each method, and
 * as many of inner frames.
 *
 * Lines of a method with the same range are the frames of inlined calls, the
 * innermost first; the last one is the method itself. Or they are overloads
 * that have the same lines in the release. Both look alike, so the signature
 * decides: that of inlined calls is the last one's. If it is another one's, and
 * of no other inner frame, that is an overload. Only if lines have those of the
 * source, as ProGuard leaves them, are they surely overloads that the source
 * has in one line.
 *
 * When all is read, a row's candidates are those of its class and name. The
 * signature, with the original names of its types, chooses among them, then the
 * line number if the row has one. If all that are left have one name, the row
 * gets it; otherwise it keeps the name of the release. If several classes have
 * the name of one, their methods are candidates alike, and each class that has
 * none of the name is one, too.
 *
 * The source file of a method that was moved from another class is that of the
 * other one, which may be anywhere in the mapping. Those that precede what was
 * moved from them are found in a second pass.
 */

#include "ops/rename/renamer.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/name_table.h"
#include "base/packing.h"
#include "format/other_format.h"
#include "ops/rename/mapping_line.h"
#include "ops/rename/signature.h"
#include "private/text.h"

#define CANDIDATES_MAX 256	/* of a method; and as many inner frames */
#define RANGES_MAX 16384	/* the same */

#define NONE UINT32_MAX

/* A class of the trace. */
struct mapped_class {
	struct dmtrace_text original;	/* bytes is NULL: not in the mapping */
	struct dmtrace_text file;
	uint32_t others;		/* namesakes: the last, or NONE */
};

/* Another class that has the same name in the release. */
struct namesake {
	struct dmtrace_text original;
	uint32_t next;			/* the one before, or NONE */
};

/* An original method that has the name of one of the trace. */
struct candidate {
	struct dmtrace_text holder;	/* its class, if it is another one */
	struct dmtrace_text name;
	struct dmtrace_text result, parameters;
	struct dmtrace_text residual;	/* the signature in the release */
	bool inner;			/* of no range the last frame */
	uint32_t next;			/* of the same method, or NONE */
};

/* A range of lines in the release. */
struct line_range {
	uint32_t from, to;
	uint32_t original_from, original_to;	/* or DMT_MAPPING_NO_LINE */
	uint32_t candidate;		/* of the method, from 0 on */
	bool inner;			/* a frame before the last one, which
					   precedes it in the list */
	uint32_t next;			/* of the same method, or NONE */
};

/* A class and a name of the trace. */
struct mapped_method {
	uint32_t first, last;		/* its candidates, or NONE */
	uint32_t count, inner_count;	/* of candidates; of these inner */
	uint32_t ranges;		/* the first range, or NONE */
	uint32_t range_count, inner_range_count;
	bool lines;			/* a row has a line number */
	bool too_many;			/* candidates or ranges are missing */
	bool too_many_inner;		/* the same, of inner frames */
};

/* What a row leaves of the candidates of its method. */
struct choice {
	bool kept[2 * CANDIDATES_MAX];
	bool same[2 * CANDIDATES_MAX];	/* those of its signature; inner ones
					   only if no other one has it */
	bool inner;			/* inner ones have it */
	const struct line_range *range;	/* of its line in one that is kept, or
					   NULL */
};

struct mapping {
	struct dmt_renamer renamer;
	const struct dmtrace_key *key;
	bool slashes;			/* how the key writes classes */
	struct dmt_name_table class_names;
	struct mapped_class *classes;
	struct namesake *namesakes;
	size_t namesake_count, namesake_capacity;
	struct dmt_name_table method_names;
	struct mapped_method *methods;
	struct candidate *candidates;
	size_t candidate_count, candidate_capacity;
	struct line_range *ranges;
	size_t range_count, range_capacity;
	struct dmt_name_table holders;	/* classes that methods were moved
					   from, by their original names */
	struct dmtrace_text *holder_files;	/* bytes is NULL: not found */
	size_t holder_capacity;
	struct dmt_arena arena;		/* texts of the mapping */

	/* while it is read */
	uint32_t at_class;		/* of the trace, or NONE */
	struct dmtrace_text at_namesake;	/* its original name, if another
						   class had it; else NULL */
	uint32_t at_holder;		/* of holders, or NONE */
	uint32_t at_method;		/* the one of pending, or NONE */
	struct dmt_mapping_line pending;	/* the last one of a method */
	char *pending_text;		/* its line */
	size_t pending_capacity;
	struct dmtrace_text residual;	/* of pending */
	bool is_mapping;		/* it has a line of a class */

	/* of the row that is renamed */
	struct dmt_output signature, spelled, class_name;
};

static uint32_t
find_class(const struct mapping *self, struct dmtrace_text name)
{
	return dmt_name_table_find(&self->class_names,
	    &(struct dmt_name){ .class_name = name });
}

static uint32_t
find_mapped(const struct mapping *self, struct dmtrace_text class_name,
    struct dmtrace_text name)
{
	return dmt_name_table_find(&self->method_names,
	    &(struct dmt_name){ .class_name = class_name, .name = name });
}

static bool
copy_to_arena(struct mapping *self, struct dmtrace_text *text)
{
	text->bytes = dmt_arena_copy(&self->arena, text->bytes, text->len);
	return text->bytes != NULL ||
	    dmt_error_memory(&self->renamer.error) == DMTRACE_OK;
}

/* What the trace has */

/* A dmt_rename_class_fn that collects the class of a type. */
static struct dmtrace_text
collect_type(void *context, struct dmtrace_text name)
{
	struct mapping *const self = context;

	if (dmt_name_table_intern(&self->class_names, &(struct dmt_name){
	    .class_name = name }) == DMT_NO_NAME)
		dmt_error_memory(&self->renamer.error);
	return name;
}

static void
collect_names(struct mapping *self)
{
	const size_t rows = dmtrace_key_method_count(self->key);
	struct dmtrace_error *const error = &self->renamer.error;

	for (size_t i = 0; i < rows && error->status == DMTRACE_OK; i++) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_get(self->key, i);

		collect_type(self, row->class_name);
		dmt_output_clear(&self->signature);
		dmt_signature_rename(&self->signature, row->signature,
		    collect_type, self);
		self->slashes |= dmt_text_holds(row->class_name, '/');
		if (dmt_name_table_intern(&self->method_names,
		    &(struct dmt_name){ .class_name = row->class_name,
		    .name = row->name }) == DMT_NO_NAME)
			dmt_error_memory(error);
	}
	self->classes = dmt_array_new(self->class_names.count,
	    sizeof(*self->classes));
	self->methods = dmt_array_new(self->method_names.count,
	    sizeof(*self->methods));
	if (self->classes == NULL || self->methods == NULL) {
		dmt_error_memory(error);
		return;
	}
	for (size_t i = 0; i < self->class_names.count; i++)
		self->classes[i] = (struct mapped_class){ .others = NONE };
	for (size_t i = 0; i < self->method_names.count; i++)
		self->methods[i] = (struct mapped_method){
			.first = NONE, .last = NONE, .ranges = NONE
		};
	for (size_t i = 0; i < rows && error->status == DMTRACE_OK; i++) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_get(self->key, i);

		if (row->line >= 0)
			self->methods[find_mapped(self, row->class_name,
			    row->name)].lines = true;
	}
}

/* What the mapping says */

static bool
is_candidate(const struct candidate *candidate,
    const struct dmt_mapping_line *line)
{
	return dmt_text_equal(candidate->name, line->original) &&
	    dmt_text_equal(candidate->parameters, line->parameters) &&
	    dmt_text_equal(candidate->result, line->result) &&
	    dmt_text_equal(candidate->holder, line->holder);
}

/* Returns the part of a class's name that precedes those of inner classes. */
static struct dmtrace_text
outer_class(struct dmtrace_text name)
{
	const char *const end =
	    name.len < 2 ? NULL : memchr(name.bytes + 1, '$', name.len - 1);

	return end == NULL ? name :
	    (struct dmtrace_text){ name.bytes, (size_t)(end - name.bytes) };
}

static uint32_t
find_holder(const struct mapping *self, struct dmtrace_text name)
{
	return dmt_name_table_find(&self->holders,
	    &(struct dmt_name){ .class_name = name });
}

/* Notes that a class's source file is needed. */
static void
add_holder(struct mapping *self, struct dmtrace_text name)
{
	const size_t count = self->holders.count;
	const uint32_t index = dmt_name_table_intern(&self->holders,
	    &(struct dmt_name){ .class_name = name });
	struct dmtrace_text *const files = index == DMT_NO_NAME ? NULL :
	    dmt_array_grow(self->holder_files, &self->holder_capacity,
	    self->holders.count, sizeof(*files));

	if (files == NULL) {
		dmt_error_memory(&self->renamer.error);
		return;
	}
	self->holder_files = files;
	if (index == count)
		files[index] = (struct dmtrace_text){ NULL, 0 };
}

/* Returns the number of the candidate for pending, which is added if it is new;
 * NONE: there are too many, or no memory. */
static uint32_t
add_candidate(struct mapping *self, struct mapped_method *method, bool inner)
{
	const bool full = inner ? method->inner_count == CANDIDATES_MAX :
	    method->count - method->inner_count == CANDIDATES_MAX;
	const struct dmt_mapping_line *const line = &self->pending;
	uint32_t number = 0;

	for (uint32_t i = method->first; i != NONE; number++) {
		struct candidate *const known = &self->candidates[i];

		i = known->next;
		if (!is_candidate(known, line))
			continue;
		if (known->residual.len == 0)
			known->residual = self->residual;
		if (!known->inner || inner)
			return number;
		if (full)
			break;
		known->inner = false;
		method->inner_count--;
		return number;
	}
	if (full) {
		*(inner ? &method->too_many_inner : &method->too_many) = true;
		return NONE;
	}
	struct candidate *const items = dmt_array_grow(self->candidates,
	    &self->candidate_capacity, self->candidate_count + 1,
	    sizeof(*items));
	if (items == NULL) {
		dmt_error_memory(&self->renamer.error);
		return NONE;
	}
	self->candidates = items;
	struct candidate *const added = &items[self->candidate_count];
	*added = (struct candidate){
		line->holder, line->original, line->result, line->parameters,
		self->residual, inner, NONE
	};
	if (!copy_to_arena(self, &added->holder) ||
	    !copy_to_arena(self, &added->name) ||
	    !copy_to_arena(self, &added->result) ||
	    !copy_to_arena(self, &added->parameters))
		return NONE;
	if (added->holder.len > 0)
		add_holder(self, added->holder);
	if (method->last == NONE)
		method->first = (uint32_t)self->candidate_count;
	else
		items[method->last].next = (uint32_t)self->candidate_count;
	method->last = (uint32_t)self->candidate_count++;
	method->count++;
	method->inner_count += inner;
	return number;
}

/* Keeps the method that the last line was about; inner: the next one has the
 * same range. */
static void
keep_frame(struct mapping *self, bool inner)
{
	const struct dmt_mapping_line *const line = &self->pending;

	if (self->at_method == NONE)
		return;
	struct mapped_method *const method = &self->methods[self->at_method];
	const uint32_t candidate = add_candidate(self, method, inner);
	uint32_t *const count =
	    inner ? &method->inner_range_count : &method->range_count;

	self->at_method = NONE;
	self->residual = (struct dmtrace_text){ NULL, 0 };
	if (candidate == NONE || !method->lines ||
	    line->to == DMT_MAPPING_NO_LINE)
		return;
	if (*count == RANGES_MAX) {
		*(inner ? &method->too_many_inner : &method->too_many) = true;
		return;
	}
	struct line_range *const ranges = dmt_array_grow(self->ranges,
	    &self->range_capacity, self->range_count + 1, sizeof(*ranges));
	if (ranges == NULL) {
		dmt_error_memory(&self->renamer.error);
		return;
	}
	self->ranges = ranges;
	ranges[self->range_count] = (struct line_range){
		line->from, line->to, line->original_from, line->original_to,
		candidate, inner, method->ranges
	};
	method->ranges = (uint32_t)self->range_count++;
	++*count;
}

/* Returns true if the release has other lines than the source. */
static bool
is_renumbered(const struct dmt_mapping_line *line)
{
	return line->original_from != DMT_MAPPING_NO_LINE &&
	    (line->original_from != line->from ||
	    line->original_to != line->to);
}

/* Keeps pending, and copies a line to it. */
static void
take_method(struct mapping *self, const struct dmt_mapping_line *line,
    struct dmtrace_text text)
{
	const uint32_t method = find_mapped(self,
	    self->class_names.items[self->at_class].class_name,
	    line->renamed);
	const bool next = method != DMT_NO_NAME && method == self->at_method &&
	    line->to != DMT_MAPPING_NO_LINE &&
	    line->from == self->pending.from && line->to == self->pending.to &&
	    (is_renumbered(line) || is_renumbered(&self->pending));

	keep_frame(self, next);
	if (method == DMT_NO_NAME)
		return;
	char *const copy = dmt_array_grow(self->pending_text,
	    &self->pending_capacity, text.len + 1, 1);
	if (copy == NULL) {
		dmt_error_memory(&self->renamer.error);
		return;
	}
	self->pending_text = copy;
	memcpy(copy, text.bytes, text.len);
	dmt_mapping_parse(&self->pending,
	    (struct dmtrace_text){ copy, text.len });
	if (self->pending.holder.len == 0)
		self->pending.holder = self->at_namesake;
	self->at_method = method;
}

/* Begins a class whose name in the release another class has, too. */
static void
take_namesake(struct mapping *self, struct mapped_class *known,
    struct dmtrace_text original)
{
	unsigned count = 0;

	for (uint32_t i = known->others; i != NONE;
	    i = self->namesakes[i].next, count++) {
		self->at_namesake = self->namesakes[i].original;
		if (dmt_text_equal(self->at_namesake, original))
			return;
	}
	struct namesake *const items = dmt_array_grow(self->namesakes,
	    &self->namesake_capacity, self->namesake_count + 1,
	    sizeof(*items));
	if (items == NULL) {
		dmt_error_memory(&self->renamer.error);
		return;
	}
	self->namesakes = items;
	if (count == CANDIDATES_MAX) {
		self->at_class = NONE;
		return;
	}
	if (!copy_to_arena(self, &original))
		return;
	self->at_namesake = original;
	items[self->namesake_count] =
	    (struct namesake){ original, known->others };
	known->others = (uint32_t)self->namesake_count++;
}

static void
take_class(struct mapping *self, const struct dmt_mapping_line *line)
{
	keep_frame(self, false);
	self->is_mapping = true;
	self->at_holder = find_holder(self, line->original);
	self->at_class = find_class(self, line->renamed);
	self->at_namesake = (struct dmtrace_text){ NULL, 0 };
	if (self->at_class == DMT_NO_NAME) {
		self->at_class = NONE;
		return;
	}
	struct mapped_class *const found = &self->classes[self->at_class];
	if (found->original.bytes == NULL) {
		found->original = line->original;
		copy_to_arena(self, &found->original);
	} else if (!dmt_text_equal(found->original, line->original)) {
		take_namesake(self, found, line->original);
	}
}

static void
take_source_file(struct mapping *self, struct dmtrace_text file)
{
	if ((self->at_class == NONE && self->at_holder == DMT_NO_NAME) ||
	    !copy_to_arena(self, &file))
		return;
	if (self->at_class != NONE && self->at_namesake.bytes == NULL &&
	    self->classes[self->at_class].file.len == 0)
		self->classes[self->at_class].file = file;
	if (self->at_holder != DMT_NO_NAME)
		self->holder_files[self->at_holder] = file;
}

static void
take_mapping_line(struct mapping *self, struct dmtrace_text text)
{
	struct dmt_mapping_line line;

	/* The members of a class that is not needed. */
	if (self->at_class == NONE && text.len > 0 && (*text.bytes == ' ' ||
	    (*text.bytes == '#' && self->at_holder == DMT_NO_NAME)))
		return;
	dmt_mapping_parse(&line, text);
	switch (line.kind) {
	case DMT_MAPPING_CLASS:
		take_class(self, &line);
		break;
	case DMT_MAPPING_METHOD:
		if (self->at_class != NONE)
			take_method(self, &line, text);
		break;
	case DMT_MAPPING_FIELD:
		keep_frame(self, false);
		break;
	case DMT_MAPPING_FILE:
		take_source_file(self, line.original);
		break;
	case DMT_MAPPING_RESIDUAL:
		if (self->at_method != NONE) {
			self->residual = line.renamed;
			copy_to_arena(self, &self->residual);
		}
		break;
	case DMT_MAPPING_OTHER:
		self->renamer.result.not_mapped_lines++;
		break;
	case DMT_MAPPING_EMPTY:
		break;
	}
}

static void
read_mapping(struct mapping *self, struct dmt_input *input)
{
	struct dmtrace_error *const error = &self->renamer.error;
	struct dmtrace_text line;
	uint64_t number = 1;
	bool cut = false;
	const uint8_t *bytes;
	const size_t len =
	    dmt_input_peek(input, DMT_OTHER_FORMAT_PROBE, &bytes);

	/* A file was unpacked; standard input was not. */
	if (dmt_packing_of_bytes(bytes, len) != NULL)
		dmt_other_format_name(error, bytes, len);
	for (; error->status == DMTRACE_OK &&
	    dmt_rename_line(input, &line, &cut); number++) {
		if (number == 1 && dmt_text_begins(line, "\xef\xbb\xbf"))
			line = (struct dmtrace_text){ line.bytes + 3,
			    line.len - 3 };
		take_mapping_line(self, line);
	}
	if (cut)
		self->renamer.result.cut_line = number;
	keep_frame(self, false);
	if (error->status == DMTRACE_OK)
		*error = input->error;
	if (error->status == DMTRACE_OK && !self->is_mapping)
		dmt_error_set(error, DMTRACE_ERR_CORRUPT, "is no mapping: it "
		    "has no line such as \"com.app.Main -> a.b:\"");
}

/* Reads the mapping again if the source file of a class that methods were moved
 * from was not found. */
static void
read_source_files(struct mapping *self, struct dmt_input *input,
    uint64_t begin)
{
	struct dmtrace_error *const error = &self->renamer.error;
	struct dmtrace_text text;
	bool lacks = false, cut;

	for (size_t i = 0; i < self->holders.count; i++)
		lacks |= self->holder_files[i].bytes == NULL;
	if (!lacks || dmt_input_rewind(input, begin) != DMTRACE_OK) {
		*error = input->error;
		return;
	}
	self->at_class = NONE;
	self->at_holder = DMT_NO_NAME;
	while (error->status == DMTRACE_OK &&
	    dmt_rename_line(input, &text, &cut)) {
		struct dmt_mapping_line line;

		if (text.len == 0 || *text.bytes == ' ' ||
		    (*text.bytes == '#' && self->at_holder == DMT_NO_NAME))
			continue;
		dmt_mapping_parse(&line, text);
		if (line.kind == DMT_MAPPING_CLASS)
			self->at_holder = find_holder(self, line.original);
		else if (line.kind == DMT_MAPPING_FILE)
			take_source_file(self, line.original);
	}
	if (error->status == DMTRACE_OK)
		*error = input->error;
}

/* A row */

/* A dmt_rename_class_fn. */
static struct dmtrace_text
original_type(void *context, struct dmtrace_text name)
{
	const struct mapping *const self = context;
	const uint32_t at = find_class(self, name);

	return at == DMT_NO_NAME || self->classes[at].original.bytes == NULL ||
	    self->classes[at].others != NONE ? name :
	    self->classes[at].original;
}

/* Returns whether the types of a candidate are those of the row, which were
 * spelled: the result, then the parameters. */
static bool
has_types(const struct mapping *self, const struct candidate *candidate)
{
	struct dmtrace_text rest = {
		self->spelled.bytes, self->spelled.len
	};
	const struct dmtrace_text *const parameters = &candidate->parameters;
	const size_t len = candidate->result.len;

	if (rest.len < len || memcmp(rest.bytes, candidate->result.bytes,
	    len) != 0)
		return false;
	rest.bytes += len;
	rest.len -= len;
	if (parameters->len == 0)
		return rest.len == 0;
	if (rest.len != parameters->len + 1 || rest.bytes[0] != ' ')
		return false;
	for (size_t i = 0; i < parameters->len; i++)
		if ((parameters->bytes[i] == ',' ? ' ' :
		    parameters->bytes[i]) != rest.bytes[i + 1])
			return false;
	return true;
}

/* If candidates have the signature of the row, leaves only these, without inner
 * frames. */
static void
choose_by_signature(struct mapping *self, const struct mapped_method *method,
    const struct dmtrace_method *row, struct choice *choice)
{
	uint32_t number = 0;
	bool any = false;

	dmt_output_clear(&self->spelled);
	const bool spelled = dmt_signature_spell(&self->spelled,
	    row->signature, original_type, self);
	for (uint32_t i = method->first; i != NONE;
	    i = self->candidates[i].next, number++) {
		const struct candidate *const candidate =
		    &self->candidates[i];
		const bool same = spelled && (candidate->residual.len > 0 ?
		    dmt_text_equal(candidate->residual, row->signature) :
		    has_types(self, candidate));

		choice->kept[number] = !candidate->inner;
		choice->same[number] = same;
		any |= same && !candidate->inner;
		choice->inner |= same && !method->too_many_inner;
	}
	choice->inner &= !any;
	for (uint32_t i = 0; i < number; i++) {
		if (!choice->inner)
			choice->same[i] &= choice->kept[i];
		if (any)
			choice->kept[i] = choice->same[i];
	}
}

/* Returns which frame of a range is the row's method, of which last is the
 * last one: see the head. NULL: none. */
static const struct line_range *
choose_frame(const struct mapping *self, const struct choice *choice,
    const struct line_range *last)
{
	const struct line_range *only = NULL;
	unsigned count = 0;

	for (uint32_t i = last->next; !choice->same[last->candidate] &&
	    i != NONE && self->ranges[i].inner; i = self->ranges[i].next) {
		if (!choice->same[self->ranges[i].candidate])
			continue;
		only = &self->ranges[i];
		count++;
	}
	return count == 1 ? only : choice->kept[last->candidate] ? last : NULL;
}

/* If ranges of candidates have the line of the row, leaves only these; if none
 * has, a single inner frame with its signature. */
static void
choose_by_line(const struct mapping *self, const struct mapped_method *method,
    const struct dmtrace_method *row, struct choice *choice)
{
	bool left[2 * CANDIDATES_MAX] = { false };
	unsigned count = 0;

	for (uint32_t i = method->ranges; row->line >= 0 && i != NONE;
	    i = self->ranges[i].next) {
		const struct line_range *const at = &self->ranges[i];

		if (at->inner || (uint32_t)row->line < at->from ||
		    (uint32_t)row->line > at->to)
			continue;
		const struct line_range *const frame =
		    choose_frame(self, choice, at);
		if (frame == NULL)
			continue;
		left[frame->candidate] = true;
		choice->range = frame;
	}
	for (uint32_t i = 0; choice->inner && i < method->count; i++)
		count += choice->same[i];
	if (choice->range != NULL)
		memcpy(choice->kept, left, sizeof(left));
	else if (count == 1)
		memcpy(choice->kept, choice->same, sizeof(choice->same));
}

/* Returns a class as the key writes it; valid until the next call. */
static struct dmtrace_text
write_class(struct mapping *self, const struct dmtrace_method *row,
    struct dmtrace_text name)
{
	const bool slashes = dmt_text_holds(row->class_name, '/') ||
	    (self->slashes && !dmt_text_holds(row->class_name, '.'));

	if (!slashes)
		return name;
	dmt_output_clear(&self->class_name);
	for (size_t i = 0; i < name.len; i++)
		dmt_output_write(&self->class_name, name.bytes[i] == '.' ?
		    "/" : &name.bytes[i], 1);
	return dmt_output_text(&self->class_name);
}

/* Gives the row the original names of its class and its types. */
static void
use_types(struct mapping *self, const struct dmtrace_method *from,
    struct dmtrace_method *row)
{
	const struct mapped_class *const found =
	    &self->classes[find_class(self, from->class_name)];

	*row = *from;
	dmt_output_clear(&self->signature);
	if (dmt_signature_rename(&self->signature, from->signature,
	    original_type, self))
		row->signature = dmt_output_text(&self->signature);
	if (found->original.bytes == NULL || found->others != NONE)
		return;
	row->class_name = write_class(self, from, found->original);
	if (found->file.len > 0 && from->file.len > 0)
		row->file = found->file;
}

/* Gives the row, of the class whose name in the release is from's, the names
 * of a candidate, and what is known of its source. */
static void
use_candidate(struct mapping *self, const struct candidate *candidate,
    const struct line_range *range, const struct dmtrace_method *from,
    struct dmtrace_method *row)
{
	const struct mapped_class *const found =
	    &self->classes[find_class(self, from->class_name)];
	const struct dmtrace_text holder = candidate->holder;
	const int32_t line = row->line;

	if (holder.len == 0 && found->others != NONE) {
		row->class_name = write_class(self, from, found->original);
		if (found->file.len > 0 && from->file.len > 0)
			row->file = found->file;
	}
	if (holder.len > 0)
		row->class_name = write_class(self, from, holder);
	if (holder.len > 0 && row->file.len > 0) {
		const struct dmtrace_text file =
		    self->holder_files[find_holder(self, holder)];

		if (file.len > 0)
			row->file = file;
		else if (!dmt_text_equal(outer_class(holder),
		    outer_class(found->original)))
			row->file = from->file;
	}
	row->name = candidate->name;
	if (candidate->residual.len > 0) {
		dmt_output_clear(&self->signature);
		dmt_signature_build(&self->signature, candidate->result,
		    candidate->parameters);
		row->signature = dmt_output_text(&self->signature);
	}
	if (range == NULL || range->original_from == DMT_MAPPING_NO_LINE)
		return;
	row->line = (int32_t)range->original_from;
	if (range->original_to != DMT_MAPPING_NO_LINE &&
	    range->original_to - range->original_from ==
	    range->to - range->from)
		row->line += line - (int32_t)range->from;
	if (row->line == 0)
		row->line = -1;		/* R8 made it, for no line */
}

/* Reports the classes of this name in the release that have no method with the
 * name of the row, which they may have left as it is. Returns how many there
 * are, also if they are not reported. */
static unsigned
note_bare_classes(struct mapping *self, const struct mapped_method *method,
    const struct dmtrace_method *from, bool report)
{
	const struct mapped_class *const found =
	    &self->classes[find_class(self, from->class_name)];
	struct dmtrace_text holder = { NULL, 0 };
	unsigned count = 0;

	for (uint32_t at = found->others;; at = self->namesakes[at].next) {
		struct dmtrace_method candidate = *from;
		bool has = false;

		if (at != NONE)
			holder = self->namesakes[at].original;
		else
			holder.len = 0;
		for (uint32_t i = method->first; i != NONE;
		    i = self->candidates[i].next)
			has |= !self->candidates[i].inner && dmt_text_equal(
			    self->candidates[i].holder, holder);
		count += !has;
		use_types(self, from, &candidate);
		candidate.class_name = write_class(self, from, at != NONE ?
		    holder : found->original);
		if (!has && report && self->renamer.report != NULL)
			self->renamer.report(self->renamer.context,
			    DMTRACE_RENAMING_CANDIDATE, from, &candidate);
		if (at == NONE)
			return count;
	}
}

/* Chooses the original method of a row, whose signature and class have their
 * original names in to. Returns what became of it. */
static enum dmtrace_renaming_state
rename_member(struct mapping *self, const struct dmtrace_method *from,
    struct dmtrace_method *to)
{
	const struct mapped_method *const method = &self->methods[
	    find_mapped(self, from->class_name, from->name)];
	struct choice choice = { .range = NULL };
	const struct candidate *only = NULL;
	uint32_t number = 0;
	const bool namesakes = self->classes[
	    find_class(self, from->class_name)].others != NONE;
	bool several = method->too_many || (namesakes &&
	    note_bare_classes(self, method, from, false) > 0);

	if (method->count == 0 && !namesakes)
		return from->name.len > 0 && from->name.bytes[0] == '<' ?
		    DMTRACE_RENAMED : DMTRACE_RENAMED_CLASS;
	choose_by_signature(self, method, from, &choice);
	choose_by_line(self, method, from, &choice);
	for (uint32_t i = method->first; i != NONE;
	    i = self->candidates[i].next, number++) {
		const struct candidate *const candidate =
		    &self->candidates[i];

		if (!choice.kept[number])
			continue;
		if (only == NULL)
			only = candidate;
		several |= !dmt_text_equal(only->name, candidate->name) ||
		    !dmt_text_equal(only->holder, candidate->holder);
	}
	if (!several) {
		use_candidate(self, only, choice.range, from, to);
		return DMTRACE_RENAMED;
	}

	/* The name of the release stays; the others are reported. */
	number = 0;
	for (uint32_t i = method->first; i != NONE;
	    i = self->candidates[i].next, number++) {
		struct dmtrace_method candidate = *from;

		if (!choice.kept[number])
			continue;
		use_types(self, from, &candidate);
		use_candidate(self, &self->candidates[i], NULL, from,
		    &candidate);
		if (self->renamer.report != NULL)
			self->renamer.report(self->renamer.context,
			    DMTRACE_RENAMING_CANDIDATE, from, &candidate);
	}
	if (namesakes)
		note_bare_classes(self, method, from, true);
	use_types(self, from, to);
	return DMTRACE_RENAMING_AMBIGUOUS;
}

static bool
rename_mapped(void *context, size_t index, struct dmtrace_method *row)
{
	struct mapping *const self = context;
	const struct dmtrace_method from = *row;
	const uint32_t at = find_class(self, row->class_name);
	const struct mapped_class *const found = &self->classes[at];
	enum dmtrace_renaming_state state = DMTRACE_RENAMING_UNMAPPED;

	(void)index;
	use_types(self, &from, row);
	if (found->original.bytes != NULL)
		state = rename_member(self, &from, row);
	if (self->signature.error.status != DMTRACE_OK ||
	    self->spelled.error.status != DMTRACE_OK ||
	    self->class_name.error.status != DMTRACE_OK)
		dmt_error_memory(&self->renamer.error);
	dmt_renamer_note(&self->renamer, state, &from, row);
	return true;
}

struct dmt_renamer *
dmt_mapping_new(const struct dmtrace_key *key, struct dmt_input *input,
    struct dmtrace_error *error)
{
	struct mapping *const self = calloc(1, sizeof(*self));

	if (self == NULL) {
		dmt_error_memory(error);
		return NULL;
	}
	self->key = key;
	self->class_names.dots = true;
	self->method_names.dots = true;
	self->at_class = NONE;
	self->at_holder = DMT_NO_NAME;
	self->at_method = NONE;
	self->renamer.rules = (struct dmt_key_rules){
		.method = rename_mapped, .context = self,
		.form = DMT_KEY_LINES
	};
	const uint64_t begin = input->offset;
	if (dmt_input_hold(input) != DMTRACE_OK)
		self->renamer.error = input->error;
	else
		collect_names(self);
	if (self->renamer.error.status == DMTRACE_OK)
		read_mapping(self, input);
	if (self->renamer.error.status == DMTRACE_OK)
		read_source_files(self, input, begin);
	if (self->renamer.error.status == DMTRACE_OK)
		return &self->renamer;
	*error = self->renamer.error;
	dmt_mapping_free(&self->renamer);
	return NULL;
}

void
dmt_mapping_free(struct dmt_renamer *renamer)
{
	struct mapping *const self = (struct mapping *)renamer;

	dmt_name_table_fini(&self->class_names);
	dmt_name_table_fini(&self->method_names);
	dmt_name_table_fini(&self->holders);
	free(self->holder_files);
	free(self->classes);
	free(self->namesakes);
	free(self->methods);
	free(self->candidates);
	free(self->ranges);
	free(self->pending_text);
	dmt_arena_fini(&self->arena);
	dmt_output_fini(&self->signature);
	dmt_output_fini(&self->spelled);
	dmt_output_fini(&self->class_name);
	free(self);
}
