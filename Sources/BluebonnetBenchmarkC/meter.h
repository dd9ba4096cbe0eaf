#ifndef BENCHMARK_C_METER_H
#define BENCHMARK_C_METER_H

#include <stdint.h>

/// The resource usage of the process at the start of a measurement.
struct meter {
    double wall_seconds;
    double cpu_seconds;
    double idle_mebibytes;
};

/// The results of a measurement.
struct run {
    double seconds;
    double cpu_seconds;
    double idle_mebibytes;
    double peak_mebibytes;
    uint64_t requests;
    uint64_t bytes;
};

/// Waits until the warm-up has settled, records the idle memory, and starts the clocks.
struct meter meter_start(void);

struct run meter_stop(const struct meter *start, uint64_t requests, uint64_t bytes);

/// Returns the results since the start of the process, a time of the monotonic clock.
struct run meter_since(double start_nanoseconds, uint64_t requests, uint64_t bytes);

/// Prints the run as one line of JSON, as every client does. `more` contains further fields, each
/// after a comma.
void run_print(const struct run *run, const char *more);

#endif
