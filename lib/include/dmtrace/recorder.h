/* dmtrace/recorder.h - make traces in the program that is being traced */
#ifndef DMTRACE_RECORDER_H
#define DMTRACE_RECORDER_H

#include <dmtrace/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A recorder takes events from any number of threads and writes a trace; after
 * a stop it can be started again. NULL is the default recorder, which always
 * exists and is never freed. All calls are thread-safe, except free.
 *
 * Functions that record an event, and those that name a thread or a method for
 * it, return no status. Such a call with NULL, or with an invalid handle or
 * key, is refused and counted, and the next stop returns a failure whose
 * message names the first such call. While nothing is recorded, events do
 * nothing, so that the calls may stay in a program that is not traced.
 *
 * Events may be recorded in signal handlers. An event that interrupts another
 * event of its thread is dropped and counted. Recording an event takes no lock
 * and allocates no memory, except the first event of a thread, an event that
 * finds its buffer full, and one that is later than its file can hold; those
 * map pages, without malloc (which glibc calls in the first one if the program
 * has 32 keys of pthread_key_create). The functions name and want of the
 * options are called then, too.
 *
 * If a clock is set back, the times of a thread stay as they are until it is
 * later again; that is not counted.
 *
 * A handler may leave by siglongjmp. If it interrupted an event, the thread
 * records nothing until the next start: its events are dropped and counted. A
 * stop does not wait for it.
 *
 * The default recorder is stopped when the process exits, by exit or by a
 * return from main, after all other destructors. A recorder of
 * dmtrace_recorder_new must be stopped by its owner. _exit, quick_exit, abort,
 * signals and the exec functions stop no recorder: what was written until then
 * remains (journal, streaming).
 */
struct dmtrace_recorder;

/* What to do when the buffers are full. */
enum dmtrace_recorder_full {
	DMTRACE_FULL_FLUSH = 0,		/* write the events to the file */
	DMTRACE_FULL_STOP = 1,		/* end recording, as on Android */
	DMTRACE_FULL_RING = 2		/* drop the oldest events */
};

/* What to do with an exit of a method that is not the innermost open one. */
enum dmtrace_recorder_mismatch {
	DMTRACE_MISMATCH_REPAIR = 0,	/* close the calls inside it, too; drop
					   it if its method is not open */
	DMTRACE_MISMATCH_ERROR = 1,	/* drop it; stop returns an error */
	DMTRACE_MISMATCH_AS_IS = 2	/* write it */
};

/* Why recording ended by itself. Later events are dropped and counted, a sample
 * as one, until the recorder is stopped. */
enum dmtrace_recorder_end {
	DMTRACE_RECORDER_FULL = 1,	/* memory, see DMTRACE_FULL_STOP */
	DMTRACE_RECORDER_FAILED = 2,	/* the file could not be written */
	DMTRACE_RECORDER_TIMEOUT = 3	/* max_time_us has passed */
};

/* What is known of a method. All but name may be NULL: without a class it is
 * in "native", which reports leave out, without a signature its signature is
 * "()V", without a file, or with DMTRACE_NO_LINE, it has no line. */
struct dmtrace_recorder_method {
	const char *class_name;
	const char *name;
	const char *signature;
	const char *file;
	int32_t line;
};

/*
 * Describes the method of a key of the program's own. The strings must live
 * until the next call. Returns 0 if the key is unknown: then its number is its
 * name. It must not call a recorder: a call is refused, with DMTRACE_ERR_STATE
 * if it returns a status. Signals are blocked. A child that it forks must call
 * exec or _exit.
 */
typedef int
dmtrace_recorder_name_fn(void *context, uint64_t key,
    struct dmtrace_recorder_method *method);

/* Returns 1 to record the events of a key, otherwise 0. It is asked at its
 * first event, perhaps by several threads at once, and must return the same
 * each time. If it cannot decide now, as in a signal handler, it returns -1:
 * the event is dropped and counted, and it is asked again at the next one. */
typedef int
dmtrace_recorder_want_fn(void *context, uint64_t key);

/*
 * Called when recording has ended by itself, by the thread whose event noticed
 * it. dmtrace_recorder_stop must still be called, but not by this function,
 * which must keep to what is said of dmtrace_recorder_name_fn.
 */
typedef void
dmtrace_recorder_ended_fn(void *context, enum dmtrace_recorder_end why);

struct dmtrace_recorder_options {
	unsigned version;		/* 1 to 3; 0: 3 for DUAL, else 2. Events
					   of more than 255 threads in version
					   1, else 65,535, are dropped */
	enum dmtrace_clock clock;	/* 0: WALL; THREAD_CPU and DUAL make a
					   system call for each event, 400 to
					   550 ns */
	enum dmtrace_recorder_full full;
	enum dmtrace_recorder_mismatch mismatch;
	size_t buffer_size;		/* bytes per thread; 0: 256 KiB */
	size_t memory_limit;		/* bytes of all buffers, at least
					   buffer_size; 0: 64 MiB */
	uint32_t max_keys;		/* keys of the program's own, with those
					   that were forgotten; 0: 65,536 */
	uint32_t max_depth;		/* open frames of a thread; 0:
					   131,072 */
	uint64_t max_time_us;		/* of one file; at most 2^32 - 1, the
					   default */
	int no_rotate;			/* end recording then; 0: go on in
					   NAME-0002.trace */
	int journal;			/* what was written survives SIGKILL */
	int streaming;			/* write an ART stream: it can be read
					   while it grows, survives SIGKILL,
					   and has version 2, or 3 for DUAL */
	int escape;			/* write names that the format cannot
					   hold with \t \n \r \\ \xNN; 0:
					   dmtrace_recorder_intern refuses
					   them. Those of keys are always
					   written so */
	int system_clock;		/* never read the CPU's counter */
	const char *vm;			/* the key's vm, 1 to 31 bytes without
					   '=', TAB, LF and CR; NULL: "art" */
	dmtrace_recorder_name_fn *name;
	dmtrace_recorder_want_fn *want;
	dmtrace_recorder_ended_fn *ended;
	void *context;			/* of these three */
};

/* What was recorded since the start, over all files. */
struct dmtrace_recorder_result {
	uint64_t events;		/* written */
	uint64_t dropped;		/* option dmtrace-dropped */
	uint64_t closed;		/* frames open at a stop or a rotation,
					   the last records: dmtrace-closed;
					   or at the end of their thread:
					   dmtrace-recorder-closed */
	uint64_t mismatched;		/* exits, see the policy: option
					   dmtrace-mismatched */
	uint64_t stepped_back;		/* times of the caller's own, lower than
					   the thread's last: taken as that,
					   option dmtrace-stepped-back */
	uint64_t refused;		/* calls that return no status; error
					   names the first one */
	uint32_t threads;
	uint32_t methods;
	uint32_t files;			/* more than 1: rotated */
	enum dmtrace_recorder_end ended;	/* by itself; 0: it did not */
	struct dmtrace_error error;	/* what stop returns, and why */
};

/* Makes a recorder. NULL: no memory. */
DMTRACE_API struct dmtrace_recorder *
dmtrace_recorder_new(void);

/* Frees a recorder; stops it first if it is recording. NULL is allowed. */
DMTRACE_API void
dmtrace_recorder_free(struct dmtrace_recorder *recorder);

/*
 * Starts recording to path: a pair if it ends in ".key" or ".data", else a
 * joined file. options are copied; NULL: those of the start before, at first
 * the defaults.
 *
 * No file is created by the start; it checks that this is possible. The data
 * file is created when a buffer is first written to it, or at stop, and
 * replaces an old file then; the key is written at stop, or with journal
 * together with the data. A joined file is written as PATH.data, with a journal
 * beside PATH.key, and gets its name at stop. The records of a large one stay
 * where they are, and the key before them is padded (see dmtrace(5)); those of
 * a small one are copied after the key. A process that is killed before its
 * first write leaves no file, and an old one as it was.
 *
 * With streaming there is one file, created when a buffer is first written.
 * Each write ends with a whole record, and the names that the records need are
 * before them, so that the file can be read while it grows; stop adds a
 * summary. A stream has no line numbers of methods, as in ART. If the program
 * is killed, the file holds what was written.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE  it is recording, or was not stopped; another recorder
 *                      of the process is recording to that file; path is NULL;
 *                      or a function of the options has called this
 *   DMTRACE_ERR_RANGE  options: a version without room for the clock,
 *                      streaming with another version or a journal, a number
 *                      that is too small or too large, max_keys different from
 *                      an earlier start's, a vm that no option line can hold;
 *                      or streaming to a half of a pair
 *   DMTRACE_ERR_IO     a file cannot be made; later failures, as of a full
 *                      disk, are returned by stop
 *   DMTRACE_ERR_LIMIT  the process has no pthread key left
 */
DMTRACE_API enum dmtrace_status
dmtrace_recorder_start(struct dmtrace_recorder *recorder, const char *path,
    const struct dmtrace_recorder_options *options);

/*
 * Waits for events that are being recorded, closes open calls, and writes the
 * key. *result, unless result is NULL, is set unless DMTRACE_ERR_STATE is
 * returned.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE    it was not started; or a function of the options has
 *                        called this
 *   DMTRACE_ERR_IO       something could not be written, and the rest remains;
 *                        or another program has replaced or removed the file
 *   DMTRACE_ERR_CORRUPT  exits did not match, with DMTRACE_MISMATCH_ERROR;
 *                        the trace is complete
 *   DMTRACE_ERR_RANGE    a call that returns no status was refused since the
 *                        last stop; the trace is complete without it
 */
DMTRACE_API enum dmtrace_status
dmtrace_recorder_stop(struct dmtrace_recorder *recorder,
    struct dmtrace_recorder_result *result);

/* Why the last start, stop or intern failed; if it did not, the first failure
 * since the start. Lives until the next of these calls, by whichever thread. */
DMTRACE_API const struct dmtrace_error *
dmtrace_recorder_error(const struct dmtrace_recorder *recorder);

/*
 * Sets *method to the handle of a method: the same one for the same
 * description, as long as the recorder exists. Not for signal handlers.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_LIMIT (2^28 methods),
 * DMTRACE_ERR_STATE (an argument is NULL), or
 *   DMTRACE_ERR_RANGE  no name or an empty one; or, unless escape is set, a
 *                      string that the format cannot hold: with TAB, LF or
 *                      CR, or without a file a number as signature
 */
DMTRACE_API enum dmtrace_status
dmtrace_recorder_intern(struct dmtrace_recorder *recorder,
    const struct dmtrace_recorder_method *described,
    uint32_t *method);

/* Names the calling thread in traces, in place of the name that the system
 * has for it. The name is cut to 63 bytes; control bytes, '\' and what is not
 * UTF-8 are written with \t \n \r \\ \xNN. */
DMTRACE_API void
dmtrace_recorder_name_thread(struct dmtrace_recorder *recorder,
    const char *name);

/* Record an event of the calling thread, at the time of the recorder's clock.
 * method is a handle that dmtrace_recorder_intern returned for this recorder;
 * an event of another one is refused, and counted as dropped, too. */
DMTRACE_API void
dmtrace_recorder_enter(struct dmtrace_recorder *recorder, uint32_t method);
DMTRACE_API void
dmtrace_recorder_exit(struct dmtrace_recorder *recorder, uint32_t method);
DMTRACE_API void
dmtrace_recorder_unroll(struct dmtrace_recorder *recorder, uint32_t method);

/* The same for a method with a key of the program's own, such as an address:
 * any number but 0 and 1. */
DMTRACE_API void
dmtrace_recorder_enter_key(struct dmtrace_recorder *recorder, uint64_t key);
DMTRACE_API void
dmtrace_recorder_exit_key(struct dmtrace_recorder *recorder, uint64_t key);
DMTRACE_API void
dmtrace_recorder_unroll_key(struct dmtrace_recorder *recorder, uint64_t key);

/*
 * Asks for the names of all keys from first to last that were used so far, and
 * forgets the keys: the next event of one is of a new method. To be called
 * before code is unloaded.
 */
DMTRACE_API void
dmtrace_recorder_forget_keys(struct dmtrace_recorder *recorder,
    uint64_t first, uint64_t last);

/* Record an event like dmtrace_recorder_enter and _exit, but at a time of the
 * caller's own, in nanoseconds since the start, for every clock of the
 * trace. */
DMTRACE_API void
dmtrace_recorder_enter_at(struct dmtrace_recorder *recorder, uint32_t method,
    uint64_t time_ns);
DMTRACE_API void
dmtrace_recorder_exit_at(struct dmtrace_recorder *recorder, uint32_t method,
    uint64_t time_ns);

/*
 * Records any event of the calling thread; its method is a handle. A time of
 * DMTRACE_NO_TIME is read from the recorder's clock. The thread number is
 * ignored, and an event of the reserved action is refused.
 */
DMTRACE_API void
dmtrace_recorder_event(struct dmtrace_recorder *recorder,
    const struct dmtrace_event *event);

/*
 * Records a stack of the calling thread, as a sampler sees it, the outermost
 * method first: calls that are no longer in it are exited, and new ones
 * entered, all at time_ns, or now if it is DMTRACE_NO_TIME.
 */
DMTRACE_API void
dmtrace_recorder_sample(struct dmtrace_recorder *recorder,
    const uint32_t *stack, size_t depth, uint64_t time_ns);

/* Whether the default recorder is recording. Use dmtrace_is_recording, which
 * reads it. */
DMTRACE_DATA int dmtrace_recording;

static inline int
dmtrace_is_recording(void)
{
#if defined(__GNUC__)
	return __builtin_expect(
	    __atomic_load_n(&dmtrace_recording, __ATOMIC_RELAXED) != 0, 0) != 0;
#else
	return *(const volatile int *)&dmtrace_recording;
#endif
}

/* dmtrace_recorder_start and dmtrace_recorder_stop of the default recorder. */
static inline enum dmtrace_status
dmtrace_start(const char *path,
    const struct dmtrace_recorder_options *options)
{
	return dmtrace_recorder_start(NULL, path, options);
}

static inline enum dmtrace_status
dmtrace_stop(struct dmtrace_recorder_result *result)
{
	return dmtrace_recorder_stop(NULL, result);
}

/* The handle of a method of the default recorder, by its names. 0: that has
 * failed, which the next stop reports; events of 0 are dropped. class_name may
 * be NULL. */
DMTRACE_API uint32_t
dmtrace_intern(const char *class_name, const char *name);

/* Record an event by the default recorder: a load and a branch while it is
 * off. */
static inline void
dmtrace_enter(uint32_t method)
{
	if (dmtrace_is_recording())
		dmtrace_recorder_enter(NULL, method);
}

static inline void
dmtrace_exit(uint32_t method)
{
	if (dmtrace_is_recording())
		dmtrace_recorder_exit(NULL, method);
}

static inline void
dmtrace_unroll(uint32_t method)
{
	if (dmtrace_is_recording())
		dmtrace_recorder_unroll(NULL, method);
}

/* dmtrace_recorder_name_thread and so on, of the default recorder. */
static inline void
dmtrace_name_thread(const char *name)
{
	dmtrace_recorder_name_thread(NULL, name);
}

static inline void
dmtrace_enter_at(uint32_t method, uint64_t time_ns)
{
	dmtrace_recorder_enter_at(NULL, method, time_ns);
}

static inline void
dmtrace_exit_at(uint32_t method, uint64_t time_ns)
{
	dmtrace_recorder_exit_at(NULL, method, time_ns);
}

static inline const struct dmtrace_error *
dmtrace_last_error(void)
{
	return dmtrace_recorder_error(NULL);
}

/*
 * DMTRACE_SCOPE("name"); is a statement: from there to the end of its block the
 * default recorder records a call of that method, which ends however the block
 * is left, except by longjmp; in C++ also by an exception. DMTRACE_FUNCTION();
 * is a scope with the name of the function. A block may have several, and where
 * the compiler has no __COUNTER__, each on a line of its own. The name is
 * looked up when the statement first records. While nothing is recorded, a
 * scope is a load and a branch. A call that is open at a stop ends there; if
 * its block is left in the next recording, that counts as mismatched. Not for
 * signal handlers. In C the compiler must have the attribute cleanup, like gcc
 * and clang.
 *
 * The two functions are for the macros. enter returns the method that was
 * entered, or 0.
 */
static inline uint32_t
dmtrace_scope_enter(uint32_t *place, const char *name)
{
	uint32_t method;

	if (!dmtrace_is_recording())
		return 0;
#if defined(__GNUC__)
	method = __atomic_load_n(place, __ATOMIC_ACQUIRE);
	if (__builtin_expect(method == 0, 0)) {
		method = dmtrace_intern(NULL, name);
		__atomic_store_n(place, method, __ATOMIC_RELEASE);
	}
#else
	method = *(volatile uint32_t *)place;
	if (method == 0)
		*(volatile uint32_t *)place = method =
		    dmtrace_intern(NULL, name);
#endif
	dmtrace_recorder_enter(NULL, method);
	return method;
}

static inline void
dmtrace_scope_exit(const uint32_t *method)
{
	if (*method != 0)
		dmtrace_exit(*method);
}

#define DMTRACE_PASTE_(a, b) a##b
#define DMTRACE_PASTE(a, b) DMTRACE_PASTE_(a, b)
#ifdef __COUNTER__
#define DMTRACE_SCOPE(name) DMTRACE_SCOPE_NUMBER(name, __COUNTER__)
#else
#define DMTRACE_SCOPE(name) DMTRACE_SCOPE_NUMBER(name, __LINE__)
#endif
#define DMTRACE_SCOPE_NUMBER(name, number) \
	DMTRACE_SCOPE_AT(name, DMTRACE_PASTE(dmtrace_place_, number), \
	    DMTRACE_PASTE(dmtrace_scope_, number))
#define DMTRACE_FUNCTION() DMTRACE_SCOPE(__func__)

#ifdef __cplusplus
#define DMTRACE_SCOPE_AT(name, place, scope) \
	static uint32_t place; \
	const dmtrace_scope scope(&place, name)
#elif defined(__GNUC__)
#define DMTRACE_SCOPE_AT(name, place, scope) \
	static uint32_t place; \
	__attribute__((unused, cleanup(dmtrace_scope_exit))) \
	const uint32_t scope = dmtrace_scope_enter(&place, name)
#endif

#ifdef __cplusplus
}

class dmtrace_scope {
public:
	dmtrace_scope(uint32_t *place, const char *name) :
	    method(dmtrace_scope_enter(place, name))
	{
	}
	~dmtrace_scope()
	{
		dmtrace_scope_exit(&method);
	}
	dmtrace_scope(const dmtrace_scope &) = delete;
	dmtrace_scope &operator=(const dmtrace_scope &) = delete;

private:
	const uint32_t method;
};
#endif

#endif
