#define _GNU_SOURCE
#include "CBluebonnetTestFaults.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#ifdef HAS_SANITIZER

int bt_answer_await(const char *thread, int size) {
    (void)thread;
    (void)size;
    return -1;
}

int bt_answer_count(void) {
    return 0;
}

#else

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char awaiting[16];
/* Not 0 while a thread has to wait. Spares other threads the mutex. */
static atomic_int awaited;
static atomic_int count;

int bt_answer_await(const char *thread, int size) {
    pthread_mutex_lock(&mutex);
    snprintf(awaiting, sizeof awaiting, "%s", thread);
    pthread_mutex_unlock(&mutex);
    atomic_store(&count, 0);
    atomic_store(&awaited, size);
    return 0;
}

int bt_answer_count(void) {
    return atomic_load(&count);
}

static int waits(void) {
    char name[16] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    pthread_mutex_lock(&mutex);
    int waits = strcmp(awaiting, name) == 0;
    pthread_mutex_unlock(&mutex);
    return waits;
}

ssize_t send(int socket, const void *bytes, size_t size, int flags) {
    static _Atomic(ssize_t (*)(int, const void *, size_t, int)) next;
    if (next == NULL)
        next = (ssize_t (*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send");
    ssize_t sent = next(socket, bytes, size, flags);
    int wanted = atomic_load(&awaited);
    if (wanted == 0 || sent <= 0 || !waits())
        return sent;
    /* Polls every millisecond for 10 s, because no event reports that more bytes are unread. */
    for (int step = 0; step < 10000; step++) {
        int unread = 0;
        if (ioctl(socket, FIONREAD, &unread) != 0)
            break;
        if (unread >= wanted) {
            atomic_fetch_add(&count, 1);
            break;
        }
        poll(NULL, 0, 1);
    }
    return sent;
}

#endif
