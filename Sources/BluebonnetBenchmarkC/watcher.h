#ifndef BENCHMARK_C_WATCHER_H
#define BENCHMARK_C_WATCHER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The events of one socket that are registered with epoll, and those that libcurl wants now.
struct watch {
    uint32_t registered;
    uint32_t wanted;
};

/// The epoll instance and the timer that drive a multi handle.
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

/// Makes an easy handle close its sockets through the watcher.
void watcher_attach(struct watcher *watcher, CURL *easy);

/// Lets libcurl handle its timer, if that has expired.
void watcher_fire_timer(struct watcher *watcher);

/// Waits for sockets or the timer, and lets libcurl handle the events of the sockets.
bool watcher_wait(struct watcher *watcher);

#endif
