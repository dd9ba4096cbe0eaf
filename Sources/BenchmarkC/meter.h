#ifndef BENCHMARK_C_METER_H
#define BENCHMARK_C_METER_H

#include <stdint.h>

/// What the process had used when the measured part began.
struct meter {
    double wall_seconds;
    double cpu_seconds;
    double idle_mebibytes;
};

/// Waits until the warm-up has settled, notes the idle memory, and starts the clocks.
struct meter meter_start(void);

/// Prints the run as the one JSON line that every client prints.
void meter_print(const struct meter *start, uint64_t requests, uint64_t bytes);

#endif
