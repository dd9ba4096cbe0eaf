#include "identity.h"

#include <openssl/ssl.h>

static int is_named(const X509 *certificate, const STACK_OF(X509_NAME) *authorities) {
    const X509_NAME *issuer = X509_get_issuer_name(certificate);
    for (int index = 0; index < sk_X509_NAME_num(authorities); index++) {
        if (X509_NAME_cmp(sk_X509_NAME_value(authorities, index), issuer) == 0)
            return 1;
    }
    return 0;
}

/* A server that names no authority accepts any (RFC 5246 section 7.4.4, RFC 8446 section 4.2.4). */
static int is_wanted(const bb_identity *identity, const STACK_OF(X509_NAME) *authorities) {
    if (sk_X509_NAME_num(authorities) < 1 || is_named(identity->certificate, authorities))
        return 1;
    for (int index = 0; index < sk_X509_num(identity->issuers); index++) {
        if (is_named(sk_X509_value(identity->issuers, index), authorities))
            return 1;
    }
    return 0;
}

/* OpenSSL calls this in a client's handshake only if the server has requested a certificate. */
static int offer(SSL *ssl, void *context) {
    const bb_identity *identity = context;
    if (!is_wanted(identity, SSL_get0_peer_CA_list(ssl)))
        return 1;
    return SSL_use_cert_and_key(ssl, identity->certificate, identity->key, identity->issuers, 1);
}

int bb_identity_offer(bb_identity *identity, void *tls_context) {
    if (!bb_tls_is_openssl())
        return 0;
    SSL_CTX_set_cert_cb(tls_context, offer, identity);
    return 1;
}
