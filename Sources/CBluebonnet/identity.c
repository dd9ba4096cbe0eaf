#define _GNU_SOURCE
#include "identity.h"

#include <limits.h>
#include <openssl/decoder.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

/* The parts of an identity while it is being read. */
typedef struct draft {
    EVP_PKEY *key;
    STACK_OF(X509) *certificates;
} draft;

typedef struct question {
    const char *passphrase;
    int was_asked;
} question;

/* Without this callback, OpenSSL would ask for the passphrase on the terminal. */
static int answer(char *buffer, int capacity, int is_writing, void *context) {
    question *asked = context;
    (void)is_writing;
    asked->was_asked = 1;
    size_t length = asked->passphrase != NULL ? strlen(asked->passphrase) : 0;
    if (asked->passphrase == NULL || length > (size_t)capacity)
        return -1;
    memcpy(buffer, asked->passphrase, length);
    return (int)length;
}

static int contains(bb_bytes bytes, const char *text) {
    return bytes.count > 0 && memmem(bytes.start, bytes.count, text, strlen(text)) != NULL;
}

static int is_pem(bb_bytes bytes) {
    return contains(bytes, "-----BEGIN ");
}

static BIO *reader(bb_bytes bytes) {
    return bytes.count <= INT_MAX ? BIO_new_mem_buf(bytes.start, (int)bytes.count) : NULL;
}

static int is_end_of_pem(void) {
    unsigned long error = ERR_peek_last_error();
    return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

static bb_identity_fault read_pem_certificates(bb_bytes bytes, STACK_OF(X509) *certificates) {
    BIO *bio = reader(bytes);
    question nobody = {NULL, 0};
    X509 *certificate;
    while (bio != NULL &&
           (certificate = PEM_read_bio_X509(bio, NULL, answer, &nobody)) != NULL)
        sk_X509_push(certificates, certificate);
    BIO_free(bio);
    return bio != NULL && is_end_of_pem() ? BB_IDENTITY_FINE : BB_IDENTITY_BAD_CERTIFICATE;
}

static bb_identity_fault read_der_certificates(bb_bytes bytes, STACK_OF(X509) *certificates) {
    const unsigned char *next = bytes.start;
    const unsigned char *end = next + bytes.count;
    while (next < end) {
        X509 *certificate = d2i_X509(NULL, &next, (long)(end - next));
        if (certificate == NULL)
            return BB_IDENTITY_BAD_CERTIFICATE;
        sk_X509_push(certificates, certificate);
    }
    return BB_IDENTITY_FINE;
}

static EVP_PKEY *read_der_key(BIO *bio, question *asked) {
    EVP_PKEY *key = NULL;
    OSSL_DECODER_CTX *decoder = OSSL_DECODER_CTX_new_for_pkey(&key, "DER", NULL, NULL,
                                                              EVP_PKEY_KEYPAIR, NULL, NULL);
    if (decoder != NULL && OSSL_DECODER_CTX_set_pem_password_cb(decoder, answer, asked) == 1)
        OSSL_DECODER_from_bio(decoder, bio);
    OSSL_DECODER_CTX_free(decoder);
    return key;
}

static bb_identity_fault read_key(bb_bytes bytes, const char *passphrase, EVP_PKEY **key) {
    BIO *bio = reader(bytes);
    question asked = {passphrase, 0};
    int is_text = is_pem(bytes);
    if (bio != NULL)
        *key = is_text ? PEM_read_bio_PrivateKey(bio, NULL, answer, &asked)
                       : read_der_key(bio, &asked);
    BIO_free(bio);
    if (*key != NULL)
        return BB_IDENTITY_FINE;
    if (asked.was_asked)
        return passphrase == NULL ? BB_IDENTITY_NO_PASSPHRASE : BB_IDENTITY_WRONG_PASSPHRASE;
    int has_none = bytes.count == 0 || (is_text && !contains(bytes, "PRIVATE KEY-----"));
    return has_none ? BB_IDENTITY_NO_KEY : BB_IDENTITY_BAD_KEY;
}

static int opens(PKCS12 *container, const char *passphrase) {
    if (PKCS12_mac_present(container) == 0)
        return 1;
    /* A missing passphrase and an empty one are different in PKCS #12, and both are in use. */
    int is_empty = passphrase == NULL || *passphrase == '\0';
    return PKCS12_verify_mac(container, passphrase, is_empty ? 0 : -1) == 1 ||
           (is_empty && PKCS12_verify_mac(container, passphrase == NULL ? "" : NULL, 0) == 1);
}

static bb_identity_fault read_container(bb_bytes bytes, const char *passphrase, draft *draft) {
    const unsigned char *start = bytes.start;
    PKCS12 *container =
        bytes.count <= LONG_MAX ? d2i_PKCS12(NULL, &start, (long)bytes.count) : NULL;
    if (container == NULL)
        return BB_IDENTITY_BAD_CONTAINER;
    bb_identity_fault fault = BB_IDENTITY_FINE;
    X509 *certificate = NULL;
    if (!opens(container, passphrase)) {
        int is_given = passphrase != NULL && *passphrase != '\0';
        fault = is_given ? BB_IDENTITY_WRONG_PASSPHRASE : BB_IDENTITY_NO_PASSPHRASE;
    } else if (PKCS12_parse(container, passphrase, &draft->key, &certificate,
                            &draft->certificates) != 1) {
        fault = BB_IDENTITY_BAD_CONTAINER;
    }
    PKCS12_free(container);
    if (certificate != NULL)
        sk_X509_unshift(draft->certificates, certificate);
    return fault;
}

/* Removes the first matching certificate from the draft and returns it. */
static X509 *take(draft *draft, int (*fits)(X509 *, void *), void *context) {
    for (int index = 0; index < sk_X509_num(draft->certificates); index++) {
        if (fits(sk_X509_value(draft->certificates, index), context))
            return sk_X509_delete(draft->certificates, index);
    }
    return NULL;
}

static int is_of_key(X509 *certificate, void *key) {
    return X509_check_private_key(certificate, key) == 1;
}

static int is_issuer_of(X509 *issuer, void *certificate) {
    return X509_check_issued(issuer, certificate) == X509_V_OK;
}

/* Whether OpenSSL accepts the identity in a handshake, at the system's security level. */
static int is_usable(const bb_identity *identity) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    int result = context != NULL && SSL_CTX_use_cert_and_key(context, identity->certificate,
                                                             identity->key, identity->issuers, 1);
    SSL_CTX_free(context);
    return result == 1;
}

static bb_identity_fault assemble(draft *draft, bb_identity *identity) {
    if (sk_X509_num(draft->certificates) < 1)
        return BB_IDENTITY_NO_CERTIFICATE;
    if (draft->key == NULL)
        return BB_IDENTITY_NO_KEY;
    X509 *last = take(draft, is_of_key, draft->key);
    if (last == NULL)
        return BB_IDENTITY_KEY_MISMATCH;
    identity->certificate = last;
    identity->key = draft->key;
    draft->key = NULL;
    while ((last = take(draft, is_issuer_of, last)) != NULL)
        sk_X509_push(identity->issuers, last);
    return is_usable(identity) ? BB_IDENTITY_FINE : BB_IDENTITY_UNUSABLE;
}

/* Returns the result, and frees the parts that are not used in the identity. */
static bb_identity_result conclude(bb_identity_fault fault, draft *draft) {
    bb_identity_result result = {NULL, fault, NULL};
    if (fault == BB_IDENTITY_FINE) {
        bb_identity *identity = OPENSSL_zalloc(sizeof *identity);
        if (identity != NULL && (identity->issuers = sk_X509_new_null()) != NULL)
            result.fault = assemble(draft, identity);
        else
            result.fault = BB_IDENTITY_UNUSABLE;
        result.identity = identity;
    }
    if (result.fault != BB_IDENTITY_FINE) {
        result.reason = ERR_reason_error_string(ERR_peek_last_error());
        bb_identity_free(result.identity);
        result.identity = NULL;
    }
    sk_X509_pop_free(draft->certificates, X509_free);
    EVP_PKEY_free(draft->key);
    /*
     * A failed call leaves an error in the thread's OpenSSL error queue, where TLS would find it.
     */
    ERR_pop_to_mark();
    return result;
}

bb_identity_result bb_identity_read(bb_bytes certificates, bb_bytes key, const char *passphrase) {
    ERR_set_mark();
    draft draft = {NULL, sk_X509_new_null()};
    bb_identity_fault fault = is_pem(certificates)
                                  ? read_pem_certificates(certificates, draft.certificates)
                                  : read_der_certificates(certificates, draft.certificates);
    if (fault == BB_IDENTITY_FINE && sk_X509_num(draft.certificates) > 0)
        fault = read_key(key, passphrase, &draft.key);
    return conclude(fault, &draft);
}

bb_identity_result bb_identity_read_pkcs12(bb_bytes container, const char *passphrase) {
    ERR_set_mark();
    /* Created here, because libcrypto creates the stack only if it finds further certificates. */
    draft draft = {NULL, sk_X509_new_null()};
    bb_identity_fault fault = read_container(container, passphrase, &draft);
    return conclude(fault, &draft);
}

void bb_identity_free(bb_identity *identity) {
    if (identity == NULL)
        return;
    sk_X509_pop_free(identity->issuers, X509_free);
    X509_free(identity->certificate);
    EVP_PKEY_free(identity->key);
    OPENSSL_free(identity);
}

int bb_identity_certificate(const bb_identity *identity, int index, unsigned char *output) {
    X509 *certificate =
        index == 0 ? identity->certificate : sk_X509_value(identity->issuers, index - 1);
    if (certificate == NULL)
        return 0;
    return i2d_X509(certificate, output != NULL ? &output : NULL);
}

int bb_identity_subject(const bb_identity *identity, char *output, int capacity) {
    BIO *bio = BIO_new(BIO_s_mem());
    unsigned long flags = XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
    const X509_NAME *name = X509_get_subject_name(identity->certificate);
    int count = 0;
    if (bio != NULL && X509_NAME_print_ex(bio, name, 0, flags) >= 0)
        count = BIO_read(bio, output, capacity);
    BIO_free(bio);
    return count > 0 ? count : 0;
}

static int64_t seconds(const ASN1_TIME *time) {
    struct tm parts;
    return ASN1_TIME_to_tm(time, &parts) == 1 ? (int64_t)timegm(&parts) : 0;
}

int64_t bb_identity_not_before(const bb_identity *identity) {
    return seconds(X509_get0_notBefore(identity->certificate));
}

int64_t bb_identity_not_after(const bb_identity *identity) {
    return seconds(X509_get0_notAfter(identity->certificate));
}
