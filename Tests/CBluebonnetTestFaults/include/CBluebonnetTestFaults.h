/*
 * Functions of libcurl and the system that replace the originals in a test's process. They call the
 * originals unless a test makes them fail.
 */
#ifndef CTESTFAULTS_H
#define CTESTFAULTS_H

/* The functions that can be made to fail. */
enum bt_function { BT_SETOPT, BT_SOCKET_ACTION, BT_ADD_HANDLE, BT_FUNCTION_COUNT };

/*
 * Makes a function return a code on threads with this name: `skipped` calls reach the original,
 * then `count` calls fail. Threads with other names are not affected. The plan replaces an earlier
 * one for the same function.
 */
void bt_fault_plan(enum bt_function function, const char *thread, int skipped, int count, int code);

/* Returns how often the function has failed under its last plan. */
int bt_fault_count(enum bt_function function);

/*
 * Sets the wall clock of this process this many seconds ahead of the system's. Other clocks do not
 * change. Returns 0, or -1 if a sanitizer intercepts the clock functions.
 */
int bt_clock_set_ahead(long seconds);

/*
 * Makes each send on threads with this name return only after `size` bytes have arrived on its
 * socket, as if the thread had been delayed. A size of 0 ends this. Returns 0, or -1 if a sanitizer
 * intercepts send.
 */
int bt_answer_await(const char *thread, int size);

/* Returns how often a send has seen these bytes arrive since the last bt_answer_await. */
int bt_answer_count(void);

#endif
