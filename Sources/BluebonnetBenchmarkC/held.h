#ifndef BENCHMARK_C_HELD_H
#define BENCHMARK_C_HELD_H

#include "transfers.h"

/// Measures `count` requests, one at a time, before and while others are in flight on a slow server,
/// whose URL has no path, and prints the run; false after telling standard error what went wrong.
bool held_measure(struct transfers *transfers, const char *slow_server, size_t count);

#endif
