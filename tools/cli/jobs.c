/* jobs.c - handles many operands at a time, in processes */

/*
 * Each worker is a fork of this process: it has the options and the open
 * output, and shares nothing that could be written by two. It handles a run of
 * consecutive operands, since a process costs as much as a small trace. It
 * writes its output, its messages and the exit status of each operand to three
 * pipes. They are read in the order of the operands: what a later worker writes
 * waits in its pipes, and so does the worker once they are full, so memory does
 * not grow with the operands.
 *
 * A worker that is done writes a byte to a pipe that all share. So another one
 * can start before the output of those before it was read, up to a limit.
 */

#include "cli/jobs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/msg.h"
#include "cmd.h"
#include "private/output.h"

enum {
	RUN_MAX = 32,			/* operands of a worker */
	STARTED_MAX = 256,		/* workers at a time */
	UNREAD_MAX = 64,		/* started ones whose output was not
					   read, or as many as run at a time */
	LOST = 3			/* exit status of a worker */
};

enum { PIPE_OUTPUT, PIPE_MESSAGES, PIPE_STATUSES, PIPES };

struct worker {
	pid_t pid;
	int fds[PIPES];			/* to read from */
	size_t first, count;		/* its operands */
};

struct jobs_state {
	const struct jobs *jobs;
	struct worker workers[STARTED_MAX];	/* a ring: */
	size_t oldest, started;		/* numbers of workers so far */
	size_t ended;			/* that have said that they are done */
	size_t next;			/* operand */
	size_t taken;			/* operands */
	int done[2];			/* the pipe that all share */
	bool failed;			/* no worker could be started */
	bool lost;
};

/* The workers that run, for jobs_kill; 0: none. */
static volatile pid_t running[STARTED_MAX];

void
jobs_kill(void)
{
	for (size_t i = 0; i < STARTED_MAX; i++)
		if (running[i] > 0)
			kill(running[i], SIGTERM);
}

static void
fail_jobs(struct jobs_state *state, const char *what)
{
	if (!state->failed)
		msg_error("--jobs: %s: %s", what, strerror(errno));
	state->failed = state->lost = true;
}

static void
note_status(const struct jobs *jobs, size_t index, int status)
{
	*jobs->status = cmd_worse(*jobs->status, status);
	if (jobs->note != NULL)
		jobs->note(jobs->context, index, status);
}

/* Writes all bytes to a pipe. */
static void
write_pipe(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		const ssize_t written = write(fd, bytes, len);

		if (written < 0 && errno != EINTR)
			_exit(LOST);
		if (written > 0) {
			bytes += written;
			len -= (size_t)written;
		}
	}
}

/* Writes the result of an operand, with its length, and returns its status. */
static int
send_result(const struct jobs *jobs, size_t index, bool last, int fd)
{
	struct dmt_output result = { 0 };
	const int status = jobs->work(jobs->context, index, last, &result);

	if (dmt_output_failed(&result)) {
		msg_memory();
		fflush(stderr);
		_exit(LOST);
	}
	const struct dmtrace_text text = dmt_output_text(&result);
	write_pipe(fd, (const char *)&text.len, sizeof(text.len));
	write_pipe(fd, text.bytes, text.len);
	dmt_output_fini(&result);
	return status;
}

/* What a worker does. Its exit leaves what belongs to the parent. */
static void
run_worker(const struct jobs *jobs, const struct worker *worker,
    const int fds[PIPES], int done)
{
	char statuses[RUN_MAX];
	bool whole = true;

	for (size_t i = 0; i < STARTED_MAX; i++)
		running[i] = 0;
	if (jobs->progress != NULL)
		jobs->progress->wanted = false;
	if (dup2(fds[PIPE_MESSAGES], STDERR_FILENO) < 0)
		_exit(LOST);
	if (jobs->begin != NULL)
		jobs->begin(jobs->context, worker->first, fds[PIPE_OUTPUT]);
	else if (jobs->table != NULL)
		table_begin_part(jobs->table, fds[PIPE_OUTPUT]);
	for (size_t i = 0; i < worker->count; i++)
		statuses[i] = (char)(jobs->work == NULL ?
		    jobs->handle(jobs->context, worker->first + i) :
		    send_result(jobs, worker->first + i,
		    i + 1 == worker->count, fds[PIPE_OUTPUT]));
	if (jobs->end != NULL)
		whole = jobs->end(jobs->context);
	else if (jobs->table != NULL)
		whole = table_end_part(jobs->table);
	fflush(stderr);
	write_pipe(fds[PIPE_STATUSES], statuses, worker->count);
	write_pipe(done, "", 1);
	_exit(whole ? 0 : LOST);
}

/* Starts a worker for the next operands. */
static void
start_worker(struct jobs_state *state)
{
	const struct jobs *const jobs = state->jobs;
	const size_t slot = state->started % STARTED_MAX;
	struct worker *const worker = &state->workers[slot];
	const size_t left = jobs->operands - state->next;
	const size_t share = left / (2 * (size_t)jobs->workers) + 1;
	int write_fds[PIPES];

	*worker = (struct worker){
		.first = state->next, .count = share < RUN_MAX ? share : RUN_MAX
	};
	for (int i = 0; i < PIPES; i++) {
		int fds[2];

		if (pipe(fds) != 0) {
			fail_jobs(state, "no pipe");
			while (i-- > 0) {
				close(worker->fds[i]);
				close(write_fds[i]);
			}
			return;
		}
		worker->fds[i] = fds[0];
		write_fds[i] = fds[1];
	}
	fflush(NULL);
	worker->pid = fork();
	if (worker->pid == 0) {
		for (size_t i = state->oldest; i <= state->started; i++)
			for (int at = 0; at < PIPES; at++)
				close(state->workers[i %
				    STARTED_MAX].fds[at]);
		run_worker(jobs, worker, write_fds, state->done[1]);
	}
	for (int i = 0; i < PIPES; i++)
		close(write_fds[i]);
	if (worker->pid < 0) {
		fail_jobs(state, "no process");
		for (int i = 0; i < PIPES; i++)
			close(worker->fds[i]);
		return;
	}
	running[slot] = worker->pid;
	state->started++;
	state->next += worker->count;
}

/* Starts workers up to the number that run at a time. */
static void
start_workers(struct jobs_state *state)
{
	const uint64_t workers = state->jobs->workers;
	const uint64_t most = workers > UNREAD_MAX ? workers : UNREAD_MAX;

	while (!state->failed && state->next < state->jobs->operands &&
	    state->started - state->ended < workers &&
	    state->started - state->oldest < most)
		start_worker(state);
}

/* What was read of a worker's results: whole ones are taken and removed. */
struct results {
	struct dmt_output bytes;
	size_t next;			/* operand */
};

static void
take_results(const struct jobs *jobs, struct results *results)
{
	const struct dmtrace_text text = dmt_output_text(&results->bytes);
	size_t at = 0, len;

	for (; text.len - at >= sizeof(len); at += sizeof(len) + len) {
		memcpy(&len, text.bytes + at, sizeof(len));
		if (text.len - at - sizeof(len) < len)
			break;
		jobs->take_result(jobs->context, results->next++,
		    text.bytes + at + sizeof(len));
	}
	if (at > 0) {
		memmove(results->bytes.bytes, text.bytes + at, text.len - at);
		dmt_output_truncate(&results->bytes, text.len - at);
	}
}

/* Reads what there is of a pipe. Returns false at its end. */
static bool
take_bytes(const struct jobs *jobs, int fd, int which, struct results *results)
{
	char bytes[65536];
	const ssize_t len = read(fd, bytes, sizeof(bytes));

	if (len < 0)
		return errno == EINTR;
	if (len > 0 && which == PIPE_OUTPUT && jobs->table != NULL) {
		table_take_part(jobs->table, jobs->between, bytes,
		    (size_t)len);
	} else if (len > 0 && which == PIPE_OUTPUT && jobs->take != NULL) {
		jobs->take(jobs->context, bytes, (size_t)len);
	} else if (len > 0 && which == PIPE_OUTPUT) {
		dmt_output_write(&results->bytes, bytes, (size_t)len);
		take_results(jobs, results);
	}
	if (len > 0 && which == PIPE_MESSAGES) {
		if (jobs->progress != NULL)
			progress_erase(jobs->progress);
		fwrite(bytes, 1, (size_t)len, stderr);
	}
	return len > 0;
}

/* Waits for the end of the oldest worker, and returns how it ended. */
static int
end_worker(struct jobs_state *state)
{
	const size_t slot = state->oldest % STARTED_MAX;
	const struct worker *const worker = &state->workers[slot];
	int ended = 0;

	for (int i = 0; i < PIPES; i++)
		close(worker->fds[i]);
	while (waitpid(worker->pid, &ended, 0) < 0 && errno == EINTR)
		continue;
	running[slot] = 0;
	state->oldest++;
	return ended;
}

/* Takes the output of the oldest worker, and starts others meanwhile. */
static void
take_oldest(struct jobs_state *state)
{
	const struct jobs *const jobs = state->jobs;
	const struct worker *const worker =
	    &state->workers[state->oldest % STARTED_MAX];
	struct pollfd polled[3] = {
		{ .fd = worker->fds[PIPE_OUTPUT], .events = POLLIN },
		{ .fd = worker->fds[PIPE_MESSAGES], .events = POLLIN },
		{ .fd = state->done[0], .events = POLLIN }
	};
	struct results results = { .next = worker->first };
	char statuses[RUN_MAX];
	size_t known = 0;

	while (polled[0].fd >= 0 || polled[1].fd >= 0) {
		if (poll(polled, 3, -1) < 0)
			continue;
		for (int i = 0; i < 2; i++)
			if (polled[i].revents != 0 &&
			    !take_bytes(jobs, polled[i].fd, i, &results))
				polled[i].fd = -1;
		if (polled[2].revents != 0) {
			char bytes[STARTED_MAX];
			const ssize_t len =
			    read(polled[2].fd, bytes, sizeof(bytes));

			state->ended += len > 0 ? (size_t)len : 0;
			start_workers(state);
		}
	}
	while (known < worker->count) {
		const ssize_t len = read(worker->fds[PIPE_STATUSES],
		    statuses + known, worker->count - known);

		if (len == 0 || (len < 0 && errno != EINTR))
			break;
		known += len > 0 ? (size_t)len : 0;
	}
	const int ended = end_worker(state);
	if (dmt_output_failed(&results.bytes)) {
		msg_memory();
		state->lost = true;
	}
	dmt_output_fini(&results.bytes);
	for (size_t i = 0; i < known; i++)
		note_status(jobs, worker->first + i, statuses[i]);
	state->taken += worker->count;
	if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
		return;
	if (!WIFEXITED(ended))
		msg_error("--jobs: a worker was ended by signal %d",
		    WTERMSIG(ended));
	state->lost = true;
}

bool
jobs_run(const struct jobs *jobs)
{
	struct jobs_state state = { .jobs = jobs };

	for (size_t i = 0; (jobs->workers == 1 || jobs->operands == 1) &&
	    i < jobs->operands; i++)
		note_status(jobs, i, jobs->handle(jobs->context, i));
	if (jobs->workers == 1 || jobs->operands == 1)
		return true;
	if (pipe(state.done) != 0) {
		fail_jobs(&state, "no pipe");
		return false;
	}
	start_workers(&state);
	while (state.oldest < state.started) {
		take_oldest(&state);
		if (jobs->stop != NULL && *jobs->stop)
			break;
		/* a worker that died has not said that it is done */
		if (state.ended < state.oldest)
			state.ended = state.oldest;
		start_workers(&state);
		if (jobs->progress != NULL)
			progress_show(jobs->progress, state.taken,
			    jobs->operands);
	}
	jobs_kill();
	while (state.oldest < state.started)
		end_worker(&state);
	close(state.done[0]);
	close(state.done[1]);
	return !state.lost;
}
