#include "meter.h"
#include "transfers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A large body is worth a large receive buffer; small ones fit libcurl's default of 16 KiB.
static long buffer_size_for(const char *case_name) {
    return strncmp(case_name, "large-", 6) == 0 ? 128L * 1024 : CURL_MAX_WRITE_SIZE;
}

static size_t positive(const char *text) {
    char *end = NULL;
    long value = strtol(text, &end, 10);
    return *text != '\0' && *end == '\0' && value > 0 ? (size_t)value : 0;
}

int main(int argc, char **argv) {
    int is_usable = argc == 5 || argc == 6;
    size_t count = is_usable ? positive(argv[3]) : 0;
    size_t concurrency = is_usable ? positive(argv[4]) : 0;
    const char *authorities = argc == 6 ? argv[5] : NULL;
    if (count == 0 || concurrency == 0) {
        fprintf(stderr, "usage: benchmark-c CASE URL COUNT CONCURRENCY [AUTHORITIES]\n");
        return 64;
    }
    curl_global_init(CURL_GLOBAL_DEFAULT);
    struct transfers transfers;
    if (!transfers_open(&transfers, argv[2], concurrency, buffer_size_for(argv[1]), authorities)) {
        fprintf(stderr, "benchmark-c: could not set up libcurl\n");
        return 1;
    }
    if (!transfers_run(&transfers, 1, 1)) {
        return 1;
    }
    struct meter meter = meter_start();
    if (!transfers_run(&transfers, count, concurrency)) {
        return 1;
    }
    meter_print(&meter, transfers.finished, transfers.bytes);
    transfers_close(&transfers);
    curl_global_cleanup();
    return 0;
}
