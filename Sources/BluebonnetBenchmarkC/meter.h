#ifndef BENCHMARK_C_METER_H
#define BENCHMARK_C_METER_H

#include <stdint.h>

/// What the process had used when the measured part began.
struct meter {
    double wall_seconds;
    double cpu_seconds;
    double idle_mebibytes;
};

/// What the measured part took.
struct run {
    double seconds;
    double cpu_seconds;
    double idle_mebibytes;
    double peak_mebibytes;
    uint64_t requests;
    uint64_t bytes;
};

/// Waits until the warm-up has settled, notes the idle memory, and starts the clocks.
struct meter meter_start(void);

struct run meter_stop(const struct meter *start, uint64_t requests, uint64_t bytes);

/// What the process has taken since it began at that time of the monotonic clock.
struct run meter_since(double start_nanoseconds, uint64_t requests, uint64_t bytes);

/// Prints the run as the one JSON line that every client prints; `more` is text of further fields,
/// each after a comma.
void run_print(const struct run *run, const char *more);

#endif
