/* invent.c - names of threads and methods for generated traces */

/*
 * A class has a package, a subject and a role, a method a verb and a subject;
 * all come from tables. The n-th name is the n-th number times an odd one,
 * modulo the number of combinations, which is a power of two: so each comes
 * once before any comes again, and neighbours look different. Ids rise by the
 * size of a VM's struct, with gaps between classes. The seed decides where the
 * names begin, the parameters, the gaps and the lines.
 */

#include "ops/invent.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The four tables below have these sizes; all are powers of two, so that an
 * odd multiplier visits every combination once. */
enum {
	PACKAGES = 32,
	SUBJECTS = 32,
	ROLES = 16,
	VERBS = 32,
	CLASSES = PACKAGES * SUBJECTS * ROLES,
	NAMES = VERBS * SUBJECTS
};

static const char *const packages[PACKAGES] = {
	"com/brindlemoor/app", "com/brindlemoor/app/ui",
	"com/brindlemoor/app/data", "com/brindlemoor/app/sync",
	"com/brindlemoor/app/ui/widget", "com/brindlemoor/core",
	"com/brindlemoor/core/io", "com/brindlemoor/core/text",
	"com/brindlemoor/net", "com/brindlemoor/net/http",
	"com/brindlemoor/util", "com/brindlemoor/util/concurrent",
	"org/quillfen/graphics", "org/quillfen/graphics/font",
	"org/quillfen/layout", "org/quillfen/layout/flow",
	"org/quillfen/parse", "org/quillfen/parse/xml",
	"org/quillfen/parse/json", "org/quillfen/store",
	"org/quillfen/store/sql", "org/quillfen/store/blob",
	"net/tarnwick/audio", "net/tarnwick/audio/codec",
	"net/tarnwick/game", "net/tarnwick/game/physics",
	"net/tarnwick/game/scene", "net/tarnwick/input",
	"io/umberlow/map", "io/umberlow/map/tile",
	"io/umberlow/geo", "io/umberlow/a",
};

static const char *const subjects[SUBJECTS] = {
	"Account", "Animation", "Bitmap", "Buffer", "Cache", "Channel",
	"Column", "Cursor", "Document", "Event", "Frame", "Glyph", "Header",
	"Image", "Item", "Layer", "Message", "Node", "Packet", "Page", "Path",
	"Preference", "Query", "Region", "Request", "Route", "Session",
	"Shader", "Tile", "Token", "Transaction", "View",
};

static const char *const roles[ROLES] = {
	"", "Adapter", "Builder", "Controller", "Factory", "Handler", "Helper",
	"Impl", "List", "Loader", "Manager", "Parser", "Provider", "Service",
	"Task", "Util",
};

static const char *const verbs[VERBS] = {
	"add", "apply", "bind", "check", "clear", "close", "compute", "create",
	"decode", "dispatch", "draw", "encode", "ensure", "find", "flush",
	"get", "handle", "has", "invalidate", "is", "load", "measure",
	"notify", "on", "open", "parse", "read", "release", "remove", "set",
	"update", "write",
};

static const char *const types[] = {
	"I", "I", "I", "J", "Z", "F", "B", "[B", "[I", "Ljava/lang/String;",
	"Ljava/lang/String;", "Ljava/lang/Object;", "Ljava/util/List;",
	"Ljava/util/Map;", "Ljava/io/InputStream;", "[Ljava/lang/String;",
};

/* Threads that come in numbers. */
static const char *const crews[] = {
	"Binder_", "AsyncTask #", "pool-1-thread-", "Thread-", "Loader-",
	"RefQueueWorker@", "HttpClient-", "decoder ",
};

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

enum {
	FIRST_ID = 0x20008000,
	ID_STEP = 52,			/* size of Dalvik's struct Method */
	GAP_MAX = 4,			/* steps between classes, at least 1 */
	CLASS_MIN = 4,			/* methods of a class */
	CLASS_MAX = 15
};

/* The ids of DMT_INVENT_METHODS_MAX methods stay below 2^31, since a class
 * takes at most (CLASS_MIN + GAP_MAX) * ID_STEP bytes for CLASS_MIN. */

void
dmt_invent_init(struct dmt_invention *invention, uint64_t seed)
{
	*invention = (struct dmt_invention){ .random.state = seed };
	invention->seed = (uint32_t)dmt_random_next(&invention->random);
	invention->method.id = FIRST_ID;
}

static struct dmtrace_text
invent_text(const char *string)
{
	return (struct dmtrace_text){ string, strlen(string) };
}

static void
name_class(struct dmt_invention *invention)
{
	const uint32_t number = invention->classes++;
	const uint32_t which = (number * 0x9e5u + invention->seed) % CLASSES;
	const char *const package = packages[which / ROLES / SUBJECTS];
	const char *const subject = subjects[which / ROLES % SUBJECTS];
	const char *const role = roles[which % ROLES];
	char inner[16] = "";

	if (number >= CLASSES)
		snprintf(inner, sizeof(inner), "$%u",
		    (unsigned)(number / CLASSES));
	snprintf(invention->class_name, sizeof(invention->class_name),
	    "%s/%s%s%s", package, subject, role, inner);
	snprintf(invention->file, sizeof(invention->file), "%s%s.java",
	    subject, role);
}

/* The constructor first, then a verb and what it is done to. */
static void
invent_method_name(struct dmt_invention *invention, bool constructor)
{
	const uint32_t which = invention->method_number++ * 0x279u % NAMES;

	if (constructor)
		snprintf(invention->name, sizeof(invention->name), "<init>");
	else
		snprintf(invention->name, sizeof(invention->name), "%s%s",
		    verbs[which / SUBJECTS], subjects[which % SUBJECTS]);
}

static void
append_word(char *out, size_t size, const char *string)
{
	const size_t used = strlen(out);

	snprintf(out + used, size - used, "%s", string);
}

static const char *
any_type(struct dmt_invention *invention)
{
	return types[dmt_random_below(&invention->random, ROWS(types))];
}

/* Up to five parameters; half of what is no constructor gives something. */
static void
sign_method(struct dmt_invention *invention, bool constructor)
{
	char *const out = invention->signature;
	const size_t size = sizeof(invention->signature);
	uint32_t parameters = dmt_random_below(&invention->random, 6);

	snprintf(out, size, "(");
	while (parameters-- > 0)
		append_word(out, size, any_type(invention));
	append_word(out, size, ")");
	if (constructor || dmt_random_below(&invention->random, 2) == 0)
		append_word(out, size, "V");
	else
		append_word(out, size, any_type(invention));
}

static void
begin_class(struct dmt_invention *invention)
{
	struct dmt_random *const random = &invention->random;

	name_class(invention);
	invention->methods_left = CLASS_MIN +
	    dmt_random_below(random, CLASS_MAX - CLASS_MIN + 1);
	invention->method.id +=
	    ID_STEP * (uint64_t)dmt_random_below(random, GAP_MAX + 1);
	invention->method.line = 12;
}

const struct dmtrace_method *
dmt_invent_method(struct dmt_invention *invention)
{
	struct dmtrace_method *const method = &invention->method;
	const bool constructor = invention->methods_left == 0;

	if (constructor)
		begin_class(invention);
	invention->methods_left--;
	invent_method_name(invention, constructor);
	sign_method(invention, constructor);
	method->id += ID_STEP;
	method->line += 3 + (int32_t)dmt_random_below(&invention->random, 40);
	method->class_name = invent_text(invention->class_name);
	method->name = invent_text(invention->name);
	method->signature = invent_text(invention->signature);
	method->file = invent_text(invention->file);
	return method;
}

size_t
dmt_invent_thread(char *out, size_t size, uint32_t index)
{
	if (index == 0)
		return (size_t)snprintf(out, size, "main");
	return (size_t)snprintf(out, size, "%s%u",
	    crews[(index - 1) % ROWS(crews)],
	    (unsigned)((index - 1) / ROWS(crews) + 1));
}
