#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The entry point of libFuzzer, for which there is no header.
int LLVMFuzzerRunDriver(
    int *argc, char *_Nonnull *_Nonnull *_Nonnull argv,
    int (*callback)(const uint8_t *_Nullable data, size_t size)
);

#pragma clang assume_nonnull end

#endif
