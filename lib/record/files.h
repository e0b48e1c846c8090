/* files.h - the files of one trace while it is being recorded */
#ifndef DMT_RECORD_FILES_H
#define DMT_RECORD_FILES_H

#include "base/sink.h"

#define DMT_FILE_PAGE 4096

/*
 * A pair: the data grows while it is recorded, the key comes at the end. A
 * joined file is recorded as the pair PATH.key and PATH.data, which goes when
 * it has been joined. Zero is closed.
 */
struct dmt_files {
	char *path;		/* as named, and numbered */
	char *key_path;
	char *data_path;
	bool joined;
	bool journal;
	bool open;
	int data_fd;
	int journal_fd;		/* -1: none */
	uint64_t size;		/* bytes of the data */
	uint64_t reserved;	/* how far the file system has room for it */
	bool reserves;
	struct dmt_sink sink;	/* gets the key, or all of a joined file */
	struct dmtrace_error error;
};

/* What is to be opened. */
struct dmt_files_plan {
	const char *path;
	unsigned number;	/* from 1; behind the name from 2 on */
	bool journal;
	const uint8_t *header;
	size_t header_size;
};

/* DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_IO; then it is closed. */
enum dmtrace_status
dmt_files_open(struct dmt_files *files, const struct dmt_files_plan *plan);

/*
 * How many of len bytes of whole records to write, so that the data ends at
 * the end of a page, if that can be; else len.
 */
size_t
dmt_files_fit(const struct dmt_files *files, size_t len, size_t record_size);

/*
 * Appends whole records to the data. Returns how many bytes are there: less
 * than len, but whole records, if the write failed.
 */
size_t
dmt_files_write(struct dmt_files *files, const uint8_t *records, size_t len,
    size_t record_size);

/* Appends to the key of a journal. */
void
dmt_files_journal(struct dmt_files *files, const char *bytes, size_t len);

/* Writes the key and gives all files their names. */
enum dmtrace_status
dmt_files_close(struct dmt_files *files, const void *key, size_t len);

/* Lets go of the files as they are: in the child of a fork. */
void
dmt_files_abandon(struct dmt_files *files);

#endif
