/* bench_pair.c - times a command and its baseline in turns */

#define _GNU_SOURCE		/* nftw, wait4 */

#include <ftw.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUNS_MAX 1000

struct run {
	double seconds;
	double megabytes;	/* peak of the resident set */
};

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int
remove_one(const char *path, const struct stat *about, int type,
    struct FTW *where)
{
	(void)about, (void)type, (void)where;
	return remove(path);
}

/* Replacing a file costs more than making one, and what is left there is
 * written to the disk while others run. */
static void
remove_outputs(void)
{
	glob_t outputs;

	if (glob("fresh*", 0, NULL, &outputs) != 0)
		return;
	for (size_t i = 0; i < outputs.gl_pathc; i++)
		nftw(outputs.gl_pathv[i], remove_one, 8,
		    FTW_DEPTH | FTW_PHYS);
	globfree(&outputs);
}

static double
cpu_seconds(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	    (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) /
	    1e6;
}

/* BENCH_TIME=cpu: of all threads, not by the clock on the wall. */
static bool
counts_cpu(void)
{
	const char *time = getenv("BENCH_TIME");

	return time != NULL && strcmp(time, "cpu") == 0;
}

static struct run
run(const char *command)
{
	struct rusage usage;
	int status;

	remove_outputs();
	const double begin = now();
	const pid_t child = fork();
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child ||
	    status != 0) {
		fprintf(stderr, "bench_pair: failed: %s\n", command);
		exit(EXIT_FAILURE);
	}
	return (struct run){
		counts_cpu() ? cpu_seconds(&usage) : now() - begin,
		(double)usage.ru_maxrss / 1024
	};
}

static int
compare(const void *left, const void *right)
{
	const double a = *(const double *)left;
	const double b = *(const double *)right;

	return (a > b) - (a < b);
}

static double
median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), compare);
	return values[count / 2];
}

int
main(int argc, char *argv[])
{
	static double ratios[RUNS_MAX], baselines[RUNS_MAX], ours[RUNS_MAX];
	struct run last = { 0, 0 };
	const int runs = argc == 6 ? atoi(argv[3]) : 0;

	if (runs < 1 || runs > RUNS_MAX) {
		fputs("usage: bench_pair NAME GOAL RUNS BASELINE COMMAND\n",
		    stderr);
		return EXIT_FAILURE;
	}
	run(argv[4]);
	run(argv[5]);
	for (int i = 0; i < runs; i++) {
		baselines[i] = run(argv[4]).seconds;
		last = run(argv[5]);
		ours[i] = last.seconds;
		ratios[i] = ours[i] / baselines[i];
	}
	remove_outputs();
	const double ratio = median(ratios, runs);
	printf("%-30s %6s %7.3f %6.3f-%-6.3f %8.3f %8.3f %6.1f\n", argv[1],
	    argv[2], ratio, ratios[0], ratios[runs - 1],
	    median(baselines, runs), median(ours, runs), last.megabytes);
	return EXIT_SUCCESS;
}
