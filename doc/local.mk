# doc/local.mk - the manual, and what a developer reads

dist_doc_DATA += %D%/HACKING %D%/NEWS
dist_man_MANS += \
	%D%/dmtrace-dump.1 \
	%D%/dmtrace-generate.1 \
	%D%/dmtrace-help.1 \
	%D%/dmtrace-info.1 \
	%D%/dmtrace-join.1 \
	%D%/dmtrace-split.1 \
	%D%/dmtrace.1 \
	%D%/dmtrace.5 \
	%D%/libdmtrace.3
