#ifndef CBLUEBONNET_IDENTITY_H
#define CBLUEBONNET_IDENTITY_H

#include "CBluebonnet.h"

#include <openssl/evp.h>
#include <openssl/x509.h>

struct bb_identity {
    EVP_PKEY *key;
    X509 *certificate;
    /* From the certificate's own issuer on, each the issuer of the one before. */
    STACK_OF(X509) *issuers;
};

#endif
