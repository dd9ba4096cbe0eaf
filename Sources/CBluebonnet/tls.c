#include "CBluebonnet.h"

#include <openssl/ssl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

int bb_easy_may_be_http2(CURL *easy) {
    SSL *ssl = session(easy);
    const unsigned char *name = NULL;
    unsigned int length = 0;
    if (ssl == NULL)
        return 1;
    SSL_get0_alpn_selected(ssl, &name, &length);
    return length == 2 && memcmp(name, "h2", 2) == 0;
}

int bb_easy_has_decrypted(CURL *easy) {
    SSL *ssl = session(easy);
    return ssl != NULL && SSL_has_pending(ssl);
}

void bb_easy_ignore_truncation(CURL *easy) {
    SSL *ssl = session(easy);
    if (ssl != NULL)
        SSL_set_options(ssl, SSL_OP_IGNORE_UNEXPECTED_EOF);
}

/*
 * How a TLS connection ended, shared by its SSL and its observers. When libcurl reports the end of
 * a transfer, it has already freed the SSL, and made OpenSSL discard how TLS ended.
 */
struct bb_tls_end {
    atomic_int holders;
    atomic_int was_noted;
    /* The number of a fatal alert, or -1. */
    atomic_int alert;
};

static int end_index = -1;

static void note_end(const SSL *ssl, int where, int value) {
    struct bb_tls_end *end = SSL_get_ex_data(ssl, end_index);
    if (end == NULL || (where & SSL_CB_READ_ALERT) != SSL_CB_READ_ALERT)
        return;
    if ((value & 0xff) == SSL_AD_CLOSE_NOTIFY)
        atomic_store(&end->was_noted, 1);
    else if (value >> 8 == SSL3_AL_FATAL)
        atomic_store(&end->alert, value & 0xff);
}

static void forget_end(void *parent, void *end, CRYPTO_EX_DATA *data, int index, long number,
                       void *context) {
    (void)parent, (void)data, (void)index, (void)number, (void)context;
    bb_tls_end_release(end);
}

/* Runs when the program is loaded, before any connection is created. */
__attribute__((constructor)) static void make_index(void) {
    end_index = SSL_get_ex_new_index(0, NULL, NULL, NULL, forget_end);
}

bb_tls_end *bb_easy_watch_tls_end(CURL *easy) {
    SSL *ssl = session(easy);
    if (ssl == NULL || end_index < 0)
        return NULL;
    struct bb_tls_end *end = SSL_get_ex_data(ssl, end_index);
    if (end == NULL) {
        end = calloc(1, sizeof *end);
        if (end == NULL || !SSL_set_ex_data(ssl, end_index, end)) {
            free(end);
            return NULL;
        }
        atomic_store(&end->holders, 1);
        atomic_store(&end->alert, -1);
        SSL_set_info_callback(ssl, note_end);
    }
    atomic_fetch_add(&end->holders, 1);
    return end;
}

int bb_tls_end_was_noted(const bb_tls_end *end) {
    return atomic_load(&end->was_noted);
}

int bb_tls_end_alert(const bb_tls_end *end) {
    return atomic_load(&end->alert);
}

void bb_tls_end_release(bb_tls_end *end) {
    if (end != NULL && atomic_fetch_sub(&end->holders, 1) == 1)
        free(end);
}

bb_client_certificate bb_easy_client_certificate(CURL *easy) {
    SSL *ssl = session(easy);
    /* A server sends its signature algorithms only when it requests a certificate. */
    if (ssl == NULL || SSL_get_sigalgs(ssl, -1, NULL, NULL, NULL, NULL, NULL) < 1)
        return BB_CLIENT_CERTIFICATE_UNASKED;
    return SSL_get_certificate(ssl) != NULL ? BB_CLIENT_CERTIFICATE_SENT
                                            : BB_CLIENT_CERTIFICATE_MISSING;
}

/* The number of write failures that are postponed; HTTP/2 tries several writes before it reads. */
static const intptr_t largest_delay_count = 32;

static long put_off_failure(BIO *bio, int operation, const char *bytes, size_t size, int number,
                            long value, int result, size_t *processed) {
    (void)bytes, (void)size, (void)number, (void)value, (void)processed;
    intptr_t count = (intptr_t)BIO_get_callback_arg(bio);
    if (operation != (BIO_CB_WRITE | BIO_CB_RETURN) || result > 0 || BIO_should_retry(bio) ||
        count >= largest_delay_count)
        return result;
    BIO_set_callback_arg(bio, (char *)(count + 1));
    BIO_set_retry_write(bio);
    return -1;
}

void bb_easy_read_before_failing(CURL *easy) {
    SSL *ssl = session(easy);
    BIO *bio = ssl != NULL ? SSL_get_wbio(ssl) : NULL;
    if (bio == NULL)
        return;
    BIO_set_callback_arg(bio, NULL);
    BIO_set_callback_ex(bio, put_off_failure);
}
