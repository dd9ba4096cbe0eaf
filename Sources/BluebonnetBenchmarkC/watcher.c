#include "watcher.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { event_batch = 64 };

static double monotonic_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static struct watch *watch_for(struct watcher *watcher, curl_socket_t socket) {
    size_t index = (size_t)socket;
    if (index >= watcher->watch_count) {
        size_t count = index + 64;
        struct watch *grown = realloc(watcher->watches, count * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        memset(grown + watcher->watch_count, 0, (count - watcher->watch_count) * sizeof *grown);
        watcher->watches = grown;
        watcher->watch_count = count;
    }
    return &watcher->watches[index];
}

/// A socket that libcurl no longer needs stays registered. The next request on its kept connection
/// needs the same event again, and therefore no call to epoll_ctl.
static int on_socket(CURL *easy, curl_socket_t socket, int what, void *context, void *unused) {
    (void)easy;
    (void)unused;
    struct watcher *watcher = context;
    struct watch *watch = watch_for(watcher, socket);
    if (watch == NULL) {
        return -1;
    }
    uint32_t wanted = 0;
    if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) {
        wanted |= EPOLLIN;
    }
    if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) {
        wanted |= EPOLLOUT;
    }
    watch->wanted = wanted;
    if (wanted == 0 || wanted == watch->registered) {
        return 0;
    }
    struct epoll_event event = {.events = wanted, .data.fd = socket};
    int operation = watch->registered == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    if (epoll_ctl(watcher->epoll, operation, socket, &event) != 0) {
        return -1;
    }
    watch->registered = wanted;
    return 0;
}

static int on_timer(CURLM *multi, long timeout, void *context) {
    (void)multi;
    struct watcher *watcher = context;
    watcher->timer_armed = timeout >= 0;
    watcher->timer_deadline = timeout > 0 ? monotonic_milliseconds() + (double)timeout : 0;
    return 0;
}

/// Closing a socket removes it from epoll, so the state for its number must be reset.
static int on_close(void *context, curl_socket_t socket) {
    struct watcher *watcher = context;
    if ((size_t)socket < watcher->watch_count) {
        watcher->watches[socket] = (struct watch){0};
    }
    return close(socket);
}

bool watcher_open(struct watcher *watcher, CURLM *multi) {
    *watcher = (struct watcher){.multi = multi, .epoll = epoll_create1(EPOLL_CLOEXEC)};
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, watcher);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, watcher);
    return watcher->epoll >= 0;
}

void watcher_close(struct watcher *watcher) {
    free(watcher->watches);
    close(watcher->epoll);
}

void watcher_attach(struct watcher *watcher, CURL *easy) {
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, watcher);
}

void watcher_fire_timer(struct watcher *watcher) {
    if (!watcher->timer_armed) {
        return;
    }
    if (watcher->timer_deadline > 0 && watcher->timer_deadline > monotonic_milliseconds()) {
        return;
    }
    int running;
    watcher->timer_armed = false;
    curl_multi_socket_action(watcher->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

static int wait_milliseconds(const struct watcher *watcher) {
    if (!watcher->timer_armed) {
        return -1;
    }
    if (watcher->timer_deadline == 0) {
        return 0;
    }
    double remaining = watcher->timer_deadline - monotonic_milliseconds();
    return remaining > 0 ? (int)remaining + 1 : 0;
}

static void handle_event(struct watcher *watcher, const struct epoll_event *event) {
    int socket = event->data.fd;
    struct watch *watch = &watcher->watches[socket];
    if (watch->wanted == 0) {
        // An idle connection that becomes readable is closing, and no transfer needs it.
        epoll_ctl(watcher->epoll, EPOLL_CTL_DEL, socket, NULL);
        watch->registered = 0;
        return;
    }
    int bits = 0;
    bits |= (event->events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0;
    bits |= (event->events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0;
    bits |= (event->events & (EPOLLERR | EPOLLHUP)) != 0 ? CURL_CSELECT_ERR : 0;
    int running;
    curl_multi_socket_action(watcher->multi, socket, bits, &running);
}

bool watcher_wait(struct watcher *watcher) {
    struct epoll_event events[event_batch];
    int count = epoll_wait(watcher->epoll, events, event_batch, wait_milliseconds(watcher));
    if (count < 0 && errno != EINTR) {
        return false;
    }
    for (int index = 0; index < count; index++) {
        handle_event(watcher, &events[index]);
    }
    return true;
}
