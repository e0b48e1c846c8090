/* threads.h - which lanes a thread has, and what becomes of them at its end */
#ifndef DMT_RECORD_THREADS_H
#define DMT_RECORD_THREADS_H

#include <pthread.h>
#include <stdbool.h>

/* Taken before a recorder's own lock: whoever holds it finds the recorders
 * of lanes alive. */
extern pthread_mutex_t dmt_registry;

/* Before the first lane is made. false: the process has no pthread key left. */
bool
dmt_threads_init(void);

#endif
