/* version.c - which libdmtrace this is */

#include <dmtrace/status.h>

const char *
dmtrace_version(void)
{
	return PACKAGE_VERSION;
}
