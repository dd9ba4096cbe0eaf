#ifndef BENCHMARK_C_WATCHER_H
#define BENCHMARK_C_WATCHER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What one socket is registered for in epoll, and what libcurl wants of it now.
struct watch {
    uint32_t registered;
    uint32_t wanted;
};

/// The epoll instance and timer on which a multi handle runs.
struct watcher {
    CURLM *multi;
    int epoll;
    struct watch *watches;
    size_t watch_count;
    bool timer_armed;
    double timer_deadline;
};

bool watcher_open(struct watcher *watcher, CURLM *multi);
void watcher_close(struct watcher *watcher);

/// Makes an easy handle tell the watcher which of its sockets close.
void watcher_attach(struct watcher *watcher, CURL *easy);

/// Lets libcurl act on a timer that is due.
void watcher_fire_timer(struct watcher *watcher);

/// Waits for sockets or the timer, and lets libcurl act on the sockets.
bool watcher_wait(struct watcher *watcher);

#endif
