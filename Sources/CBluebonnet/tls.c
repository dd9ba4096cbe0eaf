#include "CBluebonnet.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>

int bb_tls_is_openssl(void) {
    char prefix[16];
    const char *name = curl_version_info(CURLVERSION_NOW)->ssl_version;
    snprintf(prefix, sizeof prefix, "OpenSSL/%d.", OPENSSL_VERSION_MAJOR);
    return name != NULL && strncmp(name, prefix, strlen(prefix)) == 0;
}

static SSL *session(CURL *easy) {
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || info == NULL ||
        info->backend != CURLSSLBACKEND_OPENSSL || !bb_tls_is_openssl())
        return NULL;
    return info->internals;
}

const char *bb_easy_get_tls_version(CURL *easy) {
    SSL *ssl = session(easy);
    return ssl != NULL ? SSL_get_version(ssl) : NULL;
}

const char *bb_easy_get_tls_cipher_suite(CURL *easy) {
    SSL *ssl = session(easy);
    const SSL_CIPHER *cipher = ssl != NULL ? SSL_get_current_cipher(ssl) : NULL;
    return cipher != NULL ? SSL_CIPHER_get_name(cipher) : NULL;
}
