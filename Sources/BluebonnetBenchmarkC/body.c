#include "body.h"

#include <stdlib.h>
#include <string.h>

/// Returns a known Content-Length, for one exact allocation, or else twice the capacity.
static size_t capacity_for(const struct body *body, size_t needed) {
    if (body->bytes == NULL) {
        curl_off_t length = -1;
        curl_easy_getinfo(body->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
        if (length > 0 && (size_t)length >= needed) {
            return (size_t)length;
        }
    }
    size_t doubled = body->capacity * 2;
    return doubled > needed ? doubled : needed;
}

size_t body_append(char *data, size_t size, size_t count, void *context) {
    struct body *body = context;
    size_t added = size * count;
    size_t needed = body->count + added;
    if (needed > body->capacity) {
        size_t capacity = capacity_for(body, needed);
        char *bytes = realloc(body->bytes, capacity);
        if (bytes == NULL) {
            return CURL_WRITEFUNC_ERROR;
        }
        body->bytes = bytes;
        body->capacity = capacity;
    }
    memcpy(body->bytes + body->count, data, added);
    body->count = needed;
    return added;
}

void body_free(struct body *body) {
    free(body->bytes);
    body->bytes = NULL;
    body->count = 0;
    body->capacity = 0;
}
