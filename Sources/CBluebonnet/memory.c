#include "CBluebonnet.h"

#include <stdatomic.h>
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
//
// What a response is put in is fetched on the loop's thread too, and let go of on others, in bursts.
// Freed there it would make the loop wait for the allocator's lock; so it goes on a stack of returns,
// without a lock, from which a loop's thread takes everything when it has nothing left of a size.

enum {
    step = 16,
    smallest = 24,
    /// How many sizes of blocks there are in such steps, and then in larger ones, up to those of
    /// receive buffers.
    fine_count = 512,
    largest_fine = smallest + (fine_count - 1) * step,
    coarse_step = 512,
    coarse_count = 47,
    size_count = fine_count + coarse_count,
    /// The place of receive buffers, and that of what is never kept.
    buffer_place = size_count,
    no_place,
    // Beyond it all are freed, so that sizes that nobody asks for any more do not stay.
    kept_bytes_most = 2 * 1024 * 1024,
    returned_bytes_most = 1024 * 1024,
    /// Of what is smaller the allocator keeps some for each thread.
    smallest_returned = 512,
    kept_buffers_most = 64,
    grown_ahead_most = 256,
};

/// What stands before each block: to ask the allocator for the size would take longer.
struct block {
    /// Which list it belongs in.
    uint32_t place;
    /// How much it holds; not kept up to date where no list takes it.
    uint32_t capacity;
    /// While it is in a list.
    struct block *next;
};

_Static_assert(sizeof(struct block) % _Alignof(max_align_t) == 0, "what follows must be aligned");

struct spares {
    struct block *lists[size_count + 1];
    size_t bytes;
    int buffer_count;
};

/// Set once, but any thread may ask for memory meanwhile.
static atomic_size_t buffer_size = SIZE_MAX;
// Nil on threads that are not a loop's: what libcurl asks for there it gets from the allocator.
// Looked at with every block, so it has a place that needs no call to be found.
static _Thread_local struct spares *spares __attribute__((tls_model("initial-exec")));

/// What other threads let go of. They only add to it, and it is taken as a whole. Between somebody's
/// look at the first and the change that block may have gone and come back, which does no harm: to
/// add one takes no more than to know which is first.
static _Atomic(struct block *) returned;
static atomic_size_t returned_bytes;

static bool is_watched(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
    return true;
#endif
#endif
    return false;
}

void bb_memory_open(void) {
    if (!is_watched()) {
        spares = calloc(1, sizeof *spares);
    }
}

static size_t place_of(size_t size) {
    if (size <= largest_fine) {
        return size <= smallest ? 0 : (size - smallest + step - 1) / step;
    }
    if (size <= largest_fine + coarse_count * coarse_step) {
        return fine_count + (size - largest_fine - 1) / coarse_step;
    }
    size_t buffer = atomic_load_explicit(&buffer_size, memory_order_relaxed);
    return size == buffer ? buffer_place : no_place;
}

/// How much a block of one of the sizes holds.
static size_t capacity_of(size_t place) {
    return place < fine_count ? smallest + place * step
                              : largest_fine + (place - fine_count + 1) * coarse_step;
}

static void free_all(struct block **list) {
    while (*list != NULL) {
        struct block *first = *list;
        *list = first->next;
        free(first);
    }
}

static void free_blocks(void) {
    for (size_t place = 0; place < size_count; place++) {
        free_all(&spares->lists[place]);
    }
    spares->bytes = 0;
}

void bb_memory_close(void) {
    if (spares == NULL) {
        return;
    }
    free_blocks();
    free_all(&spares->lists[buffer_place]);
    free(spares);
    spares = NULL;
}

size_t bb_memory_kept(void) {
    return spares == NULL ? 0 : spares->bytes + (size_t)spares->buffer_count * buffer_size;
}

size_t bb_memory_returned(void) {
    return atomic_load_explicit(&returned_bytes, memory_order_relaxed);
}

static void *make(size_t place, size_t capacity) {
    size_t whole;
    if (__builtin_add_overflow(sizeof(struct block), capacity, &whole)) {
        return NULL;
    }
    struct block *block = malloc(whole);
    if (block == NULL) {
        return NULL;
    }
    block->place = (uint32_t)place;
    block->capacity = (uint32_t)capacity;
    return block + 1;
}

static void keep(struct block *block) {
    spares->bytes += block->capacity;
    block->next = spares->lists[block->place];
    spares->lists[block->place] = block;
}

static struct block *pop(size_t place) {
    struct block *first = spares->lists[place];
    if (first != NULL) {
        spares->lists[place] = first->next;
        spares->bytes -= first->capacity;
    }
    return first;
}

static void keep_returned(void) {
    size_t bytes = 0;
    struct block *block = atomic_exchange_explicit(&returned, NULL, memory_order_acquire);
    while (block != NULL) {
        struct block *next = block->next;
        bytes += block->capacity;
        keep(block);
        block = next;
    }
    atomic_fetch_sub_explicit(&returned_bytes, bytes, memory_order_relaxed);
    if (spares->bytes > kept_bytes_most) {
        free_blocks();
    }
}

/// Not what is mostly done, and not inlined, so that that is short.
__attribute__((noinline)) static void *take_rarely(size_t size, size_t place) {
    struct block *first = NULL;
    if (spares != NULL && place < size_count) {
        if (atomic_load_explicit(&returned, memory_order_relaxed) != NULL) {
            keep_returned();
        }
        first = pop(place);
    } else if (spares != NULL && place == buffer_place && spares->buffer_count > 0) {
        first = spares->lists[buffer_place];
        spares->lists[buffer_place] = first->next;
        spares->buffer_count--;
    }
    return first != NULL ? first + 1 : make(place, place < size_count ? capacity_of(place) : size);
}

void *bb_memory_take(size_t size) {
    if (is_watched()) {
        return malloc(size);
    }
    size_t place = place_of(size);
    if (spares == NULL || place >= size_count || spares->lists[place] == NULL) {
        return take_rarely(size, place);
    }
    return pop(place) + 1;
}

static void add_to_returned(struct block *block) {
    size_t capacity = block->capacity;
    size_t before = atomic_fetch_add_explicit(&returned_bytes, capacity, memory_order_relaxed);
    if (before + capacity > returned_bytes_most) {
        atomic_fetch_sub_explicit(&returned_bytes, capacity, memory_order_relaxed);
        free(block);
        return;
    }
    block->next = atomic_load_explicit(&returned, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(
        &returned, &block->next, block, memory_order_release, memory_order_relaxed)) {
    }
}

__attribute__((noinline)) static void give_rarely(struct block *block) {
    if (block->place < size_count) {
        if (spares != NULL) {
            free_blocks();
            keep(block);
        } else if (block->capacity >= smallest_returned) {
            add_to_returned(block);
        } else {
            free(block);
        }
    } else if (spares != NULL && block->place == buffer_place
               && spares->buffer_count < kept_buffers_most) {
        block->next = spares->lists[buffer_place];
        spares->lists[buffer_place] = block;
        spares->buffer_count++;
    } else {
        free(block);
    }
}

void bb_memory_give(void *memory) {
    // Of what libcurl frees, most is nothing.
    if (memory == NULL) {
        return;
    }
    if (is_watched()) {
        free(memory);
        return;
    }
    struct block *block = (struct block *)memory - 1;
    if (spares == NULL || block->place >= size_count
        || spares->bytes + block->capacity > kept_bytes_most) {
        give_rarely(block);
        return;
    }
    keep(block);
}

/// What is large may grow in place, or by remapping.
static void *resize_large(struct block *block, size_t size) {
    size_t whole;
    if (__builtin_add_overflow(sizeof *block, size, &whole)) {
        return NULL;
    }
    struct block *moved = realloc(block, whole);
    if (moved == NULL) {
        return NULL;
    }
    moved->place = no_place;
    return moved + 1;
}

void *bb_memory_resize(void *memory, size_t size) {
    if (memory == NULL) {
        return bb_memory_take(size);
    }
    if (is_watched()) {
        return realloc(memory, size);
    }
    struct block *block = (struct block *)memory - 1;
    if (block->place >= size_count) {
        return resize_large(block, size);
    }
    size_t capacity = block->capacity;
    if (size <= capacity) {
        return memory;
    }
    // What grows once mostly grows again, doubling each time.
    void *moved = bb_memory_take(size < grown_ahead_most ? size * 4 : size);
    if (moved != NULL) {
        memcpy(moved, memory, capacity);
        bb_memory_give(memory);
    }
    return moved;
}

void *bb_memory_take_zeroed(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        return NULL;
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
    atomic_store_explicit(&buffer_size, receive_buffer_size + 1, memory_order_relaxed);
    // Without an effect where the program has initialized libcurl before.
    return curl_global_init_mem(CURL_GLOBAL_DEFAULT, bb_memory_take, bb_memory_give,
                                bb_memory_resize, take_copy, bb_memory_take_zeroed);
}
