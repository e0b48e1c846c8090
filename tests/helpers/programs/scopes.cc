// scopes.cc - calls that end by return, loop, goto and exception
#include <dmtrace.h>

#include <stdexcept>

static int
early(int n)
{
	DMTRACE_SCOPE("early");
	if (n > 0)
		return n;
	DMTRACE_SCOPE("late");
	return 0;
}

static void
throws(int depth)
{
	DMTRACE_FUNCTION();
	if (depth == 0)
		throw std::runtime_error("thrown");
	throws(depth - 1);
}

static int
catches()
{
	DMTRACE_FUNCTION();
	try {
		throws(1);
	} catch (const std::exception &) {
		DMTRACE_SCOPE("handler");
		return 1;
	}
	return 0;
}

struct member {
	void method() const
	{
		DMTRACE_FUNCTION();
	}
};

int
main(int, char **argv)
{
	early(1);		// nothing is recorded yet
	if (dmtrace_start(argv[1], NULL) != DMTRACE_OK)
		return 1;
	early(1);
	early(0);
	{ DMTRACE_SCOPE("one"); DMTRACE_SCOPE("two"); }
	catches();
	for (int i = 0; i < 2; i++) {
		DMTRACE_SCOPE("turn");
		if (i == 0)
			continue;
		member().method();
	}
	{
		DMTRACE_SCOPE("outer");
		DMTRACE_SCOPE("inner");
		[] { DMTRACE_SCOPE("lambda"); }();
	}
	return dmtrace_stop(NULL) == DMTRACE_OK ? 0 : 1;
}
