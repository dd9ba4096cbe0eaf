#define _GNU_SOURCE
#include "CBluebonnetTestFaults.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct plan {
    char thread[16];
    int skipped;
    int left;
    int code;
    int count;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct plan plans[BT_FUNCTION_COUNT];
/* Spares threads the mutex while nothing is planned. */
static atomic_int is_planned[BT_FUNCTION_COUNT];

void bt_fault_plan(enum bt_function function, const char *thread, int skipped, int count, int code) {
    pthread_mutex_lock(&mutex);
    struct plan *plan = &plans[function];
    *plan = (struct plan){.skipped = skipped, .left = count, .code = code};
    snprintf(plan->thread, sizeof plan->thread, "%s", thread);
    pthread_mutex_unlock(&mutex);
    atomic_store(&is_planned[function], 1);
}

int bt_fault_count(enum bt_function function) {
    pthread_mutex_lock(&mutex);
    int count = plans[function].count;
    pthread_mutex_unlock(&mutex);
    return count;
}

/* Returns whether this call must fail, and stores its code. */
static int fails(enum bt_function function, int *code) {
    if (!atomic_load(&is_planned[function]))
        return 0;
    char name[16] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    pthread_mutex_lock(&mutex);
    struct plan *plan = &plans[function];
    int fails = 0;
    if (strcmp(plan->thread, name) == 0) {
        if (plan->skipped > 0) {
            plan->skipped--;
        } else if (plan->left > 0) {
            plan->left--;
            plan->count++;
            *code = plan->code;
            fails = 1;
        }
    }
    pthread_mutex_unlock(&mutex);
    return fails;
}

/* The next function with this name, looked up once. */
#define NEXT(type, name)                                                                            \
    static _Atomic(type) next;                                                                      \
    if (next == NULL)                                                                               \
    next = (type)dlsym(RTLD_NEXT, name)

/* Numbers and pointers are passed in the same way, so a pointer can carry every value. */
int curl_easy_setopt(void *easy, int option, ...) {
    NEXT(int (*)(void *, int, ...), "curl_easy_setopt");
    va_list values;
    va_start(values, option);
    void *value = va_arg(values, void *);
    va_end(values);
    int code = 0;
    return fails(BT_SETOPT, &code) ? code : next(easy, option, value);
}

int curl_multi_socket_action(void *multi, int socket, int events, int *running) {
    NEXT(int (*)(void *, int, int, int *), "curl_multi_socket_action");
    int code = 0;
    return fails(BT_SOCKET_ACTION, &code) ? code : next(multi, socket, events, running);
}

int curl_multi_add_handle(void *multi, void *easy) {
    NEXT(int (*)(void *, void *), "curl_multi_add_handle");
    int code = 0;
    return fails(BT_ADD_HANDLE, &code) ? code : next(multi, easy);
}
