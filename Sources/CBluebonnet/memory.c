#include "CBluebonnet.h"

#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Before 8.8 libcurl makes a receive buffer for every request. Once freed it is mostly the last of
// the heap, which the allocator returns to the system, to fetch it again page by page for the next
// request; so some are kept instead.
enum { kept_most = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *kept[kept_most];
static int kept_count;
static size_t kept_size = SIZE_MAX;

static void *take(size_t size) {
    void *memory = NULL;
    if (size == kept_size) {
        pthread_mutex_lock(&mutex);
        if (kept_count > 0) {
            memory = kept[--kept_count];
        }
        pthread_mutex_unlock(&mutex);
    }
    return memory != NULL ? memory : malloc(size);
}

static void give(void *memory) {
    // Of what libcurl frees, most is nothing.
    if (memory == NULL) {
        return;
    }
    // What else is of that size does as well.
    size_t usable = malloc_usable_size(memory);
    if (usable >= kept_size && usable - kept_size < sizeof(max_align_t)) {
        pthread_mutex_lock(&mutex);
        if (kept_count < kept_most) {
            kept[kept_count++] = memory;
            memory = NULL;
        }
        pthread_mutex_unlock(&mutex);
    }
    free(memory);
}

CURLcode bb_global_init(size_t receive_buffer_size) {
    // And a byte that libcurl adds.
    kept_size = receive_buffer_size + 1;
    // Without an effect where the program has initialized libcurl before.
    return curl_global_init_mem(CURL_GLOBAL_DEFAULT, take, give, realloc, strdup, calloc);
}

int bb_kept_buffer_count(void) {
    pthread_mutex_lock(&mutex);
    int count = kept_count;
    pthread_mutex_unlock(&mutex);
    return count;
}
