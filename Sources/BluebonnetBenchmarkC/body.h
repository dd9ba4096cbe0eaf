#ifndef BENCHMARK_C_BODY_H
#define BENCHMARK_C_BODY_H

#include <curl/curl.h>
#include <stddef.h>

/// The body of one response, which is collected in memory as a user of libcurl would do.
struct body {
    CURL *easy;
    char *bytes;
    size_t count;
    size_t capacity;
};

/// A CURLOPT_WRITEFUNCTION whose CURLOPT_WRITEDATA is a `struct body`.
size_t body_append(char *data, size_t size, size_t count, void *context);

/// Frees the bytes, so that every request pays for its own allocation.
void body_free(struct body *body);

#endif
