#include "settings.h"

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

enum { document_size = 1024 };

static bool is_prefix(const char *prefix, const char *text) {
    return strncmp(prefix, text, strlen(prefix)) == 0;
}

/// Returns a JSON object of 1 KB, whose content does not matter.
static const char *document(void) {
    static char text[document_size + 1];
    int start = snprintf(text, sizeof text, "{\"id\":1042,\"name\":\"Lupinus texensis\",\"notes\":\"");
    memset(text + start, 'a', (size_t)(document_size - start - 2));
    memcpy(text + document_size - 2, "\"}", 3);
    return text;
}

struct settings settings_for(const char *case_name, const char *url, size_t concurrency,
                             const char *file) {
    struct settings settings = {.url = url, .concurrency = concurrency};
    // A large body benefits from a large receive buffer. Small ones fit libcurl's default, 16 KiB.
    settings.buffer_size = is_prefix("large-", case_name) ? 128L * 1024 : CURL_MAX_WRITE_SIZE;
    settings.authorities = is_prefix("https:", url) ? file : NULL;
    settings.document = is_prefix("post-", case_name) ? document() : NULL;
    settings.http2 = is_prefix("small-get-h2-", case_name);
    if (sscanf(case_name, "hosts-%zu", &settings.hosts) != 1) {
        settings.hosts = 0;
    }
    if (is_prefix("slow-", case_name)) {
        settings.held = concurrency;
        settings.concurrency = 1;
    }
    return settings;
}
