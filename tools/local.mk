# tools/local.mk - the program

bin_PROGRAMS += %D%/dmtrace
%C%_dmtrace_SOURCES = \
	%D%/dmtrace.c
%C%_dmtrace_LDADD = lib/libdmtrace.la

dist_bashcompletion_DATA += %D%/completion/dmtrace
