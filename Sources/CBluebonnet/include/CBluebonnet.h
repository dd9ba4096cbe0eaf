/*
 * Typed wrappers for everything that Swift cannot call: libcurl's variadic functions, OpenSSL's
 * macros, and the packed event record of epoll. They make no decisions.
 */
#ifndef CBLUEBONNET_H
#define CBLUEBONNET_H

#if !__has_include(<curl/curl.h>)
#error "Bluebonnet needs the headers of libcurl; on Debian: apt-get install libcurl4-openssl-dev"
#endif

#include <curl/curl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* One line in place of a page of unknown names. */
#if LIBCURL_VERSION_NUM < 0x075700
#error "Bluebonnet needs the headers of libcurl 7.87 or later, as Debian 12 has them"
#endif

/* curl_easy_setopt, with one function for each C type of an option. */

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

/* The type of header and write callbacks, and of read callbacks, whose buffer is writable. */
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

typedef int (*bb_debug_callback)(CURL *easy, curl_infotype kind, char *bytes, size_t count,
                                 void *context);

static inline CURLcode bb_easy_set_debug_callback(CURL *easy, bb_debug_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callback);
}

/* A result other than 0 fails the look-up of a name that libcurl is about to begin. */
typedef int (*bb_resolver_start_callback)(void *resolver, void *reserved, void *context);

static inline CURLcode bb_easy_set_resolver_start_callback(CURL *easy,
                                                           bb_resolver_start_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, callback);
}

static inline CURLcode bb_easy_set_close_socket_callback(CURL *easy,
                                                         bb_close_socket_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
}

/*
 * Values of options. libcurl's headers define them as enumerators, as int or as long, depending on
 * the version.
 */
static const long bb_netrc_ignored = CURL_NETRC_IGNORED;
static const long bb_http_version_1_1 = CURL_HTTP_VERSION_1_1;
static const long bb_http_version_2_over_tls = CURL_HTTP_VERSION_2TLS;
static const long bb_http_version_2_prior_knowledge = CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
static const long bb_tls_version_1_2 = CURL_SSLVERSION_TLSv1_2;
static const long bb_tls_version_1_3 = CURL_SSLVERSION_TLSv1_3;
static const long bb_tls_options_allow_beast = CURLSSLOPT_ALLOW_BEAST;
static const long bb_header_options_separate = CURLHEADER_SEPARATE;

/* The bits of curl_easy_pause and curl_multi_socket_action. */
static const int bb_pause_receiving = CURLPAUSE_RECV;
static const int bb_pause_sending = CURLPAUSE_SEND;
static const int bb_pause_both = CURLPAUSE_ALL;
static const int bb_select_in = CURL_CSELECT_IN;
static const int bb_select_out = CURL_CSELECT_OUT;
static const int bb_select_error = CURL_CSELECT_ERR;

/* Numbers that older headers lack, as libcurl's interface fixes them. */
static const CURLINFO bb_info_post_transfer_time = (CURLINFO)(CURLINFO_OFF_T + 67); /* 8.10 */
static const CURLINFO bb_info_connection_number = (CURLINFO)(CURLINFO_OFF_T + 64);  /* 8.2 */
static const CURLcode bb_result_too_large = (CURLcode)100;                         /* 8.6 */

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

/* The address of a socket to be opened, whose bytes can extend beyond the field's type. */
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

static inline int bb_version_has_http2(const curl_version_info_data *info) {
    return (info->features & CURL_VERSION_HTTP2) != 0;
}

/* libcrypto */

typedef enum bb_digest {
    BB_MD5,
    BB_SHA256,
    BB_SHA512_256,
} bb_digest;

enum { BB_DIGEST_CAPACITY = 32 };

/* Returns the size of the digest in bytes, or 0 if this OpenSSL does not provide it. */
unsigned int bb_digest_bytes(bb_digest digest, const void *bytes, size_t count,
                             unsigned char output[BB_DIGEST_CAPACITY]);

/*
 * Return the version and the cipher suite of a transfer's TLS connection as static strings of
 * OpenSSL. Return NULL if there is no TLS, or if libcurl uses another TLS library than the one
 * linked here. Call them only while libcurl calls back for the transfer.
 */
const char *bb_easy_get_tls_version(CURL *easy);
const char *bb_easy_get_tls_cipher_suite(CURL *easy);

/* Whether libcurl uses the TLS library whose functions are called here. */
int bb_tls_is_openssl(void);

/* A certificate, its issuers' certificates, and its private key; immutable. */
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
    bb_identity *identity; /* NULL if there is a fault */
    bb_identity_fault fault;
    const char *reason; /* a static string of OpenSSL; NULL if there is none */
} bb_identity_result;

typedef struct bb_bytes {
    const void *start;
    size_t count;
} bb_bytes;

/*
 * Reads certificates and a key, each in PEM or DER; one PEM text can serve as both. The passphrase
 * can be NULL.
 */
bb_identity_result bb_identity_read(bb_bytes certificates, bb_bytes key, const char *passphrase);
bb_identity_result bb_identity_read_pkcs12(bb_bytes container, const char *passphrase);
void bb_identity_free(bb_identity *identity);

/*
 * Writes a certificate in DER unless `output` is NULL; index 0 is the identity's own. Returns its
 * size, or 0 if there is no such certificate.
 */
int bb_identity_certificate(const bb_identity *identity, int index, unsigned char *output);
/*
 * Writes the subject's name in UTF-8 (RFC 4514) without a terminating zero, and returns its size.
 */
int bb_identity_subject(const bb_identity *identity, char *output, int capacity);
/* In seconds since 1970. */
int64_t bb_identity_not_before(const bb_identity *identity);
int64_t bb_identity_not_after(const bb_identity *identity);

/*
 * Lets the connections of an SSL_CTX offer the identity to servers that accept one of its issuers
 * or any issuer. The identity must outlive the connections. Returns 0 if libcurl's TLS library is
 * not OpenSSL.
 */
int bb_identity_offer(bb_identity *identity, void *tls_context);

/* Certificates */

typedef struct x509_st bb_certificate;

/* Returns a new certificate, or NULL unless the bytes are exactly one certificate in DER. */
bb_certificate *bb_certificate_parse(const unsigned char *bytes, size_t count);
void bb_certificate_free(bb_certificate *certificate);

/* Writes the DER if `output` is not NULL, and returns its size, or 0 if memory runs out. */
size_t bb_certificate_encode(const bb_certificate *certificate, unsigned char *output);

/* Writes the SHA-256 of the SubjectPublicKeyInfo in DER, and returns 1 on success. */
int bb_certificate_key_digest(const bb_certificate *certificate,
                              unsigned char output[BB_DIGEST_CAPACITY]);

/* Return a name in UTF-8 in the form of RFC 2253, to be freed, or NULL if memory runs out. */
char *bb_certificate_copy_subject(const bb_certificate *certificate);
char *bb_certificate_copy_issuer(const bb_certificate *certificate);

/* Writes both times in seconds since 1970, and returns 1 on success. */
int bb_certificate_validity(const bb_certificate *certificate, int64_t *from, int64_t *until);

/*
 * Calls the visitor with the DER of each certificate in a PEM text, and ignores other PEM. Returns
 * the number of certificates, or -1 if the text is damaged.
 */
typedef void (*bb_bytes_visitor)(void *context, const unsigned char *bytes, size_t count);
int bb_pem_visit_certificates(const void *text, size_t count, bb_bytes_visitor visit,
                              void *context);

/* A list that holds references to its certificates. */
typedef struct stack_st_X509 bb_certificate_list;
bb_certificate_list *bb_certificate_list_create(void);
void bb_certificate_list_free(bb_certificate_list *list);
int bb_certificate_list_append(bb_certificate_list *list, bb_certificate *certificate);
/* A NULL list is empty. */
int bb_certificate_list_count(const bb_certificate_list *list);
bb_certificate *bb_certificate_list_get(const bb_certificate_list *list, int index);

/*
 * Verification of a server's certificates. Both pointers are valid only within libcurl's callbacks.
 */

typedef struct ssl_ctx_st bb_tls_context;
typedef struct x509_store_ctx_st bb_verification;
typedef struct bb_tls_end bb_tls_end;

/*
 * Whether a context is for the connection to a proxy, which libcurl sets up with the same callback.
 * The mark is CURLSSLOPT_ALLOW_BEAST in the proxy options of the handle, which has no effect in TLS
 * 1.2 and later.
 */
int bb_tls_context_is_for_proxy(const bb_tls_context *context);
/*
 * Whether the mark works: the system's configuration of OpenSSL can set the same option everywhere.
 */
int bb_tls_context_can_be_told_apart(void);

/* Clears the option of libcurl that treats the end of a connection like a close_notify of TLS. */
void bb_tls_context_notice_truncation(bb_tls_context *context);

/* Sets that option again for the connection of a handle, within libcurl's callbacks. */
void bb_easy_ignore_truncation(CURL *easy);

/* Whether TLS negotiated HTTP/2; also 1 if there is no TLS connection to inspect. */
int bb_easy_may_be_http2(CURL *easy);
/* Whether received bytes of a handle's connection are waiting in OpenSSL's memory. */
int bb_easy_has_decrypted(CURL *easy);
/*
 * Starts to record when the peer of a handle's connection sends a close_notify or a fatal alert.
 * Call it within libcurl's callbacks. Returns NULL if there is no TLS connection or memory runs
 * out. The record outlives the connection and must be released.
 */
bb_tls_end *bb_easy_watch_tls_end(CURL *easy);
int bb_tls_end_was_noted(const bb_tls_end *end);
/* Returns the number of a fatal alert, or -1 if there was none. */
int bb_tls_end_alert(const bb_tls_end *end);
void bb_tls_end_release(bb_tls_end *end);

typedef enum bb_client_certificate {
    BB_CLIENT_CERTIFICATE_UNASKED,
    BB_CLIENT_CERTIFICATE_MISSING,
    BB_CLIENT_CERTIFICATE_SENT,
} bb_client_certificate;
/* Returns the result of the server's request for a certificate, within libcurl's callbacks. */
bb_client_certificate bb_easy_client_certificate(CURL *easy);
/*
 * Lets libcurl read the data that the peer has sent before a write failure takes effect: the first
 * failures look like a busy connection. Call it within libcurl's callbacks.
 */
void bb_easy_read_before_failing(CURL *easy);

/* Authorities, and the lists of the certificates that they have revoked. */
typedef struct x509_store_st bb_authorities;

/*
 * Reads the authorities of a PEM text, or from OpenSSL's default paths for NULL. Returns NULL if
 * none is valid.
 */
bb_authorities *bb_authorities_read(const bb_bytes *pem);
/* Checks every chain against the revocation lists of a PEM text. Returns 0 if none is valid. */
int bb_authorities_check_revocations(bb_authorities *authorities, bb_bytes pem);
/*
 * Lets a chain end at an authority that is not a root. Not for use with revocation lists, since the
 * list of that authority's issuer would be missing.
 */
void bb_authorities_allow_partial_chains(bb_authorities *authorities);
void bb_authorities_free(bb_authorities *authorities);
/* Makes the connections of a context use only these authorities; the context retains them. */
void bb_tls_context_set_authorities(bb_tls_context *context, bb_authorities *authorities);

/* Returns 1 if the certificates are trusted; any other result ends the handshake. */
typedef int (*bb_verify_callback)(bb_verification *verification, void *judge);
typedef void (*bb_release_callback)(void *judge);

/*
 * Replaces OpenSSL's verification with a callback. Returns 1, and the context then releases the
 * judge when it is freed. Returns 0 on failure, and the caller still owns the judge.
 */
int bb_tls_context_set_judge(bb_tls_context *context, bb_verify_callback verify, void *judge,
                             bb_release_callback release);

/*
 * Makes these certificates the only anchors; they need not be self-signed. The list must outlive
 * the verification.
 */
void bb_verification_set_anchors(bb_verification *verification, bb_certificate_list *anchors);
/* Builds and checks a chain. Returns an X509_V_ code, where 0 is success. */
int bb_verification_run(bb_verification *verification);
void bb_verification_accept(bb_verification *verification);
/* The code must not be 0. */
void bb_verification_reject(bb_verification *verification, int code);
/* Returns the chain that a successful run has built. */
const bb_certificate_list *bb_verification_chain(const bb_verification *verification);
/* Returns the certificates that the server sent, leaf first. */
const bb_certificate_list *bb_verification_presented(const bb_verification *verification);
/* Returns the server's own certificate. */
bb_certificate *bb_verification_leaf(const bb_verification *verification);
/* Whether the server's certificate is valid for the name that the client sent (RFC 6066). */
int bb_verification_fits_sent_name(bb_verification *verification);
/* Whether the server's certificate is valid for an IP address of 4 or 16 bytes. */
int bb_verification_fits_address(bb_verification *verification, const unsigned char *address,
                                 size_t size);
/* Returns a static string. */
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

/* The process */

/*
 * Opens /dev/null as each of the descriptors 0 to 2 that is closed.
 *
 * Otherwise, a socket or a file would get such a number, and receive what the program prints. The
 * library calls it when it is loaded.
 */
void bb_standard_descriptors_open(void);

/* Read by the function below. */
extern bool bb_lost_threads;

/* Returns whether the process is the child of a fork in which `bb_thread_start` had been called. */
static inline bool bb_has_lost_threads(void) {
    return __atomic_load_n(&bb_lost_threads, __ATOMIC_RELAXED);
}

/* epoll and eventfd */

enum {
    BB_READABLE = 1,
    BB_WRITABLE = 2,
    BB_FAILED = 4,
    BB_ENDED = 8, /* only as a request; a closed peer is reported as readable */
};

typedef struct bb_readiness {
    uint64_t token;
    uint32_t events; /* BB_READABLE | BB_WRITABLE | BB_FAILED */
} bb_readiness;

/* Each function returns -1 and sets errno on failure. */
int bb_epoll_create(void);
int bb_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int bb_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token);
int bb_epoll_remove(int epoll, int descriptor);
int bb_epoll_wait(int epoll, bb_readiness *ready, int capacity, int milliseconds);
int bb_eventfd_create(void);

/* Opens a non-blocking socket that child processes do not inherit. */
int bb_socket_open(int family, int type, int protocol);

/* Returns and clears the pending error of a socket; 0 if there is none. */
int bb_socket_error(int descriptor);

/* Returns the number of bytes that have arrived but were not read. */
int bb_socket_unread_count(int descriptor);

/* Returns the milliseconds since data last arrived on a TCP connection, or -1 if it is unknown. */
int64_t bb_socket_milliseconds_since_arrival(int descriptor);

/* Creates a socket whose peer has already closed. */
int bb_socket_create_ended(void);
/* Replaces `descriptor` with a duplicate of `replacement`, which closes its connection. */
int bb_socket_replace(int descriptor, int replacement);

/* Starts a thread that blocks all signals except those of its own faults and of profilers. */
int bb_thread_start(pthread_t *thread, void *(*body)(void *), void *context);
/* Sets the name of the calling thread to the first 15 bytes, the system's maximum. */
void bb_thread_set_name(const char *name);

/* Files. Each function returns -1 and sets errno on failure. */

/* Renames a file; fails with EEXIST if the new name is in use. */
int bb_rename_exclusively(const char *from, const char *to);
/* Reserves space on the disk without changing the length of the file. */
int bb_file_reserve(int descriptor, int64_t length);

#endif
