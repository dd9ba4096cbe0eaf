#ifndef BENCHMARK_C_SETTINGS_H
#define BENCHMARK_C_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/// The settings of a case for all its transfers.
struct settings {
    const char *url;
    size_t concurrency;
    long buffer_size;
    /// The path of a PEM file of authorities to trust, or NULL for libcurl's default.
    const char *authorities;
    /// A JSON document to send with POST, or NULL for GET.
    const char *document;
    /// Whether to use HTTP/2, with requests that share connections.
    bool http2;
    /// The number of addresses of 127.0.0.0/8 that replace the URL's host in turn, or 0.
    size_t hosts;
    /// The number of transfers that stay in flight in addition to those of the loop.
    size_t held;
};

/// Returns the settings for a case, tuned by its name.
struct settings settings_for(const char *case_name, const char *url, size_t concurrency,
                             const char *file);

#endif
