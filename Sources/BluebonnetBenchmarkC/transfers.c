#include "transfers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void speak_http2(CURL *easy) {
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
}

static void post(CURL *easy, const char *document, struct curl_slist *headers) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, document);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)strlen(document));
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

static void trust(CURL *easy, const char *authorities, CURLSH *share) {
    curl_easy_setopt(easy, CURLOPT_CAINFO, authorities);
    // With a folder in addition to the file, libcurl would read both for every connection.
    curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    curl_easy_setopt(easy, CURLOPT_SHARE, share);
}

static bool prepare(struct transfers *transfers, struct body *body) {
    const struct settings *settings = &transfers->settings;
    CURL *easy = curl_easy_init();
    if (easy == NULL) {
        return false;
    }
    body->easy = easy;
    curl_easy_setopt(easy, CURLOPT_URL, settings->url);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, settings->buffer_size);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body_append);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, body);
    if (settings->authorities != NULL) {
        trust(easy, settings->authorities, transfers->share);
    }
    if (settings->document != NULL) {
        post(easy, settings->document, transfers->headers);
    }
    if (settings->http2) {
        speak_http2(easy);
    }
    watcher_attach(&transfers->watcher, easy);
    return true;
}

bool transfers_open(struct transfers *transfers, struct settings settings) {
    CURLM *multi = curl_multi_init();
    *transfers = (struct transfers){.settings = settings, .expected_bytes = -1};
    transfers->body_count = settings.concurrency + settings.held;
    transfers->bodies = calloc(transfers->body_count, sizeof *transfers->bodies);
    transfers->share = curl_share_init();
    transfers->headers = curl_slist_append(NULL, "Content-Type: application/json");
    if (multi == NULL || transfers->bodies == NULL || transfers->share == NULL ||
        transfers->headers == NULL) {
        return false;
    }
    size_t connections = transfers->body_count;
    connections = settings.hosts > connections ? settings.hosts : connections;
    curl_share_setopt(transfers->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)connections);
    if (!watcher_open(&transfers->watcher, multi)) {
        return false;
    }
    for (size_t index = 0; index < settings.concurrency; index++) {
        if (!prepare(transfers, &transfers->bodies[index])) {
            return false;
        }
    }
    return true;
}

void transfers_close(struct transfers *transfers) {
    for (size_t index = 0; index < transfers->body_count; index++) {
        struct body *body = &transfers->bodies[index];
        if (body->easy != NULL) {
            curl_multi_remove_handle(transfers->watcher.multi, body->easy);
            curl_easy_cleanup(body->easy);
            body_free(body);
        }
    }
    curl_slist_free_all(transfers->headers);
    curl_share_cleanup(transfers->share);
    curl_multi_cleanup(transfers->watcher.multi);
    watcher_close(&transfers->watcher);
    free(transfers->bodies);
}

/// Replaces the URL's host with 127.1.0.1, 127.1.0.2 and so on, 250 for each third number.
static void set_host(const struct transfers *transfers, CURL *easy) {
    size_t host = transfers->started % transfers->settings.hosts;
    const char *port = strrchr(transfers->settings.url, ':');
    char url[256];
    snprintf(url, sizeof url, "http://127.1.%zu.%zu%s", host / 250, host % 250 + 1,
             port == NULL ? "" : port);
    curl_easy_setopt(easy, CURLOPT_URL, url);
}

static bool add(struct transfers *transfers, const struct body *body) {
    CURLMcode code = curl_multi_add_handle(transfers->watcher.multi, body->easy);
    if (code != CURLM_OK) {
        fprintf(stderr, "BluebonnetBenchmarkC: %s\n", curl_multi_strerror(code));
    }
    return code == CURLM_OK;
}

static bool start(struct transfers *transfers, const struct body *body) {
    if (transfers->settings.hosts > 0) {
        set_host(transfers, body->easy);
    }
    transfers->started++;
    return add(transfers, body);
}

bool transfers_hold(struct transfers *transfers, const char *url) {
    for (size_t index = transfers->settings.concurrency; index < transfers->body_count; index++) {
        struct body *body = &transfers->bodies[index];
        if (!prepare(transfers, body)) {
            return false;
        }
        curl_easy_setopt(body->easy, CURLOPT_URL, url);
        if (!add(transfers, body)) {
            return false;
        }
    }
    return true;
}

static bool check(struct transfers *transfers, const struct body *body, CURLcode code) {
    long status = 0;
    curl_easy_getinfo(body->easy, CURLINFO_RESPONSE_CODE, &status);
    if (code != CURLE_OK || status != 200) {
        fprintf(stderr, "BluebonnetBenchmarkC: status %ld, %s\n", status, curl_easy_strerror(code));
        return false;
    }
    if (transfers->expected_bytes < 0) {
        transfers->expected_bytes = (int64_t)body->count;
    }
    if ((int64_t)body->count != transfers->expected_bytes) {
        fprintf(stderr, "BluebonnetBenchmarkC: a body of %zu bytes instead of %lld\n", body->count,
                (long long)transfers->expected_bytes);
        return false;
    }
    return true;
}

/// Ends the transfers that have finished and starts the next ones on the same handles.
static bool collect(struct transfers *transfers) {
    CURLMsg *message;
    int queued;
    while ((message = curl_multi_info_read(transfers->watcher.multi, &queued)) != NULL) {
        // curl_multi_remove_handle invalidates the message.
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
        // A new handle runs only after its timer has fired. Firing it here sends a batch of
        // requests and completes responses that have already arrived, without a call to epoll.
        watcher_fire_timer(&transfers->watcher);
        size_t finished = transfers->finished;
        if (!collect(transfers)) {
            return false;
        }
        if (transfers->finished == finished && !watcher_wait(&transfers->watcher)) {
            perror("BluebonnetBenchmarkC: epoll_wait");
            return false;
        }
    }
    return true;
}
