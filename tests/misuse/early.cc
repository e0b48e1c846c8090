// early.cc - recording that begins before main, and goes on after it
//
// The order in which objects are constructed is that of the linker.

#include "misuse.h"

struct recorded {
	recorded()
	{
		OK(dmtrace_start("early.trace", NULL));
		DMTRACE_SCOPE("constructor");
	}

	~recorded()
	{
		DMTRACE_SCOPE("destructor");
	}
};

static recorded before_main;

static void
at_exit()
{
	DMTRACE_SCOPE("at_exit");
}

static void
records_constructors_and_destructors()
{
	DMTRACE_SCOPE("main");
	HOLDS(dmtrace_is_recording());
	HOLDS(atexit(at_exit) == 0);
}

static const struct misuse cases[] = {
	CASE(records_constructors_and_destructors)
};

MISUSE_MAIN(cases)
