/* invent.c - invents names of threads and methods for generated traces */

/*
 * A class name consists of a package, a subject and a role, a method name of a
 * verb and a subject; all are taken from tables. The number of combinations is
 * a power of two, and the n-th name is combination n times an odd number,
 * modulo their number: so all combinations are used before any is repeated,
 * and consecutive names look different. Ids rise by the size of a virtual
 * machine's struct, with gaps between classes. The seed determines where the
 * names begin, the parameters, the gaps and the line numbers.
 */

#include "ops/invent.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "private/text.h"

/* The sizes of the four tables below. All are powers of two, so that an odd
 * multiplier visits every combination once. */
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

/* Names of threads that get a number. */
static const char *const crews[] = {
	"Binder_", "AsyncTask #", "pool-1-thread-", "Thread-", "Loader-",
	"RefQueueWorker@", "HttpClient-", "decoder ",
};

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

enum {
	FIRST_ID = 0x20008000,
	ID_STEP = 52,			/* bytes of Dalvik's struct Method */
	GAP_MAX = 4,			/* steps between classes, 1 at least */
	CLASS_MIN = 4,			/* methods per class, at least */
	CLASS_MAX = 15
};

/* The ids of DMT_INVENT_METHODS_MAX methods stay below 2^31, as a class of
 * CLASS_MIN methods takes at most (CLASS_MIN + GAP_MAX) * ID_STEP bytes. */

/* What apps run in, by DMT_APP_*. */
struct dmt_app_method {
	const char *class_name, *name, *signature;
};

static const struct dmt_app_method app_methods[DMT_APP_METHODS] = {
	{ "com/brindlemoor/app/Main", "main", "([Ljava/lang/String;)V" },
	{ "org/quillfen/loop/MessageLoop", "run", "()V" },
	{ "org/quillfen/loop/MessageList", "waitForNext",
	  "()Lorg/quillfen/loop/LoopMessage;" },
	{ "org/quillfen/loop/MessageLoop", "deliver",
	  "(Lorg/quillfen/loop/LoopMessage;)V" },
	{ "com/brindlemoor/app/AppHandler", "onMessage",
	  "(Lorg/quillfen/loop/LoopMessage;)V" },
	{ "org/quillfen/screen/FrameClock", "onFrame", "(J)V" },
	{ "org/quillfen/screen/Screen", "handleInput", "(J)V" },
	{ "org/quillfen/screen/Screen", "animate", "(J)V" },
	{ "org/quillfen/screen/Screen", "updateViews", "()V" },
	{ "org/quillfen/screen/RootView", "measure", "(II)V" },
	{ "org/quillfen/screen/RootView", "layout", "(IIII)V" },
	{ "org/quillfen/screen/RootView", "draw",
	  "(Lorg/quillfen/graphics/Canvas;)V" },
	{ "org/quillfen/ipc/Port", "answerCall", "(IJJ)Z" },
	{ "com/brindlemoor/app/AppPort", "onCall", "(IJJ)Z" },
	{ "org/quillfen/work/Worker", "run", "()V" },
	{ "org/quillfen/work/TaskList", "waitForTask",
	  "()Ljava/lang/Runnable;" },
	{ "com/brindlemoor/app/sync/SyncTask", "run", "()V" },
};

/* Every kind of character that the format allows in all names. None of these
 * begins like the rest of an ordinary name, so names stay different. */
static const char *const odd_ends[] = {
	" two words", " \"quoted\"", "'s", "<&amp;>", "; x", "$1$a", "-", "#",
	"*end", "\\t\\", "%s%n", "(I)V", "[]{}", "=1", ",2", "|3", ":4",
	"\x01\x1b[31m\x7f!",		/* control characters */
	"\xc3\xa9", "\xce\xbb$1",	/* UTF-8 of 2 bytes, */
	"\xe2\x82\xac", "\xe6\x97\xa5\xe6\x9c\xac",	/* 3 */
	"\xf0\x9f\x98\x80",		/* and 4 */
	"\xed\xa0\xbd\xed\xb8\x80",	/* modified UTF-8: a pair, */
	"\xc0\x80",			/* and NUL */
	"_\xe9t\xe9",			/* Latin-1 */
	"\xe2\x80\xae" "rtl", "\xe2\x80\x8b", "\xc2\xa0x",
	"\xef\xbb\xbf", "e\xcc\x81",
	"_a_name_that_is_longer_than_any_line_of_a_terminal_or_a_printed_page_"
	"and_longer_than_what_readers_with_a_fixed_buffer_expect_to_find_here_"
	"and_still_is_nothing_that_a_compiler_or_a_virtual_machine_refuses"
};

void
dmt_invent_init(struct dmt_invention *invention, uint64_t seed, bool app,
    bool odd)
{
	*invention = (struct dmt_invention){
		.random.state = seed,
		.odd = odd,
		.app = app ? app_methods : NULL
	};
	invention->seed = (uint32_t)dmt_random_next(&invention->random);
	invention->method.id = FIRST_ID;
}

static void
append_string(char *out, size_t size, const char *string)
{
	const size_t used = strlen(out);

	snprintf(out + used, size - used, "%s", string);
}

static void
append_odd(char *out, size_t size, uint32_t number)
{
	append_string(out, size, odd_ends[number % ROWS(odd_ends)]);
}

const struct dmtrace_method *
dmt_invent_method(struct dmt_invention *invention)
{
	struct dmtrace_method *const method = &invention->method;
	struct dmt_random *const random = &invention->random;
	const bool constructor = invention->methods_left == 0;
	char *const signature = invention->signature;
	const size_t size = sizeof(invention->signature);

	/* A class begins with its constructor. */
	if (constructor) {
		const uint32_t number = invention->classes++;
		const uint32_t which =
		    (number * 0x9e5u + invention->seed) % CLASSES;
		const char *const subject =
		    subjects[which / ROLES % SUBJECTS];
		const char *const role = roles[which % ROLES];
		char inner[16] = "";

		if (number >= CLASSES)
			snprintf(inner, sizeof(inner), "$%u",
			    (unsigned)(number / CLASSES));
		snprintf(invention->class_name, sizeof(invention->class_name),
		    "%s/%s%s%s", packages[which / ROLES / SUBJECTS], subject,
		    role, inner);
		snprintf(invention->file, sizeof(invention->file),
		    "%s%s.java", subject, role);
		invention->methods_left = CLASS_MIN +
		    dmt_random_below(random, CLASS_MAX - CLASS_MIN + 1);
		method->id += ID_STEP *
		    (uint64_t)dmt_random_below(random, GAP_MAX + 1);
		method->line = 12;
	}
	invention->methods_left--;

	/* The name: a verb and a subject. */
	const uint32_t which = invention->method_number++ * 0x279u % NAMES;
	if (constructor)
		snprintf(invention->name, sizeof(invention->name), "<init>");
	else
		snprintf(invention->name, sizeof(invention->name), "%s%s",
		    verbs[which / SUBJECTS], subjects[which % SUBJECTS]);

	/* Up to five parameters; half of the methods return a value,
	 * constructors never do. */
	snprintf(signature, size, "(");
	for (uint32_t left = dmt_random_below(random, 6); left > 0; left--)
		append_string(signature, size,
		    types[dmt_random_below(random, ROWS(types))]);
	append_string(signature, size, ")");
	append_string(signature, size,
	    constructor || dmt_random_below(random, 2) == 0 ? "V" :
	    types[dmt_random_below(random, ROWS(types))]);

	/* A method of the framework has its number instead. */
	const uint32_t number = invention->method_number - 1;
	if (invention->app != NULL && number < DMT_APP_METHODS) {
		const struct dmt_app_method *const app =
		    &invention->app[number];
		const char *const simple = strrchr(app->class_name, '/') + 1;

		snprintf(invention->class_name, sizeof(invention->class_name),
		    "%s", app->class_name);
		snprintf(invention->name, sizeof(invention->name), "%s",
		    app->name);
		snprintf(signature, size, "%s", app->signature);
		snprintf(invention->file, sizeof(invention->file), "%s.java",
		    simple);
		/* The next class is one of its own. */
		invention->methods_left = number + 1 == DMT_APP_METHODS ? 0 :
		    1;
	}
	if (invention->odd) {
		append_odd(invention->name, sizeof(invention->name), number);
		if (constructor) {
			append_odd(invention->class_name,
			    sizeof(invention->class_name),
			    invention->classes);
			append_odd(invention->file, sizeof(invention->file),
			    invention->classes + 1);
		}
	}

	method->id += ID_STEP;
	method->line += 3 + (int32_t)dmt_random_below(random, 40);
	method->class_name = dmt_text_of(invention->class_name);
	method->name = dmt_text_of(invention->name);
	method->signature = dmt_text_of(signature);
	method->file = dmt_text_of(invention->file);
	return method;
}

size_t
dmt_invent_thread(char *out, size_t size, uint32_t index, bool odd)
{
	if (index == 0)
		return (size_t)snprintf(out, size, "main");
	snprintf(out, size, "%s%u", crews[(index - 1) % ROWS(crews)],
	    (unsigned)((index - 1) / ROWS(crews) + 1));
	if (odd)
		append_odd(out, size, index - 1);
	return strlen(out);
}
