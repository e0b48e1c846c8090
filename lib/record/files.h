/* files.h - the files of one trace while it is being recorded */
#ifndef DMT_RECORD_FILES_H
#define DMT_RECORD_FILES_H

#include <dmtrace/status.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "data/stream_decode.h"
#include "format/header.h"

#define DMT_FILE_PAGE 4096

/* A descriptor and the file that it was opened for. Programs that become
 * daemons close what they have not opened; the same number may then be that of
 * another file, which the recorder must not write to. */
struct dmt_held {
	int fd;			/* -1: none */
	dev_t device;
	ino_t inode;
};

/* The names of the files. */
struct dmt_paths {
	char named[PATH_MAX];	/* as the host named it, and numbered */
	char key[PATH_MAX];
	char data[PATH_MAX];
	char target[PATH_MAX];	/* where its links lead */
	char temporary[PATH_MAX];	/* its name until it is complete */
	bool joined;		/* the target is named, not the key */
};

/* In pages: a file may end in a signal handler that has interrupted malloc. */
struct dmt_files_memory {
	struct dmt_paths paths;
	uint8_t header[DMT_HEADER_SIZE];	/* of the data */
	char buffer[262144];	/* of what is not data */
};

/*
 * A pair: the data grows while it is recorded, the key comes at the end. A
 * joined file is recorded as the pair PATH.key and PATH.data, which goes when
 * it has been joined. A stream is one file, the data, and has no key. The first
 * write creates the files. Zero is closed.
 */
struct dmt_files {
	struct dmt_files_memory *memory;
	bool journal;
	bool streaming;
	bool open;
	bool created;		/* the data, and the key of a journal */
	struct dmt_held data;
	struct dmt_held key;	/* of a journal */
	uint64_t size;		/* bytes of the data, once it is created */
	uint64_t preallocated;	/* how far the file system has room for it */
	bool preallocates;
	struct dmt_held target;	/* the key, or the joined file */
	bool target_failed;	/* of a stream: the summary */
	bool temporary;		/* it has that name still */
	size_t buffered;
	size_t key_size;	/* bytes put to it, on disk or not */
	uint64_t records_at;	/* where they begin in the data; of a stream,
				   those after the last packet */
	struct dmt_packet packet;	/* the last one in the buffer, */
	size_t packet_at;	/* and where it begins there */
	uint64_t summary_at;	/* in the data */
	struct dmtrace_error error;
};

/* What is to be opened. */
struct dmt_files_plan {
	const char *path;
	unsigned number;	/* from 1; after the name from 2 on */
	bool journal;
	bool streaming;
	const uint8_t *header;	/* of DMT_HEADER_SIZE bytes; it is copied */
};

/* Bytes of path before ".trace", ".key" or ".data"; all without one. */
size_t
dmt_files_stem(const char *path);

/* Whether path names a half of a pair. */
bool
dmt_files_is_pair(const char *path);

/* Checks that the files can be created, and creates none yet. DMTRACE_OK,
 * DMTRACE_ERR_MEMORY or DMTRACE_ERR_IO; then it is closed. */
enum dmtrace_status
dmt_files_open(struct dmt_files *files, const struct dmt_files_plan *plan);

/*
 * How many of len bytes of whole records to write, so that the data ends at
 * the end of a page, if that can be; else len.
 */
size_t
dmt_files_fit(const struct dmt_files *files, size_t len, size_t record_size);

/*
 * Appends whole records to the data, of a stream after the packets that are in
 * the buffer, in one write. Returns how many bytes are there: less than len,
 * but whole records, if the write failed.
 */
size_t
dmt_files_write(struct dmt_files *files, const uint8_t *records, size_t len,
    size_t record_size);

/* Appends to the key of a journal, at the latest when it is flushed. Nothing
 * follows the first failure. */
void
dmt_files_journal(struct dmt_files *files, const char *bytes, size_t len);
void
dmt_files_flush_journal(struct dmt_files *files);

/*
 * A packet of a stream, which is written with the records that follow, or
 * before them if the buffer is full: begins it; appends to its text, which has
 * DMT_PACKET_TEXT_MAX bytes at most; ends it. thread: of a thread.
 */
void
dmt_files_begin_packet(struct dmt_files *files, enum dmt_packet_kind kind,
    uint16_t thread);
void
dmt_files_put_packet(struct dmt_files *files, const char *bytes, size_t len);
void
dmt_files_end_packet(struct dmt_files *files);

/*
 * The summary, a stream's last packet, whose size comes before its text. First
 * all of the text is passed to measure, which adds up its bytes in key_size (0
 * before); then begin, put with the same text, and end. end returns false if
 * the summary could not be written; then the file is as it was before begin.
 */
void
dmt_files_measure_summary(struct dmt_files *files, const char *bytes,
    size_t len);
void
dmt_files_begin_summary(struct dmt_files *files);
void
dmt_files_put_summary(struct dmt_files *files, const char *bytes, size_t len);
bool
dmt_files_end_summary(struct dmt_files *files);

/* Appends to the key in the target; buffered. A failure is returned by
 * dmt_files_close_target. */
void
dmt_files_put_key(struct dmt_files *files, const char *bytes, size_t len);

/* Ends the target, and gives it its name if all went well. */
enum dmtrace_status
dmt_files_close_target(struct dmt_files *files);

/* After its key, appends the data to a joined file, and gives all files their
 * names. */
enum dmtrace_status
dmt_files_publish(struct dmt_files *files);

/* Takes len bytes or a little more from the end of the data, in whole records,
 * if that is why the disk is full. Returns how many. */
size_t
dmt_files_cut(struct dmt_files *files, size_t len, size_t record_size);

/* For another try at the key, as good as the disk allows; of a file that
 * cannot be joined the pair is left that it was recorded as. false: there is
 * no data that a key could be for, or the key cannot be written. */
bool
dmt_files_fall_back(struct dmt_files *files);

/* Returns the first failure of all. */
enum dmtrace_status
dmt_files_close(struct dmt_files *files);

/* Lets go of the files as they are: in the child of a fork. */
void
dmt_files_abandon(struct dmt_files *files);

#endif
