#ifndef CMALLOC_SHIM_H
#define CMALLOC_SHIM_H

// malloc_trim and mallinfo2, which Swift's module of glibc leaves out.
#include <malloc.h>

#endif
