#ifndef CMALLOC_SHIM_H
#define CMALLOC_SHIM_H

// malloc_trim and mallinfo2, which Swift's Glibc module does not include.
#include <malloc.h>

#endif
