#ifndef BENCHMARK_C_TRANSFERS_H
#define BENCHMARK_C_TRANSFERS_H

#include "body.h"
#include "watcher.h"

/// A closed loop of GET requests: each one that ends starts the next on the same easy handle.
struct transfers {
    struct watcher watcher;
    /// Where the handles find TLS sessions to resume.
    CURLSH *share;
    struct body *bodies;
    size_t concurrency;
    /// The first response's size, which every later one must have; -1 before that.
    int64_t expected_bytes;
    size_t started;
    size_t finished;
    size_t count;
    uint64_t bytes;
};

/// `authorities` is a file of PEM certificates to trust; NULL for libcurl's own.
bool transfers_open(struct transfers *transfers, const char *url, size_t concurrency,
                    long buffer_size, const char *authorities);
void transfers_close(struct transfers *transfers);

/// Does `count` requests; false after telling standard error what went wrong.
bool transfers_run(struct transfers *transfers, size_t count, size_t concurrency);

#endif
