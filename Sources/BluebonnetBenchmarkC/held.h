#ifndef BENCHMARK_C_HELD_H
#define BENCHMARK_C_HELD_H

#include "transfers.h"

/// Measures `count` requests, one at a time, before and while others are in flight to a slow
/// server, and prints the run.
/// The URL of the slow server has no path. Returns false after printing an error.
bool held_measure(struct transfers *transfers, const char *slow_server, size_t count);

#endif
