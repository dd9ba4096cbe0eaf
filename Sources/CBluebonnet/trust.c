#include "CBluebonnet.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

_Static_assert(BB_VERIFIED == X509_V_OK, "OpenSSL's codes");
_Static_assert(BB_NO_ISSUER == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, "OpenSSL's codes");
_Static_assert(BB_NO_REVOCATION_LIST == X509_V_ERR_UNABLE_TO_GET_CRL, "OpenSSL's codes");
_Static_assert(BB_REVOCATION_LIST_NOT_YET_VALID == X509_V_ERR_CRL_NOT_YET_VALID,
               "OpenSSL's codes");
_Static_assert(BB_REVOCATION_LIST_EXPIRED == X509_V_ERR_CRL_HAS_EXPIRED, "OpenSSL's codes");
_Static_assert(BB_REVOKED == X509_V_ERR_CERT_REVOKED, "OpenSSL's codes");
_Static_assert(BB_NOT_YET_VALID == X509_V_ERR_CERT_NOT_YET_VALID, "OpenSSL's codes");
_Static_assert(BB_EXPIRED == X509_V_ERR_CERT_HAS_EXPIRED, "OpenSSL's codes");
_Static_assert(BB_SELF_SIGNED == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, "OpenSSL's codes");
_Static_assert(BB_SELF_SIGNED_ISSUER == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, "OpenSSL's codes");
_Static_assert(BB_NO_LOCAL_ISSUER == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
               "OpenSSL's codes");
_Static_assert(BB_UNVERIFIABLE_LEAF == X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
               "OpenSSL's codes");
_Static_assert(BB_OTHER_HOST == X509_V_ERR_HOSTNAME_MISMATCH, "OpenSSL's codes");
_Static_assert(BB_REFUSED_BY_POLICY == X509_V_ERR_APPLICATION_VERIFICATION, "OpenSSL's codes");

int bb_tls_context_is_for_proxy(const bb_tls_context *context) {
    return (SSL_CTX_get_options(context) & SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS) != 0;
}

void bb_tls_context_notice_truncation(bb_tls_context *context) {
    SSL_CTX_clear_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
}

int bb_tls_context_can_be_told_apart(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    int can_be = context != NULL && !bb_tls_context_is_for_proxy(context);
    SSL_CTX_free(context);
    return can_be;
}

/*
 * Adds the certificates and revocation lists of a PEM text. The lists have no effect unless
 * revocation checks are enabled.
 */
static int add_all(X509_STORE *store, BIO *bio) {
    /* Without the empty passphrase, OpenSSL could ask for one on the terminal. */
    STACK_OF(X509_INFO) *items = PEM_X509_INFO_read_bio(bio, NULL, NULL, "");
    int count = 0, is_added = 1;
    for (int index = 0; is_added && index < sk_X509_INFO_num(items); index++) {
        const X509_INFO *item = sk_X509_INFO_value(items, index);
        if (item->x509 != NULL)
            is_added = X509_STORE_add_cert(store, item->x509);
        if (is_added && item->crl != NULL)
            is_added = X509_STORE_add_crl(store, item->crl);
        count += item->x509 != NULL || item->crl != NULL;
    }
    sk_X509_INFO_pop_free(items, X509_INFO_free);
    return is_added && count > 0;
}

static BIO *reader(bb_bytes bytes) {
    return bytes.count <= INT_MAX ? BIO_new_mem_buf(bytes.start, (int)bytes.count) : NULL;
}

static int add_authorities(X509_STORE *store, const bb_bytes *pem) {
    if (pem == NULL)
        return X509_STORE_set_default_paths(store);
    BIO *bio = reader(*pem);
    int is_added = bio != NULL && add_all(store, bio);
    BIO_free(bio);
    return is_added;
}

bb_authorities *bb_authorities_read(const bb_bytes *pem) {
    ERR_set_mark();
    X509_STORE *store = X509_STORE_new();
    int is_read = store != NULL && X509_STORE_set_flags(store, X509_V_FLAG_TRUSTED_FIRST) &&
                  add_authorities(store, pem);
    ERR_pop_to_mark();
    if (is_read)
        return store;
    X509_STORE_free(store);
    return NULL;
}

int bb_authorities_check_revocations(bb_authorities *authorities, bb_bytes pem) {
    ERR_set_mark();
    BIO *bio = reader(pem);
    X509_CRL *list;
    int count = 0, is_added = bio != NULL;
    while (is_added && (list = PEM_read_bio_X509_CRL(bio, NULL, NULL, "")) != NULL) {
        is_added = X509_STORE_add_crl(authorities, list);
        X509_CRL_free(list);
        count += 1;
    }
    unsigned long error = ERR_peek_last_error();
    int is_at_end =
        ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
    BIO_free(bio);
    ERR_pop_to_mark();
    return is_added && is_at_end && count > 0 &&
           X509_STORE_set_flags(authorities, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
}

void bb_authorities_allow_partial_chains(bb_authorities *authorities) {
    X509_STORE_set_flags(authorities, X509_V_FLAG_PARTIAL_CHAIN);
}

void bb_authorities_free(bb_authorities *authorities) {
    X509_STORE_free(authorities);
}

void bb_tls_context_set_authorities(bb_tls_context *context, bb_authorities *authorities) {
    SSL_CTX_set1_cert_store(context, authorities);
}

/* Owned by a context, so that it exists as long as the context's connections can verify. */
struct judgement {
    bb_verify_callback verify;
    bb_release_callback release;
    void *judge;
};

static int verify(X509_STORE_CTX *verification, void *context) {
    const struct judgement *judgement = context;
    return judgement->verify(verification, judgement->judge) == 1;
}

static void release(void *parent, void *pointer, CRYPTO_EX_DATA *data, int index, long number,
                    void *argument) {
    (void)parent, (void)data, (void)index, (void)number, (void)argument;
    struct judgement *judgement = pointer;
    if (judgement == NULL)
        return;
    judgement->release(judgement->judge);
    free(judgement);
}

static int place = -1;

static void find_place(void) {
    place = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, release);
}

int bb_tls_context_set_judge(bb_tls_context *context, bb_verify_callback callback, void *judge,
                             bb_release_callback release_judge) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_place);
    if (place < 0 || SSL_CTX_get_ex_data(context, place) != NULL)
        return 0;
    struct judgement *judgement = malloc(sizeof *judgement);
    if (judgement == NULL)
        return 0;
    *judgement = (struct judgement){callback, release_judge, judge};
    if (!SSL_CTX_set_ex_data(context, place, judgement)) {
        free(judgement);
        return 0;
    }
    SSL_CTX_set_cert_verify_callback(context, verify, judgement);
    return 1;
}

void bb_verification_set_anchors(bb_verification *verification, bb_certificate_list *anchors) {
    X509_STORE_CTX_set0_trusted_stack(verification, anchors);
    X509_STORE_CTX_set_flags(verification, X509_V_FLAG_PARTIAL_CHAIN);
}

int bb_verification_run(bb_verification *verification) {
    int is_verified = X509_verify_cert(verification) == 1;
    int code = X509_STORE_CTX_get_error(verification);
    if (is_verified)
        return code;
    return code != X509_V_OK ? code : X509_V_ERR_UNSPECIFIED;
}

void bb_verification_accept(bb_verification *verification) {
    X509_STORE_CTX_set_error(verification, X509_V_OK);
}

void bb_verification_reject(bb_verification *verification, int code) {
    X509_STORE_CTX_set_error(verification, code);
}

const bb_certificate_list *bb_verification_chain(const bb_verification *verification) {
    return X509_STORE_CTX_get0_chain(verification);
}

const bb_certificate_list *bb_verification_presented(const bb_verification *verification) {
    return X509_STORE_CTX_get0_untrusted(verification);
}

bb_certificate *bb_verification_leaf(const bb_verification *verification) {
    return X509_STORE_CTX_get0_cert(verification);
}

int bb_verification_fits_sent_name(bb_verification *verification) {
    X509 *certificate = X509_STORE_CTX_get0_cert(verification);
    SSL *ssl = X509_STORE_CTX_get_ex_data(verification, SSL_get_ex_data_X509_STORE_CTX_idx());
    const char *name = ssl != NULL ? SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) : NULL;
    if (certificate == NULL || name == NULL || name[0] == '\0')
        return 0;
    /* The common name is meant for people and is not verified (RFC 9525 section 2). */
    unsigned int flags = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT;
    return X509_check_host(certificate, name, 0, flags, NULL) == 1;
}

int bb_verification_fits_address(bb_verification *verification, const unsigned char *address,
                                 size_t size) {
    X509 *certificate = X509_STORE_CTX_get0_cert(verification);
    return certificate != NULL && X509_check_ip(certificate, address, size, 0) == 1;
}

const char *bb_verification_error_text(int code) {
    return X509_verify_cert_error_string(code);
}
