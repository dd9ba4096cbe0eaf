#include "CBluebonnet.h"

#include <openssl/err.h>
#include <openssl/evp.h>

static const EVP_MD *algorithm(bb_digest digest) {
    switch (digest) {
    case BB_MD5: return EVP_md5();
    case BB_SHA256: return EVP_sha256();
    case BB_SHA512_256: return EVP_sha512_256();
    }
    return NULL;
}

unsigned int bb_digest_bytes(bb_digest digest, const void *bytes, size_t count,
                             unsigned char output[BB_DIGEST_CAPACITY]) {
    const EVP_MD *chosen = algorithm(digest);
    if (chosen == NULL || EVP_MD_size(chosen) > BB_DIGEST_CAPACITY)
        return 0;
    /*
     * A failed call leaves an error in the thread's OpenSSL error queue, where TLS would find it.
     */
    ERR_set_mark();
    unsigned int size = 0;
    int succeeded = EVP_Digest(bytes, count, output, &size, chosen, NULL);
    ERR_pop_to_mark();
    return succeeded == 1 ? size : 0;
}
