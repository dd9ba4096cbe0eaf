#define _GNU_SOURCE
#include "CBluebonnet.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

void bb_standard_descriptors_open(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF)
            continue;
        /* Inherited, because child processes need these descriptors too. */
        int opened = open("/dev/null", O_RDWR);
        if (opened > 2)
            close(opened);
    }
}

static bool has_started_threads;
bool bb_lost_threads;

/* Called in the child, before `fork` returns there. */
static void note_fork(void) {
    bool lost = __atomic_load_n(&has_started_threads, __ATOMIC_RELAXED);
    __atomic_store_n(&bb_lost_threads, lost, __ATOMIC_RELAXED);
}

/* When the library is loaded: later, it could already have opened a file. */
__attribute__((constructor)) static void prepare_process(void) {
    bb_standard_descriptors_open();
    pthread_atfork(NULL, NULL, note_fork);
}

static uint32_t to_epoll(uint32_t events) {
    return ((events & BB_READABLE) ? (uint32_t)EPOLLIN : 0) |
           ((events & BB_WRITABLE) ? (uint32_t)EPOLLOUT : 0) |
           ((events & BB_ENDED) ? (uint32_t)EPOLLRDHUP : 0);
}

static uint32_t from_epoll(uint32_t events) {
    return ((events & (EPOLLIN | EPOLLRDHUP)) ? BB_READABLE : 0) |
           ((events & EPOLLOUT) ? BB_WRITABLE : 0) |
           ((events & (EPOLLERR | EPOLLHUP)) ? BB_FAILED : 0);
}

static int control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = to_epoll(events), .data = {.u64 = token}};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int bb_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

int bb_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token) {
    return control(epoll, EPOLL_CTL_ADD, descriptor, events, token);
}

int bb_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token) {
    return control(epoll, EPOLL_CTL_MOD, descriptor, events, token);
}

int bb_epoll_remove(int epoll, int descriptor) {
    return control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0);
}

int bb_epoll_wait(int epoll, bb_readiness *ready, int capacity, int milliseconds) {
    struct epoll_event events[256];
    int limit = capacity < 256 ? capacity : 256;
    int count = epoll_wait(epoll, events, limit, milliseconds);
    for (int index = 0; index < count; index++) {
        ready[index].token = events[index].data.u64;
        ready[index].events = from_epoll(events[index].events);
    }
    return count;
}

int bb_eventfd_create(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int bb_socket_open(int family, int type, int protocol) {
    return socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
}

int bb_socket_error(int descriptor) {
    int number = 0;
    socklen_t size = sizeof number;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size) == 0 ? number : errno;
}

int bb_socket_unread_count(int descriptor) {
    /* Not `recv`, which would consume a pending error before libcurl sees it. */
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

int64_t bb_socket_milliseconds_since_arrival(int descriptor) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
        return -1;
    return info.tcpi_last_data_recv;
}

int bb_socket_create_ended(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return -1;
    close(pair[1]);
    return pair[0];
}

int bb_socket_replace(int descriptor, int replacement) {
    return dup3(replacement, descriptor, O_CLOEXEC);
}

int bb_thread_start(pthread_t *thread, void *(*body)(void *), void *context) {
    static const int unblocked[] = {SIGABRT, SIGBUS,  SIGFPE, SIGILL,
                                    SIGPROF, SIGSEGV, SIGSYS, SIGTRAP};
    sigset_t blocked, previous;
    sigfillset(&blocked);
    for (size_t index = 0; index < sizeof unblocked / sizeof *unblocked; index++)
        sigdelset(&blocked, unblocked[index]);
    __atomic_store_n(&has_started_threads, true, __ATOMIC_RELAXED);
    pthread_sigmask(SIG_SETMASK, &blocked, &previous);
    int error = pthread_create(thread, NULL, body, context);
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    return error;
}

void bb_thread_set_name(const char *name) {
    char prefix[16] = {0};
    strncpy(prefix, name, sizeof prefix - 1);
    pthread_setname_np(pthread_self(), prefix);
}
