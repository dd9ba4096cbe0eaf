/*
 * Counts the mutexes that a program locks. Built as a library of its own, which `LD_PRELOAD` puts
 * before the system's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { slot_count = 4096 };

static struct {
    uintptr_t address;
    uint64_t count;
} slots[slot_count];
static uint64_t all_locks, most_locks;
static bool is_counting;
static atomic_flag is_busy = ATOMIC_FLAG_INIT;
static int (*lock_mutex)(pthread_mutex_t *);

__attribute__((constructor)) static void find_original(void) {
    lock_mutex = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
}

static void enter(void) {
    while (atomic_flag_test_and_set_explicit(&is_busy, memory_order_acquire)) {
    }
}

static void leave(void) { atomic_flag_clear_explicit(&is_busy, memory_order_release); }

static void note(uintptr_t address) {
    enter();
    if (is_counting) {
        all_locks++;
        size_t slot = (address >> 3) % slot_count;
        for (size_t step = 0; step < slot_count; step++, slot = (slot + 1) % slot_count) {
            if (slots[slot].address && slots[slot].address != address)
                continue;
            slots[slot].address = address;
            slots[slot].count++;
            break;
        }
    }
    leave();
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!lock_mutex)
        find_original();
    note((uintptr_t)mutex);
    return lock_mutex(mutex);
}

/* Ends a call and begins the next one: the most often locked mutex of the call is its task's. */
void bluebonnet_locks_end_call(void) {
    enter();
    uint64_t most = 0;
    for (size_t slot = 0; slot < slot_count; slot++)
        most = slots[slot].count > most ? slots[slot].count : most;
    if (is_counting)
        most_locks += most;
    memset(slots, 0, sizeof slots);
    is_counting = true;
    leave();
}

/* Ends the last call and returns the locks of all calls. */
void bluebonnet_locks_finish(uint64_t *all, uint64_t *most) {
    bluebonnet_locks_end_call();
    enter();
    is_counting = false;
    *all = all_locks;
    *most = most_locks;
    leave();
}
