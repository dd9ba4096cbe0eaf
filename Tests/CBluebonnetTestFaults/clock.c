#define _GNU_SOURCE
#include "CBluebonnetTestFaults.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#ifdef HAS_SANITIZER

int bt_clock_set_ahead(long seconds) {
    return seconds == 0 ? 0 : -1;
}

#else

static atomic_long ahead;

int bt_clock_set_ahead(long seconds) {
    atomic_store(&ahead, seconds);
    return 0;
}

static int is_of_the_wall(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static _Atomic(int (*)(clockid_t, struct timespec *)) next;
    if (next == NULL)
        next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(clock, time);
    if (result == 0 && is_of_the_wall(clock))
        time->tv_sec += atomic_load(&ahead);
    return result;
}

int gettimeofday(struct timeval *restrict place, void *restrict zone) {
    struct timespec now;
    (void)zone;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    if (result == 0)
        *place = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return result;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place != NULL)
        *place = now.tv_sec;
    return now.tv_sec;
}

#endif
