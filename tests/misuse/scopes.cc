// scopes.cc - scopes of C++ that are left in ways a program may not think of

#include "misuse.h"

#include <exception>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

struct throws_at_end {
	~throws_at_end() noexcept(false)
	{
		DMTRACE_SCOPE("throwing");
		if (!std::uncaught_exception())
			throw std::runtime_error("at the end");
	}
};

static void
nest(int depth)
{
	DMTRACE_FUNCTION();
	throws_at_end object;
	if (depth > 0)
		nest(depth - 1);
}

// Scopes that an exception of a destructor leaves.
static void
ends_scopes_by_an_exception_of_a_destructor()
{
	struct dmtrace_recorder_result result;

	OK(dmtrace_start("x.trace", NULL));
	try {
		nest(5);
		HOLDS(false);
	} catch (const std::runtime_error &) {
		DMTRACE_SCOPE("handler");
	}
	OK(dmtrace_stop(&result));
	HOLDS(result.closed == 0 && result.mismatched == 0);
	HOLDS(result.events == 2 * (6 + 6 + 1));
	HOLDS(events_of("x.trace") == 26);
}

// An exception that another thread throws again.
static void
ends_scopes_by_an_exception_of_another_thread()
{
	struct dmtrace_recorder_result result;
	std::exception_ptr thrown;

	OK(dmtrace_start("x.trace", NULL));
	std::thread([&thrown] {
		DMTRACE_SCOPE("first");
		try {
			DMTRACE_SCOPE("inner");
			throw std::bad_alloc();
		} catch (...) {
			thrown = std::current_exception();
		}
	}).join();
	std::thread([&thrown] {
		try {
			DMTRACE_SCOPE("second");
			std::rethrow_exception(thrown);
		} catch (const std::bad_alloc &) {
		}
	}).join();
	OK(dmtrace_stop(&result));
	HOLDS(result.events == 6 && result.closed == 0);
	HOLDS(result.threads == 2);
}

// Destructors of a thread's own objects run while it ends.
struct of_thread {
	~of_thread()
	{
		DMTRACE_SCOPE("thread_local");
	}
	int used;
};

static thread_local of_thread object_of_thread;

static void
records_destructors_of_thread_local_objects()
{
	struct dmtrace_recorder_result result;
	std::vector<std::thread> threads;

	OK(dmtrace_start("x.trace", NULL));
	for (int i = 0; i < 8; i++)
		threads.emplace_back([] {
			object_of_thread.used = 1;
			DMTRACE_SCOPE("thread");
		});
	for (std::thread &thread : threads)
		thread.join();
	OK(dmtrace_stop(&result));
	HOLDS(result.events == 8 * 4 && result.closed == 0);
}

// A stop within a scope ends its call; that it is left in the next recording is
// counted.
static void
stops_and_starts_within_a_scope()
{
	struct dmtrace_recorder_result result;

	OK(dmtrace_start("x.trace", NULL));
	{
		DMTRACE_SCOPE("around");
		OK(dmtrace_stop(&result));
		HOLDS(result.closed == 1);
		OK(dmtrace_start("y.trace", NULL));
	}
	OK(dmtrace_stop(&result));
	HOLDS(result.mismatched == 1 && result.refused == 0);
	HOLDS(events_of("y.trace") == 0);
}

// An exception that nobody catches: no trace, and no other file.
static void
leaves_no_file_when_it_terminates()
{
	OK(dmtrace_start("x.trace", NULL));
	std::set_terminate([] { _exit(file_count() == 0 ? 0 : 1); });
	DMTRACE_SCOPE("terminated");
	throw 5;
}

// Options as the manual has them for C++.
static void
takes_options_that_begin_with_braces()
{
	struct dmtrace_select_options options = {};
	const char *const methods[] = { "a.b", NULL };
	struct dmtrace_event event;

	options.methods = methods;
	make_trace("x.trace");
	dmtrace_reader *const reader = dmtrace_reader_new();
	OK(dmtrace_reader_open_path(reader, "x.trace"));
	dmtrace_source *const source =
	    dmtrace_select(dmtrace_source_new(reader), &options);
	OK(dmtrace_source_next(source, &event));
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
}

static const struct misuse cases[] = {
	CASE(ends_scopes_by_an_exception_of_a_destructor),
	CASE(ends_scopes_by_an_exception_of_another_thread),
	CASE(records_destructors_of_thread_local_objects),
	CASE(stops_and_starts_within_a_scope),
	CASE(leaves_no_file_when_it_terminates),
	CASE(takes_options_that_begin_with_braces)
};

MISUSE_MAIN(cases)
