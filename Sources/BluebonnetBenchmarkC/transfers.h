#ifndef BENCHMARK_C_TRANSFERS_H
#define BENCHMARK_C_TRANSFERS_H

#include "body.h"
#include "settings.h"
#include "watcher.h"

/// A closed loop of requests: when a request ends, the next one starts on the same easy handle.
struct transfers {
    struct watcher watcher;
    /// The TLS sessions that the handles share.
    CURLSH *share;
    struct curl_slist *headers;
    /// The bodies of the loop's requests, followed by those of the held requests.
    struct body *bodies;
    size_t body_count;
    struct settings settings;
    /// The size of the first response, which all others must have, or -1 before it.
    int64_t expected_bytes;
    size_t started;
    size_t finished;
    size_t count;
    uint64_t bytes;
};

bool transfers_open(struct transfers *transfers, struct settings settings);
void transfers_close(struct transfers *transfers);

/// Starts the held requests, which must not end.
bool transfers_hold(struct transfers *transfers, const char *url);

/// Performs `count` requests. Returns false after printing an error.
bool transfers_run(struct transfers *transfers, size_t count, size_t concurrency);

#endif
