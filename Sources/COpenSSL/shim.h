#include <openssl/evp.h>
#include <openssl/ssl.h>
