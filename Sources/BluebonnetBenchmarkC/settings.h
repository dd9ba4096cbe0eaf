#ifndef BENCHMARK_C_SETTINGS_H
#define BENCHMARK_C_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/// What a case asks of every transfer.
struct settings {
    const char *url;
    size_t concurrency;
    long buffer_size;
    /// A file of PEM certificates to trust; NULL for libcurl's own.
    const char *authorities;
    /// A JSON document to send with POST; NULL for GET.
    const char *document;
    /// Insist on HTTP/2, with the requests sharing connections.
    bool http2;
    /// How many addresses of 127.0.0.0/8 take the place of the URL's host, in turn; 0 for none.
    size_t hosts;
    /// Transfers that stay in flight beside those of the loop.
    size_t held;
};

/// Tunes by the case's name.
struct settings settings_for(const char *case_name, const char *url, size_t concurrency,
                             const char *file);

#endif
