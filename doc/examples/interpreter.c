/* interpreter.c - a toy interpreter that records the functions it runs */

#include <dmtrace.h>
#include <stdio.h>

enum op { PUSH, ARGUMENT, SUBTRACT, MULTIPLY, JUMP_IF_0, CALL, RETURN };

struct instruction {
	enum op op;
	int operand;
};

enum { MAIN, FACTORIAL, FUNCTIONS };

/* factorial(n) is n == 0 ? 1 : n * factorial(n - 1). */
static const struct instruction main_code[] = {
	{ PUSH, 5 }, { CALL, FACTORIAL }, { RETURN, 0 }
};
static const struct instruction factorial_code[] = {
	{ ARGUMENT, 0 }, { JUMP_IF_0, 9 },
	{ ARGUMENT, 0 }, { ARGUMENT, 0 }, { PUSH, 1 }, { SUBTRACT, 0 },
	{ CALL, FACTORIAL }, { MULTIPLY, 0 }, { RETURN, 0 },
	{ PUSH, 1 }, { RETURN, 0 }
};

static struct function {
	const char *name;
	const struct instruction *code;
	uint32_t method;	/* its handle */
} functions[FUNCTIONS] = {
	{ "main", main_code, 0 },
	{ "factorial", factorial_code, 0 },
};

static int
run(const struct function *function, int argument)
{
	const struct instruction *at = function->code;
	int stack[8], top = 0;

	dmtrace_enter(function->method);
	for (;; at++) {
		switch (at->op) {
		case PUSH:
			stack[top++] = at->operand;
			break;
		case ARGUMENT:
			stack[top++] = argument;
			break;
		case SUBTRACT:
			top--;
			stack[top - 1] -= stack[top];
			break;
		case MULTIPLY:
			top--;
			stack[top - 1] *= stack[top];
			break;
		case JUMP_IF_0:
			if (stack[--top] == 0)
				at = function->code + at->operand - 1;
			break;
		case CALL:
			stack[top - 1] = run(&functions[at->operand],
			    stack[top - 1]);
			break;
		case RETURN:
			dmtrace_exit(function->method);
			return stack[top - 1];
		}
	}
}

static int
fail(const char *what)
{
	fprintf(stderr, "interpreter: %s: %s\n", what,
	    dmtrace_recorder_error(NULL)->message);
	return 2;
}

int
main(void)
{
	struct dmtrace_recorder_result result;

	for (int i = 0; i < FUNCTIONS; i++)
		functions[i].method = dmtrace_intern("Toy",
		    functions[i].name);
	if (dmtrace_start("interpreter.trace", NULL) != DMTRACE_OK)
		return fail("cannot start");
	printf("%d\n", run(&functions[MAIN], 0));
	if (dmtrace_stop(&result) != DMTRACE_OK)
		return fail("cannot stop");
	return 0;
}
