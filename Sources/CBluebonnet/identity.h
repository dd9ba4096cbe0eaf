#ifndef CBLUEBONNET_IDENTITY_H
#define CBLUEBONNET_IDENTITY_H

#include "CBluebonnet.h"

#include <openssl/evp.h>
#include <openssl/x509.h>

struct bb_identity {
    EVP_PKEY *key;
    X509 *certificate;
    /* Starting with the issuer of the certificate, each one is the issuer of the one before it. */
    STACK_OF(X509) *issuers;
};

#endif
