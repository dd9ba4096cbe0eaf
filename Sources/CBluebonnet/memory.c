#include "CBluebonnet.h"

#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// libcurl fetches some forty blocks for a request and frees them at its end, all on the loop's
// thread. The allocator's own caches hold seven of a size; with dozens of requests in flight the
// rest is sorted into its heap and out of it again. And before 8.8 one block is the receive buffer,
// mostly the last of the heap, which the allocator returns to the system, to fetch it again page by
// page. So a loop's thread keeps what is freed there, and what libcurl asks for comes from that.

enum {
    // In such steps, from that size on, the allocator's blocks grow.
    step = 16,
    smallest = 24,
    size_count = 512,
    // Beyond it all are freed, so that sizes that nobody asks for any more do not stay.
    kept_bytes_most = 1024 * 1024,
    kept_buffers_most = 64,
    grown_ahead_most = 256,
};

struct spare {
    struct spare *next;
};

struct spares {
    /// Blocks of at least `smallest + index * step` bytes.
    struct spare *blocks[size_count];
    size_t bytes;
    struct spare *buffers;
    int buffer_count;
};

static size_t buffer_size = SIZE_MAX;
// Whether the allocator's blocks have the sizes that the lists are made for. Those of another one, put
// in its place, would be looked for in lists where they are not: it is left to its own caches.
static bool has_known_sizes;
// Nil on threads that are not a loop's: what libcurl asks for there it gets from the allocator.
// Looked at with every block, so it has a place that needs no call to be found.
static _Thread_local struct spares *spares __attribute__((tls_model("initial-exec")));

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EVERY_BLOCK_IS_WATCHED 1
#endif
#endif

static bool has_block_of(size_t size) {
    void *block = malloc(size);
    size_t usable = block == NULL ? 0 : malloc_usable_size(block);
    free(block);
    return usable == size || usable == size + step;
}

void bb_memory_open(void) {
#ifndef EVERY_BLOCK_IS_WATCHED
    if (has_known_sizes) {
        spares = calloc(1, sizeof *spares);
    }
#endif
}

static void free_all(struct spare **list) {
    while (*list != NULL) {
        struct spare *first = *list;
        *list = first->next;
        free(first);
    }
}

static void free_blocks(void) {
    for (size_t index = 0; index < size_count; index++) {
        free_all(&spares->blocks[index]);
    }
    spares->bytes = 0;
}

void bb_memory_close(void) {
    if (spares == NULL) {
        return;
    }
    free_blocks();
    free_all(&spares->buffers);
    free(spares);
    spares = NULL;
}

size_t bb_memory_kept(void) {
    return spares == NULL ? 0 : spares->bytes + (size_t)spares->buffer_count * buffer_size;
}

static bool is_buffer(size_t usable) {
    // Some blocks are a step larger than what was asked for.
    return usable >= buffer_size && usable - buffer_size < 2 * step;
}

static struct spare *pop_block(size_t index) {
    struct spare *first = spares->blocks[index];
    if (first != NULL) {
        spares->blocks[index] = first->next;
        spares->bytes -= smallest + index * step;
    }
    return first;
}

void *bb_memory_take(size_t size) {
    if (spares == NULL) {
        return malloc(size);
    }
    size_t index = size <= smallest ? 0 : (size - smallest + step - 1) / step;
    if (index < size_count) {
        struct spare *first = pop_block(index);
        // Some blocks are a step larger than what was asked for.
        if (first == NULL && index + 1 < size_count) {
            first = pop_block(index + 1);
        }
        return first != NULL ? first : malloc(smallest + index * step);
    }
    if (size == buffer_size && spares->buffers != NULL) {
        struct spare *first = spares->buffers;
        spares->buffers = first->next;
        spares->buffer_count--;
        return first;
    }
    return malloc(size);
}

void bb_memory_give(void *memory) {
    // Of what libcurl frees, most is nothing.
    if (memory == NULL) {
        return;
    }
    if (spares == NULL) {
        free(memory);
        return;
    }
    size_t usable = malloc_usable_size(memory);
    size_t index = (usable - smallest) / step;
    struct spare *spare = memory;
    if (usable >= smallest && index < size_count) {
        size_t bytes = smallest + index * step;
        if (spares->bytes + bytes > kept_bytes_most) {
            free_blocks();
        }
        spare->next = spares->blocks[index];
        spares->blocks[index] = spare;
        spares->bytes += bytes;
    } else if (is_buffer(usable) && spares->buffer_count < kept_buffers_most) {
        spare->next = spares->buffers;
        spares->buffers = spare;
        spares->buffer_count++;
    } else {
        free(memory);
    }
}

void *bb_memory_resize(void *memory, size_t size) {
    if (spares == NULL || memory == NULL) {
        return memory == NULL ? bb_memory_take(size) : realloc(memory, size);
    }
    size_t usable = malloc_usable_size(memory);
    if (size <= usable && usable < smallest + size_count * step) {
        return memory;
    }
    // What is large may grow in place, or by remapping.
    if (usable >= smallest + size_count * step) {
        return realloc(memory, size);
    }
    // What grows once mostly grows again, doubling each time.
    void *moved = bb_memory_take(size < grown_ahead_most ? size * 4 : size);
    if (moved != NULL) {
        memcpy(moved, memory, usable < size ? usable : size);
        bb_memory_give(memory);
    }
    return moved;
}

void *bb_memory_take_zeroed(size_t count, size_t size) {
    size_t bytes;
    if (spares == NULL || __builtin_mul_overflow(count, size, &bytes)
        || bytes >= smallest + size_count * step) {
        return calloc(count, size);
    }
    void *memory = bb_memory_take(bytes);
    return memory == NULL ? NULL : memset(memory, 0, bytes);
}

static char *take_copy(const char *text) {
    size_t size = strlen(text) + 1;
    void *copy = bb_memory_take(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

CURLcode bb_global_init(size_t receive_buffer_size) {
    // And a byte that libcurl adds.
    buffer_size = receive_buffer_size + 1;
    has_known_sizes = has_block_of(smallest) && has_block_of(smallest + 5 * step)
        && has_block_of(smallest + 64 * step);
    // Without an effect where the program has initialized libcurl before.
    return curl_global_init_mem(CURL_GLOBAL_DEFAULT, bb_memory_take, bb_memory_give,
                                bb_memory_resize, take_copy, bb_memory_take_zeroed);
}
