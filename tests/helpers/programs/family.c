/* family.c - a process and what it starts; the argument says how it ends */

#define _DEFAULT_SOURCE

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int
work(int n)
{
	return n * 2;
}

static void
in_child(void)
{
	work(1);
	_exit(7);
}

static int
run_child(void)
{
	const pid_t child = fork();
	int status = 0;

	if (child == 0)
		in_child();
	waitpid(child, &status, 0);
	return WEXITSTATUS(status) == 7;
}

/* The parent's memory is the child's until it becomes another program. */
static int
run_shell(void)
{
	const pid_t child = vfork();
	int status = 0;

	if (child == 0) {
		execle("/bin/sh", "sh", "-c", "exit 8", (char *)NULL,
		    (char *[]){ NULL });
		_exit(1);
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status) == 8;
}

static void
handle(int signal)
{
	work(signal);
	_exit(12);
}

static void
end(const char *how)
{
	if (strcmp(how, "_exit") == 0)
		_exit(9);
	if (strcmp(how, "quick_exit") == 0)
		quick_exit(10);
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "fault") == 0)
		*(volatile char *)work(0) = 1;
	if (strcmp(how, "term") == 0)
		raise(SIGTERM);
	if (strcmp(how, "poll") == 0)
		raise(SIGPOLL);
	if (strcmp(how, "alarm") == 0) {
		alarm(1);		/* the system itself sends it */
		pause();
	}
	if (strcmp(how, "kill") == 0) {
		for (int i = 0; i < 1000; i++)
			work(i);
		raise(SIGKILL);
	}
	if (strcmp(how, "handler") == 0) {
		signal(SIGTERM, handle);
		raise(SIGTERM);
	}
	if (strcmp(how, "exec") == 0) {
		char *const argv[] = { "family", "exit", NULL };
		execv("./nosuch", argv);
		work(3);
		execv("./family", argv);
	}
}

int
main(int argc, char **argv)
{
	if (!run_child() || !run_shell())
		return 1;
	for (int i = 0; i < 100; i++)
		work(i);
	end(argc > 1 ? argv[1] : "");
	return 11;
}
