#ifndef BENCHMARK_C_TRANSFERS_H
#define BENCHMARK_C_TRANSFERS_H

#include "body.h"
#include "settings.h"
#include "watcher.h"

/// A closed loop of requests: each one that ends starts the next on the same easy handle.
struct transfers {
    struct watcher watcher;
    /// Where the handles find TLS sessions to resume.
    CURLSH *share;
    struct curl_slist *headers;
    /// First those of the loop, then those that are held.
    struct body *bodies;
    size_t body_count;
    struct settings settings;
    /// The first response's size, which every later one must have; -1 before that.
    int64_t expected_bytes;
    size_t started;
    size_t finished;
    size_t count;
    uint64_t bytes;
};

bool transfers_open(struct transfers *transfers, struct settings settings);
void transfers_close(struct transfers *transfers);

/// Starts the held ones, none of which may end.
bool transfers_hold(struct transfers *transfers, const char *url);

/// Does `count` requests; false after telling standard error what went wrong.
bool transfers_run(struct transfers *transfers, size_t count, size_t concurrency);

#endif
