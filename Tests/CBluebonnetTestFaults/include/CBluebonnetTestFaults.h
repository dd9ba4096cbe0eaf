/*
 * Functions of libcurl and the system that stand before theirs in a test's process, and pass on what
 * they are asked unless a test wants them to fail.
 */
#ifndef CTESTFAULTS_H
#define CTESTFAULTS_H

/* What can be made to fail. */
enum bt_function { BT_SETOPT, BT_SOCKET_ACTION, BT_ADD_HANDLE, BT_FUNCTION_COUNT };

/*
 * Has a function return a code on the threads of this name: after so many calls that are passed on,
 * so many times. Threads of other names are left alone. What was said of the function before is
 * forgotten.
 */
void bt_fault_plan(enum bt_function function, const char *thread, int skipped, int count, int code);

/* How often the function has failed by the last plan. */
int bt_fault_count(enum bt_function function);

/*
 * Sets the wall clock, as this process sees it, so many seconds ahead of the system's; other clocks
 * stay. Returns 0, or -1 where a sanitizer has the clock's functions for itself.
 */
int bt_clock_set_ahead(long seconds);

/*
 * Has a send on the threads of this name return only when so many bytes have come for its socket to
 * read, as if the thread had been held up meanwhile; 0 is an end to that. Returns 0, or -1 where a
 * sanitizer has that function for itself.
 */
int bt_answer_await(const char *thread, int size);

/* How often such bytes have come since then. */
int bt_answer_count(void);

#endif
