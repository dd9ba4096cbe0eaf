#include "CBluebonnet.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A failed call leaves an error in the thread's OpenSSL error queue, where TLS would find it. */

bb_certificate *bb_certificate_parse(const unsigned char *bytes, size_t count) {
    if (count > LONG_MAX)
        return NULL;
    ERR_set_mark();
    const unsigned char *end = bytes;
    X509 *certificate = d2i_X509(NULL, &end, (long)count);
    if (certificate != NULL && end != bytes + count) {
        X509_free(certificate);
        certificate = NULL;
    }
    ERR_pop_to_mark();
    return certificate;
}

void bb_certificate_free(bb_certificate *certificate) {
    X509_free(certificate);
}

size_t bb_certificate_encode(const bb_certificate *certificate, unsigned char *output) {
    int size = i2d_X509(certificate, output != NULL ? &output : NULL);
    return size > 0 ? (size_t)size : 0;
}

int bb_certificate_key_digest(const bb_certificate *certificate,
                              unsigned char output[BB_DIGEST_CAPACITY]) {
    unsigned char *encoded = NULL;
    int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &encoded);
    if (size <= 0)
        return 0;
    unsigned int written = bb_digest_bytes(BB_SHA256, encoded, (size_t)size, output);
    OPENSSL_free(encoded);
    return written == BB_DIGEST_CAPACITY;
}

static char *copy_name(const X509_NAME *name) {
    BIO *output = BIO_new(BIO_s_mem());
    if (output == NULL)
        return NULL;
    /* Control characters, including NUL, stay escaped. */
    unsigned long form = XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
    char *text = NULL, *copy = NULL;
    ERR_set_mark();
    if (X509_NAME_print_ex(output, name, 0, form) >= 0) {
        long size = BIO_get_mem_data(output, &text);
        copy = strndup(size > 0 ? text : "", size > 0 ? (size_t)size : 0);
    }
    ERR_pop_to_mark();
    BIO_free(output);
    return copy;
}

char *bb_certificate_copy_subject(const bb_certificate *certificate) {
    return copy_name(X509_get_subject_name(certificate));
}

char *bb_certificate_copy_issuer(const bb_certificate *certificate) {
    return copy_name(X509_get_issuer_name(certificate));
}

static int seconds(const ASN1_TIME *time, int64_t *output) {
    struct tm parts;
    ERR_set_mark();
    int is_time = ASN1_TIME_to_tm(time, &parts);
    ERR_pop_to_mark();
    if (is_time)
        *output = timegm(&parts);
    return is_time;
}

int bb_certificate_validity(const bb_certificate *certificate, int64_t *from, int64_t *until) {
    return seconds(X509_get0_notBefore(certificate), from) &&
           seconds(X509_get0_notAfter(certificate), until);
}

int bb_pem_visit_certificates(const void *text, size_t count, bb_bytes_visitor visit,
                              void *context) {
    if (count > INT_MAX)
        return -1;
    BIO *input = BIO_new_mem_buf(text, (int)count);
    if (input == NULL)
        return -1;
    ERR_set_mark();
    int found = 0;
    char *name = NULL, *header = NULL;
    unsigned char *bytes = NULL;
    long size = 0;
    while (PEM_read_bio(input, &name, &header, &bytes, &size)) {
        if (strcmp(name, PEM_STRING_X509) == 0 || strcmp(name, PEM_STRING_X509_OLD) == 0) {
            visit(context, bytes, (size_t)size);
            found++;
        }
        OPENSSL_free(name);
        OPENSSL_free(header);
        OPENSSL_free(bytes);
    }
    if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE)
        found = -1;
    ERR_pop_to_mark();
    BIO_free(input);
    return found;
}

bb_certificate_list *bb_certificate_list_create(void) {
    return sk_X509_new_null();
}

void bb_certificate_list_free(bb_certificate_list *list) {
    sk_X509_pop_free(list, X509_free);
}

int bb_certificate_list_append(bb_certificate_list *list, bb_certificate *certificate) {
    return X509_add_cert(list, certificate, X509_ADD_FLAG_UP_REF);
}

int bb_certificate_list_count(const bb_certificate_list *list) {
    int count = list != NULL ? sk_X509_num(list) : 0;
    return count > 0 ? count : 0;
}

bb_certificate *bb_certificate_list_get(const bb_certificate_list *list, int index) {
    return sk_X509_value(list, index);
}
