#include "held.h"
#include "meter.h"
#include "transfers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t positive(const char *text) {
    char *end = NULL;
    long value = strtol(text, &end, 10);
    return *text != '\0' && *end == '\0' && value > 0 ? (size_t)value : 0;
}

static bool measure(struct transfers *transfers, size_t count) {
    struct meter meter = meter_start();
    if (!transfers_run(transfers, count, transfers->settings.concurrency)) {
        return false;
    }
    struct run run = meter_stop(&meter, transfers->finished, transfers->bytes);
    run_print(&run, "");
    return true;
}

/// `file` is the slow server's URL, the start time of the process or the trusted authorities.
static bool run(struct transfers *transfers, const char *case_name, size_t count,
                const char *file) {
    // The first request makes libcurl read its authorities and create its shared state.
    if (!transfers_run(transfers, 1, 1)) {
        return false;
    }
    if (strcmp(case_name, "first-response") == 0) {
        struct run run = meter_since(strtod(file, NULL), 1, transfers->bytes);
        run_print(&run, "");
        return true;
    }
    if (transfers->settings.held > 0) {
        return held_measure(transfers, file, count);
    }
    return measure(transfers, count);
}

int main(int argc, char **argv) {
    int is_usable = argc == 5 || argc == 6;
    size_t count = is_usable ? positive(argv[3]) : 0;
    size_t concurrency = is_usable ? positive(argv[4]) : 0;
    if (count == 0 || concurrency == 0) {
        fprintf(stderr, "usage: BluebonnetBenchmarkC CASE URL COUNT CONCURRENCY [FILE]\n");
        return 64;
    }
    const char *file = argc == 6 ? argv[5] : "";
    curl_global_init(CURL_GLOBAL_DEFAULT);
    struct transfers transfers;
    if (!transfers_open(&transfers, settings_for(argv[1], argv[2], concurrency, file))) {
        fprintf(stderr, "BluebonnetBenchmarkC: could not set up libcurl\n");
        return 1;
    }
    if (!run(&transfers, argv[1], count, file)) {
        return 1;
    }
    transfers_close(&transfers);
    curl_global_cleanup();
    return 0;
}
