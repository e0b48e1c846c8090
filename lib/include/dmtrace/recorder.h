/* dmtrace/recorder.h - make traces in the program that is being traced */
#ifndef DMTRACE_RECORDER_H
#define DMTRACE_RECORDER_H

#include <dmtrace/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A recorder takes events from any number of threads and writes traces, one
 * after the other. In all calls NULL is the default recorder, which is there
 * from the beginning and cannot be freed. All calls are thread-safe but for
 * free, which nothing may run beside.
 *
 * Events may come from signal handlers: one that interrupts an event of its
 * own thread is dropped and counted. An event takes no lock and allocates
 * nothing, but for a thread's first one and one that finds its buffer full or
 * its file at the end of its time. Those call no malloc, but map pages, so
 * that handlers may interrupt it; what they ask name and want is the host's.
 *
 * A handler may also jump out of what it has interrupted by siglongjmp. If that
 * was an event, the thread records no more until the next start: its events
 * are dropped and counted. No stop waits for such an event.
 *
 * The default recorder is stopped when the process exits, by exit or a return
 * from main, after all other destructors. One from dmtrace_recorder_new is
 * stopped by its owner; and no recorder is by _exit, quick_exit, abort or a
 * signal, which leave what was flushed: see journal.
 */
struct dmtrace_recorder;

/* What becomes of events when memory is full. */
enum dmtrace_recorder_full {
	DMTRACE_FULL_FLUSH = 0,		/* they are written to the file */
	DMTRACE_FULL_STOP = 1,		/* recording ends, as on Android */
	DMTRACE_FULL_RING = 2		/* the oldest ones are dropped */
};

/* What an exit of another method than the innermost open one becomes. */
enum dmtrace_recorder_mismatch {
	DMTRACE_MISMATCH_REPAIR = 0,	/* frames above it are closed too; it
					   is dropped if it is not open */
	DMTRACE_MISMATCH_ERROR = 1,	/* dropped, and stop says so */
	DMTRACE_MISMATCH_AS_IS = 2	/* written */
};

/* Why recording ended by itself. Events that come after that are counted as
 * dropped, a sample as one, until the recorder is stopped. */
enum dmtrace_recorder_end {
	DMTRACE_RECORDER_FULL = 1,	/* memory, see DMTRACE_FULL_STOP */
	DMTRACE_RECORDER_FAILED = 2,	/* the file could not be written */
	DMTRACE_RECORDER_TIMEOUT = 3	/* max_time_us has gone by */
};

/* A method in words. All but name may be NULL: no class is "native", no
 * signature "()V", no file no column; line counts only with a file. */
struct dmtrace_method_words {
	const char *class_name;
	const char *name;
	const char *signature;
	const char *file;
	int32_t line;
};

/*
 * Supplies the words for a key of the host's own. The strings must live
 * until the next call. Returns 0 if the key is not known: then its number is
 * its name. Must not call the recorder; signals are blocked.
 */
typedef int
dmtrace_recorder_name_fn(void *context, uint64_t key,
    struct dmtrace_method_words *words);

/* Whether events of a key are wanted; asked at its first one, perhaps by
 * several threads at once. Must give the same answer each time. */
typedef int
dmtrace_recorder_want_fn(void *context, uint64_t key);

/* Told, in the thread whose event found out, that recording has ended by
 * itself; dmtrace_recorder_stop is still due. Must not call the recorder. */
typedef void
dmtrace_recorder_ended_fn(void *context, enum dmtrace_recorder_end why);

struct dmtrace_recorder_options {
	unsigned version;		/* 1 to 3; 0: 3 for DUAL, else 2 */
	enum dmtrace_clock clock;	/* 0: WALL; THREAD_CPU or DUAL are a
					   system call an event, measured at
					   400 to 550 ns */
	enum dmtrace_recorder_full full;
	enum dmtrace_recorder_mismatch mismatch;
	size_t buffer_size;		/* bytes per thread; 0: 256 KiB */
	size_t memory_limit;		/* bytes of buffers in all, no less; 0:
					   64 MiB */
	uint32_t max_keys;		/* of the host's own, those that were
					   forgotten too; 0: 65,536 */
	uint32_t max_depth;		/* open frames of a thread; 0:
					   131,072 */
	uint64_t max_time_us;		/* of one file, at most 2^32 - 1; 0:
					   that */
	int no_rotate;			/* after it recording ends, else it goes
					   on in NAME-0002.trace */
	int journal;			/* what is flushed survives SIGKILL */
	int streaming;			/* to an ART stream, 0xF2 or 0xF3, which
					   survives SIGKILL without a journal;
					   of version 2, or 3 for DUAL */
	int escape;			/* names that the format cannot hold
					   are written with \t \n \r \\ \xNN,
					   such as a number for a signature */
	int system_clock;		/* never read the CPU's counter */
	const char *vm;			/* of the vm line; NULL: "art" */
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
	uint32_t threads;
	uint32_t methods;
	uint32_t files;			/* more than 1: rotated */
	enum dmtrace_recorder_end ended;	/* by itself; 0: it did not */
	struct dmtrace_error error;
};

/* NULL: no memory. */
DMTRACE_API struct dmtrace_recorder *
dmtrace_recorder_new(void);

/* Stops it if need be. NULL is nothing to do. */
DMTRACE_API void
dmtrace_recorder_free(struct dmtrace_recorder *recorder);

/*
 * For the starts to come. vm is copied.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE  it is recording
 *   DMTRACE_ERR_RANGE  a version without room for the clock, streaming with
 *                      another version or a journal, a number that
 *                      is too small or too large, max_keys unlike a
 *                      former start's, a vm that no option line can hold
 */
DMTRACE_API enum dmtrace_status
dmtrace_recorder_set_options(struct dmtrace_recorder *recorder,
    const struct dmtrace_recorder_options *options);

/*
 * Starts recording to path: a pair if it ends in ".key" or ".data", else a
 * joined file, which is written as the pair PATH.key and PATH.data and joined
 * at stop. The start creates no file, but checks that it can be done; what is
 * there and is no regular file is opened. The data, and with journal the key,
 * are created when a buffer is first written to them, or at stop, and replace
 * old files then; without journal the key appears at stop. A process that is
 * killed before that leaves no file, and old ones as they were. The later
 * files of a rotation appear likewise.
 *
 * With streaming the one file of path is created when a buffer is first
 * written. Each write ends it with a whole record, after the names that its
 * records need, so that it can be read, and followed, while it grows; stop adds
 * a summary. Of a program that is killed all is left that was flushed.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE  it is recording, or was not stopped
 *   DMTRACE_ERR_RANGE  streaming, and path names a half of a pair
 *   DMTRACE_ERR_IO     one of the files cannot be made; see the error. What
 *                      becomes so only later, and a full disk, is a failure
 *                      of the recording, and of stop
 *   DMTRACE_ERR_LIMIT  the process has no pthread key left
 */
DMTRACE_API enum dmtrace_status
dmtrace_recorder_start(struct dmtrace_recorder *recorder, const char *path);

/*
 * Waits for events that are under way, closes open frames, writes the key.
 * *result, which may be NULL, is set in any case but DMTRACE_ERR_STATE.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE    it was not started
 *   DMTRACE_ERR_IO       not all could be written; what was is left
 *   DMTRACE_ERR_CORRUPT  exits did not match, with DMTRACE_MISMATCH_ERROR;
 *                        the trace is there
 */
DMTRACE_API enum dmtrace_status
dmtrace_recorder_stop(struct dmtrace_recorder *recorder,
    struct dmtrace_recorder_result *result);

/* The first failure since the start; lives until the next one. */
DMTRACE_API const struct dmtrace_error *
dmtrace_recorder_error(const struct dmtrace_recorder *recorder);

/*
 * The handle of a method: the same one for the same words, for the life of
 * the recorder. Not for signal handlers.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_LIMIT (2^28 methods), or
 *   DMTRACE_ERR_RANGE  no or an empty name, or a word that the format cannot
 *                      hold: TAB, LF or CR, or, with no file, a signature
 *                      that is a number, unless escape is set
 */
DMTRACE_API enum dmtrace_status
dmtrace_recorder_intern(struct dmtrace_recorder *recorder,
    const struct dmtrace_method_words *words, uint32_t *method);

/*
 * Names the calling thread in traces, in place of the name that the system
 * has for it. The name is cut to 63 bytes.
 */
DMTRACE_API void
dmtrace_recorder_name_thread(struct dmtrace_recorder *recorder,
    const char *name);

/* Events of the calling thread, on the recorder's clock. They do nothing
 * while it is not recording. */
DMTRACE_API void
dmtrace_recorder_enter(struct dmtrace_recorder *recorder, uint32_t method);
DMTRACE_API void
dmtrace_recorder_exit(struct dmtrace_recorder *recorder, uint32_t method);
DMTRACE_API void
dmtrace_recorder_unroll(struct dmtrace_recorder *recorder, uint32_t method);

/* The same for a method that is known by a key of the host's own, of any
 * value but 0 and 1. */
DMTRACE_API void
dmtrace_recorder_enter_key(struct dmtrace_recorder *recorder, uint64_t key);
DMTRACE_API void
dmtrace_recorder_exit_key(struct dmtrace_recorder *recorder, uint64_t key);
DMTRACE_API void
dmtrace_recorder_unroll_key(struct dmtrace_recorder *recorder, uint64_t key);

/*
 * Names all keys from first to last that came so far, and forgets them: the
 * next event of one begins a new method. For code that is unloaded.
 */
DMTRACE_API void
dmtrace_recorder_forget_keys(struct dmtrace_recorder *recorder,
    uint64_t first, uint64_t last);

/* The same with a time of the caller's own, in nanoseconds since the start,
 * for all clocks that the records have. */
DMTRACE_API void
dmtrace_recorder_enter_at(struct dmtrace_recorder *recorder, uint32_t method,
    uint64_t time_ns);
DMTRACE_API void
dmtrace_recorder_exit_at(struct dmtrace_recorder *recorder, uint32_t method,
    uint64_t time_ns);
DMTRACE_API void
dmtrace_recorder_unroll_at(struct dmtrace_recorder *recorder, uint32_t method,
    uint64_t time_ns);

/*
 * Any event, its method a handle. A time that is DMTRACE_NO_TIME is read from
 * the recorder's clock, the thread number does not count, and the reserved
 * action is dropped.
 */
DMTRACE_API void
dmtrace_recorder_event(struct dmtrace_recorder *recorder,
    const struct dmtrace_event *event);

/*
 * A stack of the calling thread as a sampler sees it, the outermost method
 * first: exits of what is not there any more and enters of what is new, all
 * at time_ns or, if DMTRACE_NO_TIME, now.
 */
DMTRACE_API void
dmtrace_recorder_sample(struct dmtrace_recorder *recorder,
    const uint32_t *stack, size_t depth, uint64_t time_ns);

/* Whether the default recorder was started, and not stopped. Read it through
 * dmtrace_is_recording alone. */
extern DMTRACE_API int dmtrace_recording;

static inline int
dmtrace_is_recording(void)
{
#if defined(__GNUC__)
	return __builtin_expect(
	    __atomic_load_n(&dmtrace_recording, __ATOMIC_RELAXED), 0);
#else
	return *(const volatile int *)&dmtrace_recording;
#endif
}

/* The default recorder in short: dmtrace_recorder_set_options, and
 * dmtrace_recorder_start, and what they return. options may be NULL: as they
 * are. */
DMTRACE_API enum dmtrace_status
dmtrace_start(const char *path,
    const struct dmtrace_recorder_options *options);

/* What dmtrace_recorder_stop does, and returns. */
static inline enum dmtrace_status
dmtrace_stop(struct dmtrace_recorder_result *result)
{
	return dmtrace_recorder_stop(NULL, result);
}

/* The handle of a method of the default recorder; 0, of which events are
 * dropped, if it has none. */
DMTRACE_API uint32_t
dmtrace_method(const char *class_name, const char *name);

/* Events of the default recorder; a load and a branch while it is off. */
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

/* More of the default recorder in short, as of dmtrace_recorder_*. */
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
 * DMTRACE_SCOPE("name"); among the statements of a block: a call of that
 * method, by the default recorder, from there to where the block is left, by
 * whatever way but longjmp. DMTRACE_FUNCTION(); is a scope with the name of
 * the function. There may be several in a block. The name is interned when the
 * place first records, and not read again; while nothing is recorded a scope
 * is a load and a branch. Not for signal handlers. In C it takes a compiler
 * with the attribute cleanup, as gcc and clang have it.
 *
 * The functions are for the two macros: the method that was entered, or 0.
 */
static inline uint32_t
dmtrace_scope_enter(uint32_t *place, const char *name)
{
	uint32_t method;

	if (!dmtrace_is_recording())
		return 0;
#if defined(__GNUC__)
	method = __atomic_load_n(place, __ATOMIC_RELAXED);
	if (__builtin_expect(method == 0, 0)) {
		method = dmtrace_method(NULL, name);
		__atomic_store_n(place, method, __ATOMIC_RELAXED);
	}
#else
	method = *(volatile uint32_t *)place;
	if (method == 0)
		*(volatile uint32_t *)place = method =
		    dmtrace_method(NULL, name);
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

#define DMTRACE_JOIN_(a, b) a##b
#define DMTRACE_JOIN(a, b) DMTRACE_JOIN_(a, b)
#define DMTRACE_SCOPE(name) \
	DMTRACE_SCOPE_AT(name, DMTRACE_JOIN(dmtrace_place_, __LINE__), \
	    DMTRACE_JOIN(dmtrace_scope_, __LINE__))
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
