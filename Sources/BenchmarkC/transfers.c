#include "transfers.h"

#include <stdio.h>
#include <stdlib.h>

static bool prepare(struct transfers *transfers, struct body *body, const char *url,
                    long buffer_size, const char *authorities) {
    CURL *easy = curl_easy_init();
    if (easy == NULL) {
        return false;
    }
    body->easy = easy;
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, buffer_size);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body_append);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, body);
    if (authorities != NULL) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, authorities);
        // With a folder beside the file libcurl would read both for every connection.
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
        curl_easy_setopt(easy, CURLOPT_SHARE, transfers->share);
    }
    watcher_attach(&transfers->watcher, easy);
    return true;
}

bool transfers_open(struct transfers *transfers, const char *url, size_t concurrency,
                    long buffer_size, const char *authorities) {
    CURLM *multi = curl_multi_init();
    *transfers = (struct transfers){.concurrency = concurrency, .expected_bytes = -1};
    transfers->bodies = calloc(concurrency, sizeof *transfers->bodies);
    transfers->share = curl_share_init();
    if (multi == NULL || transfers->bodies == NULL || transfers->share == NULL) {
        return false;
    }
    curl_share_setopt(transfers->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)concurrency);
    if (!watcher_open(&transfers->watcher, multi)) {
        return false;
    }
    for (size_t index = 0; index < concurrency; index++) {
        if (!prepare(transfers, &transfers->bodies[index], url, buffer_size,
                     authorities)) {
            return false;
        }
    }
    return true;
}

void transfers_close(struct transfers *transfers) {
    for (size_t index = 0; index < transfers->concurrency; index++) {
        struct body *body = &transfers->bodies[index];
        curl_multi_remove_handle(transfers->watcher.multi, body->easy);
        curl_easy_cleanup(body->easy);
        body_free(body);
    }
    curl_share_cleanup(transfers->share);
    curl_multi_cleanup(transfers->watcher.multi);
    watcher_close(&transfers->watcher);
    free(transfers->bodies);
}

static bool start(struct transfers *transfers, struct body *body) {
    transfers->started++;
    CURLMcode code = curl_multi_add_handle(transfers->watcher.multi, body->easy);
    if (code != CURLM_OK) {
        fprintf(stderr, "benchmark-c: %s\n", curl_multi_strerror(code));
    }
    return code == CURLM_OK;
}

static bool check(struct transfers *transfers, const struct body *body, CURLcode code) {
    long status = 0;
    curl_easy_getinfo(body->easy, CURLINFO_RESPONSE_CODE, &status);
    if (code != CURLE_OK || status != 200) {
        fprintf(stderr, "benchmark-c: status %ld, %s\n", status, curl_easy_strerror(code));
        return false;
    }
    if (transfers->expected_bytes < 0) {
        transfers->expected_bytes = (int64_t)body->count;
    }
    if ((int64_t)body->count != transfers->expected_bytes) {
        fprintf(stderr, "benchmark-c: a body of %zu bytes instead of %lld\n", body->count,
                (long long)transfers->expected_bytes);
        return false;
    }
    return true;
}

/// Ends what has finished and starts what comes next on the same handles.
static bool collect(struct transfers *transfers) {
    CURLMsg *message;
    int queued;
    while ((message = curl_multi_info_read(transfers->watcher.multi, &queued)) != NULL) {
        // The message does not outlive curl_multi_remove_handle.
        CURLcode code = message->data.result;
        struct body *body = NULL;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &body);
        if (!check(transfers, body, code)) {
            return false;
        }
        transfers->bytes += body->count;
        transfers->finished++;
        curl_multi_remove_handle(transfers->watcher.multi, body->easy);
        body_free(body);
        if (transfers->started < transfers->count && !start(transfers, body)) {
            return false;
        }
    }
    return true;
}

bool transfers_run(struct transfers *transfers, size_t count, size_t concurrency) {
    transfers->started = 0;
    transfers->finished = 0;
    transfers->count = count;
    transfers->bytes = 0;
    for (size_t index = 0; index < concurrency && index < count; index++) {
        if (!start(transfers, &transfers->bodies[index])) {
            return false;
        }
    }
    while (transfers->finished < count) {
        // A handle just added runs only once its timer is fired: this sends a whole batch of
        // new requests, and a response that is already there ends without asking epoll.
        watcher_fire_timer(&transfers->watcher);
        size_t finished = transfers->finished;
        if (!collect(transfers)) {
            return false;
        }
        if (transfers->finished == finished && !watcher_wait(&transfers->watcher)) {
            perror("benchmark-c: epoll_wait");
            return false;
        }
    }
    return true;
}
