/* emulator.c - a machine of 1 MHz that records its routines by its own clock
 *
 * Times are its cycles, whatever the real ones are: each run makes the same
 * records.
 */

#include <dmtrace.h>
#include <stdio.h>

#define CYCLE_NS 1000
#define STACK_MAX 16

enum op { WORK, JSR, RTS, HALT };

/* WORK: so many cycles; JSR: to that address. */
static const struct {
	enum op op;
	unsigned operand;
} memory[] = {
	/* 0: reset */	{ JSR, 4 }, { JSR, 7 }, { WORK, 10 }, { HALT, 0 },
	/* 4: draw */	{ WORK, 100 }, { JSR, 7 }, { RTS, 0 },
	/* 7: wait */	{ WORK, 250 }, { RTS, 0 },
};

static const struct {
	unsigned address;
	const char *name;
} symbols[] = { { 0, "reset" }, { 4, "draw" }, { 7, "wait" } };

enum { SYMBOLS = sizeof(symbols) / sizeof(symbols[0]) };

struct machine {
	uint32_t routines[SYMBOLS];	/* handles of the symbols */
	unsigned stack[STACK_MAX];	/* return addresses */
	uint32_t frames[STACK_MAX];
	unsigned depth;
	uint64_t cycles;
};

static uint32_t
routine_at(const struct machine *machine, unsigned address)
{
	for (int i = 0; i < SYMBOLS; i++)
		if (symbols[i].address == address)
			return machine->routines[i];
	return 0;		/* dropped, and counted */
}

static void
enter(struct machine *machine, unsigned address)
{
	const uint32_t routine = routine_at(machine, address);

	machine->frames[machine->depth++] = routine;
	dmtrace_recorder_enter_at(NULL, routine,
	    machine->cycles * CYCLE_NS);
}

static void
leave(struct machine *machine)
{
	dmtrace_recorder_exit_at(NULL, machine->frames[--machine->depth],
	    machine->cycles * CYCLE_NS);
}

static void
run(struct machine *machine)
{
	unsigned at = 0;

	enter(machine, at);
	while (memory[at].op != HALT) {
		const unsigned operand = memory[at].operand;
		machine->cycles += memory[at].op == WORK ? operand : 6;
		if (memory[at].op == JSR) {
			machine->stack[machine->depth] = at + 1;
			enter(machine, at = operand);
		} else if (memory[at].op == RTS) {
			leave(machine);
			at = machine->stack[machine->depth];
		} else
			at++;
	}
	leave(machine);
}

int
main(void)
{
	static struct machine machine;
	struct dmtrace_recorder_options options = { 0 };

	options.vm = "emulator";
	for (int i = 0; i < SYMBOLS; i++)
		machine.routines[i] = dmtrace_intern("rom", symbols[i].name);
	if (dmtrace_start("emulator.trace", &options) == DMTRACE_OK) {
		dmtrace_recorder_name_thread(NULL, "cpu");
		run(&machine);
		dmtrace_stop(NULL);
	}
	const struct dmtrace_error *error = dmtrace_recorder_error(NULL);
	if (error->status == DMTRACE_OK)
		return 0;
	fprintf(stderr, "emulator: %s\n", error->message);
	return 2;
}
