/* files.h - the files of one trace while it is being recorded */
#ifndef DMT_RECORD_FILES_H
#define DMT_RECORD_FILES_H

#include <dmtrace/status.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "data/stream_decode.h"
#include "format/header.h"
#include "private/names.h"

#define DMT_FILE_PAGE 4096
#define DMT_PADDING_LINE DMT_OPTION_PADDING "=\n"

/* A descriptor and the identity of its file. Programs that become daemons
 * close all descriptors that they do not know; the number may then belong to
 * another file, to which the recorder must not write. */
struct dmt_held {
	int fd;			/* -1: none */
	dev_t device;
	ino_t inode;
	bool regular;
};

/* The names of the files. */
struct dmt_paths {
	char named[PATH_MAX];	/* as given by the host, with the number */
	char key[PATH_MAX];
	char data[PATH_MAX];
	char target[PATH_MAX];	/* target of its symbolic links */
	char temporary[PATH_MAX];	/* name of the target until it is
					   complete */
	bool joined;		/* the target is a joined file, not a key */
};

/* Mapped memory, as a file may be completed in a signal handler that has
 * interrupted malloc. */
struct dmt_files_memory {
	struct dmt_paths paths;
	struct dmt_files_memory *next;	/* of all open ones of the process */
	uint8_t header[DMT_HEADER_SIZE];	/* of the data */
	char buffer[262144];	/* of the target, or of a stream's packets */
};

/*
 * For a pair, the data grows while it is recorded, and the key is written at
 * the end. A joined file is recorded as the pair PATH.key and PATH.data, which
 * is removed when it has been joined, or is renamed. A stream is a single file,
 * the data, without a key. The first write creates the files. A zeroed struct
 * is closed.
 */
struct dmt_files {
	struct dmt_files_memory *memory;
	bool journal;
	bool streaming;
	bool open;
	bool created;		/* the data file, and the key file of a
				   journal */
	struct dmt_held data;
	struct dmt_held key;	/* of a journal */
	uint64_t size;		/* of the data, in bytes, once it is created */
	uint64_t preallocated;	/* the file system has allocated it up to
				   here */
	bool preallocates;
	size_t room;		/* bytes before the records of a joined file,
				   for its key and the header; 0: none */
	size_t padding;		/* bytes of the option that pads the key to the
				   room; 0: the key is not written there */
	struct dmt_held target;	/* the key file or the joined file */
	bool target_failed;	/* for a stream: of the summary */
	bool temporary;		/* it still has its temporary name */
	size_t buffered;
	size_t key_size;	/* bytes written to it, including the buffer */
	uint64_t records_at;	/* offset in the data; in a stream, of the
				   records after the last packet */
	struct dmt_packet packet;	/* the last one in the buffer, */
	size_t packet_at;	/* and its offset there */
	uint64_t summary_at;	/* in the data */
	struct dmtrace_error error;
};

/* Protects the list of open files. It is the last lock to be taken, by holders
 * of a recorder's lock only. */
extern pthread_mutex_t dmt_files_lock;

/* What to open. */
struct dmt_files_plan {
	const char *path;
	unsigned number;	/* from 1 on; appended to the name from 2 on */
	bool journal;
	bool streaming;
	const uint8_t *header;	/* DMT_HEADER_SIZE bytes, which are copied */
};

/* Returns the length of path without ".trace", ".key" or ".data". */
size_t
dmt_files_stem(const char *path);

/* Returns true if path names a file of a pair. */
bool
dmt_files_is_pair(const char *path);

/* Checks that the files can be created, but creates none yet. Returns
 * DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or DMTRACE_ERR_STATE: one of
 * them is open already, for another recorder; after a failure it is closed. */
enum dmtrace_status
dmt_files_open(struct dmt_files *files, const struct dmt_files_plan *plan);

/*
 * Called before the first write of a recording that will be large: creates the
 * files, with room for the key if this is a joined file. front is the beginning
 * of the key that is there until then, with the name of its last option,
 * DMT_OPTION_PADDING.
 */
void
dmt_files_reserve(struct dmt_files *files, const char *front, size_t room);

/* Called before a key of key_size bytes is written, if there is a room: sets
 * padding, and prepares to write the key there, unless it does not fit. */
void
dmt_files_use_room(struct dmt_files *files);

/*
 * Returns how many of len bytes of whole records to write, so that the data
 * ends at the end of a page if possible; otherwise len.
 */
size_t
dmt_files_fit(const struct dmt_files *files, size_t len, size_t record_size);

/*
 * Appends whole records to the data, in a stream preceded by the packets in
 * the buffer, in a single write. Returns how many bytes were written: if the
 * write failed, less than len, but whole records.
 */
size_t
dmt_files_write(struct dmt_files *files, const uint8_t *records, size_t len,
    size_t record_size);

/* Appends to the key of a journal; the bytes are written at the latest by the
 * flush. After the first failure nothing more is written. */
void
dmt_files_journal(struct dmt_files *files, const char *bytes, size_t len);
void
dmt_files_flush_journal(struct dmt_files *files);

/*
 * Begin, extend and end a packet of a stream, which is written together with
 * the records that follow, or earlier if the buffer is full. Its text has
 * DMT_PACKET_TEXT_MAX bytes at most. thread is used for packets of threads.
 */
void
dmt_files_begin_packet(struct dmt_files *files, enum dmt_packet_kind kind,
    uint16_t thread);
void
dmt_files_put_packet(struct dmt_files *files, const char *bytes, size_t len);
void
dmt_files_end_packet(struct dmt_files *files);

/* Adds the size of bytes to key_size; nothing is written. */
void
dmt_files_measure(struct dmt_files *files, const char *bytes, size_t len);

/*
 * Write the summary, the last packet of a stream, whose size precedes its
 * text. First pass all of the text to measure; then call begin, put with the
 * same text, and end. end returns false if the summary could not be written;
 * then the file is as it was before begin.
 */
void
dmt_files_begin_summary(struct dmt_files *files);
void
dmt_files_put_summary(struct dmt_files *files, const char *bytes, size_t len);
bool
dmt_files_end_summary(struct dmt_files *files);

/* Appends to the key in the target, buffered. Failures are returned by
 * dmt_files_close_target. */
void
dmt_files_put_key(struct dmt_files *files, const char *bytes, size_t len);

/* Completes the target, and gives it its name unless there was a failure. */
enum dmtrace_status
dmt_files_close_target(struct dmt_files *files);

/* Appends the data to a joined file, after its key, and gives all files their
 * names. */
enum dmtrace_status
dmt_files_publish(struct dmt_files *files);

/* If the disk is full, removes len bytes, rounded up to whole records, from
 * the end of the data. Returns how many were removed. */
size_t
dmt_files_cut(struct dmt_files *files, size_t len, size_t record_size);

/* Prepares a second attempt to write the key, as well as the disk allows; if
 * the files could not be joined, the pair is left. false: there is no data, or
 * the key cannot be written. */
bool
dmt_files_fall_back(struct dmt_files *files);

/* Closes all files. Returns the first failure. */
enum dmtrace_status
dmt_files_close(struct dmt_files *files);

/* Closes the descriptors in the child of a fork, and leaves the files as they
 * are. */
void
dmt_files_abandon(struct dmt_files *files);

#endif
