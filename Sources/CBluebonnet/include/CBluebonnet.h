/*
 * Typed faces for what Swift cannot call: the variadic functions of libcurl, the macros of
 * OpenSSL, and the packed event record of epoll. No decision is taken here.
 */
#ifndef CBLUEBONNET_H
#define CBLUEBONNET_H

#include <curl/curl.h>
#include <pthread.h>
#include <stdint.h>

/* curl_easy_setopt, one function for each C type that an option takes. */

static inline CURLcode bb_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode bb_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode bb_easy_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode bb_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

/* Header and write callbacks share a shape; read is the same with a writable buffer. */
typedef size_t (*bb_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*bb_seek_callback)(void *context, curl_off_t offset, int origin);
typedef int (*bb_prerequest_callback)(void *context, char *remote_address, char *local_address,
                                      int remote_port, int local_port);
typedef curl_socket_t (*bb_open_socket_callback)(void *context, curlsocktype purpose,
                                                 struct curl_sockaddr *address);
typedef int (*bb_socket_setup_callback)(void *context, curl_socket_t socket, curlsocktype purpose);
typedef int (*bb_close_socket_callback)(void *context, curl_socket_t socket);

static inline CURLcode bb_easy_set_data_callback(CURL *easy, CURLoption option,
                                                 bb_data_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

static inline CURLcode bb_easy_set_seek_callback(CURL *easy, bb_seek_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
}

static inline CURLcode bb_easy_set_prerequest_callback(CURL *easy,
                                                       bb_prerequest_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode bb_easy_set_open_socket_callback(CURL *easy,
                                                        bb_open_socket_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

/* The second pointer is a bb_tls_context. */
typedef CURLcode (*bb_tls_context_callback)(CURL *easy, void *tls_context, void *context);

static inline CURLcode bb_easy_set_tls_context_callback(CURL *easy,
                                                        bb_tls_context_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, callback);
}

static inline CURLcode bb_easy_set_socket_setup_callback(CURL *easy,
                                                         bb_socket_setup_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, callback);
}

static inline CURLcode bb_easy_set_close_socket_callback(CURL *easy,
                                                         bb_close_socket_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
}

/* curl_easy_getinfo */

static inline CURLcode bb_easy_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode bb_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode bb_easy_get_string(CURL *easy, CURLINFO info, char **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode bb_easy_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

/* curl_multi_setopt, curl_share_setopt, and the result inside a CURLMsg, which is a union. */

typedef int (*bb_socket_callback)(CURL *easy, curl_socket_t socket, int what, void *context,
                                  void *socket_context);
typedef int (*bb_timer_callback)(CURLM *multi, long milliseconds, void *context);

static inline CURLMcode bb_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode bb_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode bb_multi_set_socket_callback(CURLM *multi, bb_socket_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

static inline CURLMcode bb_multi_set_timer_callback(CURLM *multi, bb_timer_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

static inline CURLSHcode bb_share_set_data(CURLSH *share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

/* The address of a socket to be opened, whose bytes go on beyond the field's type. */
static inline void *bb_socket_mutable_address(struct curl_sockaddr *target) {
    return &target->addr;
}

static inline const void *bb_socket_address(const struct curl_sockaddr *target) {
    return &target->addr;
}

static inline CURLcode bb_message_result(const CURLMsg *message) {
    return message->data.result;
}

static inline CURLcode bb_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline curl_version_info_data *bb_version_info(void) {
    return curl_version_info(CURLVERSION_NOW);
}

/* libcrypto */

typedef enum bb_digest {
    BB_MD5,
    BB_SHA256,
    BB_SHA512_256,
} bb_digest;

enum { BB_DIGEST_CAPACITY = 32 };

/* Returns the digest's size in bytes, or 0 when this OpenSSL does not provide it. */
unsigned int bb_digest_bytes(bb_digest digest, const void *bytes, size_t count,
                             unsigned char output[BB_DIGEST_CAPACITY]);

/*
 * The version and the cipher suite of the TLS connection that a transfer uses, as static strings of
 * OpenSSL's; NULL where there is none, or libcurl uses another TLS library than this was built for.
 * Valid only while libcurl calls back for the transfer.
 */
const char *bb_easy_get_tls_version(CURL *easy);
const char *bb_easy_get_tls_cipher_suite(CURL *easy);

/* Whether libcurl's TLS library is the one whose functions are called here. */
int bb_tls_is_openssl(void);

/* A certificate, those that it was issued with, and its private key; it never changes. */
typedef struct bb_identity bb_identity;

typedef enum bb_identity_fault {
    BB_IDENTITY_FINE,
    BB_IDENTITY_NO_CERTIFICATE,
    BB_IDENTITY_BAD_CERTIFICATE,
    BB_IDENTITY_NO_KEY,
    BB_IDENTITY_BAD_KEY,
    BB_IDENTITY_BAD_CONTAINER,
    BB_IDENTITY_NO_PASSPHRASE,
    BB_IDENTITY_WRONG_PASSPHRASE,
    BB_IDENTITY_KEY_MISMATCH,
    BB_IDENTITY_UNUSABLE,
} bb_identity_fault;

typedef struct bb_identity_result {
    bb_identity *identity; /* NULL where there is a fault */
    bb_identity_fault fault;
    const char *reason; /* OpenSSL's own static words for it; NULL for none */
} bb_identity_result;

typedef struct bb_bytes {
    const void *start;
    size_t count;
} bb_bytes;

/* Both in PEM or DER; the key may be among the certificates in PEM. The passphrase may be NULL. */
bb_identity_result bb_identity_read(bb_bytes certificates, bb_bytes key, const char *passphrase);
bb_identity_result bb_identity_read_pkcs12(bb_bytes container, const char *passphrase);
void bb_identity_free(bb_identity *identity);

/* Writes a certificate in DER, 0 the identity's own, unless `output` is NULL; its size, 0 for none. */
int bb_identity_certificate(const bb_identity *identity, int index, unsigned char *output);
/* Writes the subject's name in UTF-8 (RFC 4514), without a zero at its end; returns its size. */
int bb_identity_subject(const bb_identity *identity, char *output, int capacity);
/* Seconds since 1970. */
int64_t bb_identity_not_before(const bb_identity *identity);
int64_t bb_identity_not_after(const bb_identity *identity);

/*
 * Lets the connections of an SSL_CTX offer the identity to servers that ask for one of its issuers',
 * or of anybody's. It must outlive them. 0 where libcurl's TLS library is not OpenSSL.
 */
int bb_identity_offer(bb_identity *identity, void *tls_context);

/* Certificates */

typedef struct x509_st bb_certificate;

/* A certificate of its own; NULL unless the bytes are exactly one in DER. */
bb_certificate *bb_certificate_parse(const unsigned char *bytes, size_t count);
void bb_certificate_free(bb_certificate *certificate);

/* Writes the DER where there is an output, and returns its size; 0 when there is no memory. */
size_t bb_certificate_encode(const bb_certificate *certificate, unsigned char *output);

/* SHA-256 of the SubjectPublicKeyInfo in DER; returns 1 when it is written. */
int bb_certificate_key_digest(const bb_certificate *certificate,
                              unsigned char output[BB_DIGEST_CAPACITY]);

/* The names in the form of RFC 2253 and UTF-8, to be freed; NULL when there is no memory. */
char *bb_certificate_copy_subject(const bb_certificate *certificate);
char *bb_certificate_copy_issuer(const bb_certificate *certificate);

/* Seconds since 1970; returns 1 when both are written. */
int bb_certificate_validity(const bb_certificate *certificate, int64_t *from, int64_t *until);

/*
 * Gives the DER of each certificate in PEM to the visitor, and passes other PEM over. Returns how
 * many there were, or -1 at what is damaged.
 */
typedef void (*bb_bytes_visitor)(void *context, const unsigned char *bytes, size_t count);
int bb_pem_visit_certificates(const void *text, size_t count, bb_bytes_visitor visit,
                              void *context);

/* A list of certificates, each held by it. */
typedef struct stack_st_X509 bb_certificate_list;
bb_certificate_list *bb_certificate_list_create(void);
void bb_certificate_list_free(bb_certificate_list *list);
int bb_certificate_list_append(bb_certificate_list *list, bb_certificate *certificate);
/* A list may be NULL, and is empty then. */
int bb_certificate_list_count(const bb_certificate_list *list);
bb_certificate *bb_certificate_list_get(const bb_certificate_list *list, int index);

/* Verification of a server's certificates; both pointers are valid within libcurl's callbacks. */

typedef struct ssl_ctx_st bb_tls_context;
typedef struct x509_store_ctx_st bb_verification;
typedef struct bb_tls_end bb_tls_end;

/*
 * libcurl sets a connection to a proxy up with the same callback. To tell it apart, its handle has
 * CURLSSLOPT_ALLOW_BEAST, which means nothing to TLS 1.2 and later.
 */
int bb_tls_context_is_for_proxy(const bb_tls_context *context);
/* Whether that tells them apart: the system's configuration of OpenSSL can set the same for all. */
int bb_tls_context_can_be_told_apart(void);

/* Keeps OpenSSL from taking a connection's end for TLS's own end (close_notify), as libcurl asks. */
void bb_tls_context_notice_truncation(bb_tls_context *context);

/* Has OpenSSL take it for that again on a handle's connection, within libcurl's callbacks. */
void bb_easy_ignore_truncation(CURL *easy);

/* Whether TLS has settled on HTTP/2; also 1 where nobody can tell. */
int bb_easy_may_be_http2(CURL *easy);
/* Whether bytes that came on a handle's connection wait in OpenSSL's memory. */
int bb_easy_has_decrypted(CURL *easy);
/*
 * Notes from now on when the peer of a handle's connection sends TLS's own end, or a fatal alert, to
 * be called within libcurl's callbacks; NULL for none, or no memory. It outlives the connection and is
 * to be released.
 */
bb_tls_end *bb_easy_watch_tls_end(CURL *easy);
int bb_tls_end_was_noted(const bb_tls_end *end);
/* The number of a fatal alert; -1 for none. */
int bb_tls_end_alert(const bb_tls_end *end);
void bb_tls_end_release(bb_tls_end *end);

typedef enum bb_client_certificate {
    BB_CLIENT_CERTIFICATE_UNASKED,
    BB_CLIENT_CERTIFICATE_MISSING,
    BB_CLIENT_CERTIFICATE_SENT,
} bb_client_certificate;
/* What became of the server's request for a certificate; within libcurl's callbacks. */
bb_client_certificate bb_easy_client_certificate(CURL *easy);
/*
 * Has libcurl read what the peer of a handle's connection has sent before a failure to write to it
 * counts, within libcurl's callbacks: the first failures look as if the connection was busy.
 */
void bb_easy_read_before_failing(CURL *easy);

/* Authorities, and the lists of what they have revoked. */
typedef struct x509_store_st bb_authorities;

/* The authorities of a text in PEM, those of OpenSSL's own places for NULL; NULL where none are good. */
bb_authorities *bb_authorities_read(const bb_bytes *pem);
/* Has every chain checked against the revocation lists of a text in PEM; 0 where none are good. */
int bb_authorities_check_revocations(bb_authorities *authorities, bb_bytes pem);
/* Lets a chain end at an authority that is no root, whose own issuer's list nobody would have. */
void bb_authorities_allow_partial_chains(bb_authorities *authorities);
void bb_authorities_free(bb_authorities *authorities);
/* Has a context's connections look there, and nowhere else; the context holds them. */
void bb_tls_context_set_authorities(bb_tls_context *context, bb_authorities *authorities);

/* Returns 1 when the certificates are to be trusted; any other result ends the handshake. */
typedef int (*bb_verify_callback)(bb_verification *verification, void *judge);
typedef void (*bb_release_callback)(void *judge);

/*
 * Has a callback verify instead of OpenSSL. The judge is released with the context. Returns 1, or 0
 * when it could not be done, and the judge is the caller's still.
 */
int bb_tls_context_set_judge(bb_tls_context *context, bb_verify_callback verify, void *judge,
                             bb_release_callback release);

/* Makes these the only anchors, none of which need be self-signed. The list must outlive the call. */
void bb_verification_set_anchors(bb_verification *verification, bb_certificate_list *anchors);
/* Builds and checks a chain; returns an X509_V_ code, of which 0 is success. */
int bb_verification_run(bb_verification *verification);
void bb_verification_accept(bb_verification *verification);
/* With a code that is not 0. */
void bb_verification_reject(bb_verification *verification, int code);
/* The chain that was built by a successful run. */
const bb_certificate_list *bb_verification_chain(const bb_verification *verification);
/* What the server sent, leaf first. */
const bb_certificate_list *bb_verification_presented(const bb_verification *verification);
/* The server's own certificate. */
bb_certificate *bb_verification_leaf(const bb_verification *verification);
/* Whether the server's certificate is for the name that the client has asked for (RFC 6066). */
int bb_verification_fits_sent_name(bb_verification *verification);
/* The same for an address of 4 or 16 bytes. */
int bb_verification_fits_address(bb_verification *verification, const unsigned char *address,
                                 size_t size);
/* A static string. */
const char *bb_verification_error_text(int code);

/* X509_V_ERR_… of OpenSSL */
enum {
    BB_VERIFIED = 0,
    BB_NO_ISSUER = 2,
    BB_NO_REVOCATION_LIST = 3,
    BB_NOT_YET_VALID = 9,
    BB_EXPIRED = 10,
    BB_REVOCATION_LIST_NOT_YET_VALID = 11,
    BB_REVOCATION_LIST_EXPIRED = 12,
    BB_SELF_SIGNED = 18,
    BB_SELF_SIGNED_ISSUER = 19,
    BB_NO_LOCAL_ISSUER = 20,
    BB_UNVERIFIABLE_LEAF = 21,
    BB_REVOKED = 23,
    BB_REFUSED_BY_POLICY = 50,
    BB_OTHER_HOST = 62,
};

/* epoll and eventfd */

enum {
    BB_READABLE = 1,
    BB_WRITABLE = 2,
    BB_FAILED = 4,
    BB_ENDED = 8, /* only to ask for: the peer has closed, reported as readable */
};

typedef struct bb_readiness {
    uint64_t token;
    uint32_t events; /* BB_READABLE | BB_WRITABLE | BB_FAILED */
} bb_readiness;

/* Each returns -1 and leaves errno when the system refuses. */
int bb_epoll_create(void);
int bb_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int bb_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token);
int bb_epoll_remove(int epoll, int descriptor);
int bb_epoll_wait(int epoll, bb_readiness *ready, int capacity, int milliseconds);
int bb_eventfd_create(void);

/* A non-blocking socket that is not passed on to child processes. */
int bb_socket_open(int family, int type, int protocol);

/* The error that a socket has met, which is taken from it; 0 for none. */
int bb_socket_error(int descriptor);

/* How many bytes have arrived that nobody has read. */
int bb_socket_unread_count(int descriptor);

/* A socket whose peer has already closed. */
int bb_socket_create_ended(void);
/* Puts `replacement` in the place of `descriptor`, whose connection ends there and then. */
int bb_socket_replace(int descriptor, int replacement);

/* Starts a thread that has signals blocked, so that none is delivered to it but those of its own
   faults and of profilers. */
int bb_thread_start(pthread_t *thread, void *(*body)(void *), void *context);
/* Names the calling thread by the name's first 15 bytes, as the system refuses more. */
void bb_thread_set_name(const char *name);

/* Files; each returns -1 and leaves errno when the system refuses. */

/* A rename that fails with EEXIST where something has the new name. */
int bb_rename_exclusively(const char *from, const char *to);
/* Reserves room on the disk and leaves the file's length as it is. */
int bb_file_reserve(int descriptor, int64_t length);

#endif
