#define _GNU_SOURCE
#include "meter.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const useconds_t quiet_microseconds = 200000;

static double wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

static double status_mebibytes(const char *field) {
    FILE *file = fopen("/proc/self/status", "r");
    if (file == NULL) {
        return 0;
    }
    char line[256];
    long kibibytes = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, field, strlen(field)) == 0) {
            sscanf(line + strlen(field), ": %ld", &kibibytes);
            break;
        }
    }
    fclose(file);
    return (double)kibibytes / 1024;
}

/// If the kernel refuses, VmHWM remains the peak since the start of the process, like ru_maxrss.
static void reset_peak_memory(void) {
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file != NULL) {
        fputs("5", file);
        fclose(file);
    }
}

struct meter meter_start(void) {
    usleep(quiet_microseconds);
    malloc_trim(0);
    struct meter meter = {.idle_mebibytes = status_mebibytes("VmRSS")};
    reset_peak_memory();
    meter.cpu_seconds = cpu_seconds();
    meter.wall_seconds = wall_seconds();
    return meter;
}

struct run meter_stop(const struct meter *start, uint64_t requests, uint64_t bytes) {
    return (struct run){
        .seconds = wall_seconds() - start->wall_seconds,
        .cpu_seconds = cpu_seconds() - start->cpu_seconds,
        .idle_mebibytes = start->idle_mebibytes,
        .peak_mebibytes = status_mebibytes("VmHWM"),
        .requests = requests,
        .bytes = bytes,
    };
}

struct run meter_since(double start_nanoseconds, uint64_t requests, uint64_t bytes) {
    struct meter meter = {.wall_seconds = start_nanoseconds / 1e9};
    return meter_stop(&meter, requests, bytes);
}

void run_print(const struct run *run, const char *more) {
    printf("{\"seconds\":%.9f,\"cpuSeconds\":%.6f,\"requests\":%llu,\"bytes\":%llu,"
           "\"idleMemoryMebibytes\":%.3f,\"peakMemoryMebibytes\":%.3f%s}\n",
           run->seconds, run->cpu_seconds, (unsigned long long)run->requests,
           (unsigned long long)run->bytes, run->idle_mebibytes, run->peak_mebibytes, more);
}
