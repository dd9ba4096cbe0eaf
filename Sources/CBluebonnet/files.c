#define _GNU_SOURCE
#include "CBluebonnet.h"

#include <fcntl.h>
#include <stdio.h>

int bb_rename_exclusively(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int bb_file_reserve(int descriptor, int64_t length) {
    return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, length);
}
