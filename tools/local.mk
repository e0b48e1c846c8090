# tools/local.mk - the program

bin_PROGRAMS += %D%/dmtrace
%C%_dmtrace_SOURCES = \
	%D%/cmd.c %D%/cmd.h \
	%D%/cmd_help.c \
	%D%/dmtrace.c \
	%D%/files.c %D%/files.h \
	%D%/msg.c %D%/msg.h \
	%D%/near.c %D%/near.h \
	%D%/opt.c %D%/opt.h \
	%D%/text.c %D%/text.h
%C%_dmtrace_LDADD = lib/libdmtrace.la

dist_bashcompletion_DATA += %D%/completion/dmtrace
