#include "held.h"

#include "meter.h"

#include <stdio.h>
#include <unistd.h>

/// Waits for a response that the server sends after all held requests have arrived.
static bool wait_for_all(struct transfers *transfers, const char *slow_server) {
    struct body *body = &transfers->bodies[0];
    char url[256];
    snprintf(url, sizeof url, "%s/barrier/%zu", slow_server, transfers->settings.held);
    curl_easy_setopt(body->easy, CURLOPT_URL, url);
    int64_t expected = transfers->expected_bytes;
    transfers->expected_bytes = -1;
    bool has_run = transfers_run(transfers, 1, 1);
    transfers->expected_bytes = expected;
    curl_easy_setopt(body->easy, CURLOPT_URL, transfers->settings.url);
    return has_run;
}

/// Runs the timers of all held transfers, which expire once, soon after the transfers started. They
/// do not run while this program sleeps.
static bool settle(struct transfers *transfers) {
    usleep(500000);
    return transfers_run(transfers, 1, 1);
}

static bool measure(struct transfers *transfers, size_t count, struct run *run) {
    struct meter meter = meter_start();
    bool has_run = transfers_run(transfers, count, 1);
    *run = meter_stop(&meter, transfers->finished, transfers->bytes);
    return has_run;
}

bool held_measure(struct transfers *transfers, const char *slow_server, size_t count) {
    struct run alone;
    struct run among;
    char url[256];
    snprintf(url, sizeof url, "%s/slow", slow_server);
    if (!measure(transfers, count, &alone) || !transfers_hold(transfers, url) ||
        !wait_for_all(transfers, slow_server) || !settle(transfers) ||
        !measure(transfers, count, &among)) {
        return false;
    }
    double held = (double)transfers->settings.held;
    char more[160];
    snprintf(more, sizeof more, ",\"memoryPerTaskKibibytes\":%.3f,\"slowdown\":%.4f,\"cpuGrowth\":%.4f",
             (among.idle_mebibytes - alone.idle_mebibytes) * 1024 / held,
             among.seconds / alone.seconds, among.cpu_seconds / alone.cpu_seconds);
    run_print(&among, more);
    return true;
}
