#ifndef CFUZZER_H
#define CFUZZER_H

#include <CBluebonnetXML.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The entry point of libFuzzer, for which there is no header.
int LLVMFuzzerRunDriver(
    int *argc, char *_Nonnull *_Nonnull *_Nonnull argv,
    int (*callback)(const uint8_t *_Nullable data, size_t size)
);

/// Parses a document as the library does, but without the scan that precedes it.
/// With `readsSubsets`, libxml2 also reads internal DTD subsets, unlike with the library's handler.
BluebonnetXMLDocument *_Nullable fuzz_xml_parse_unscanned(
    const void *_Nullable bytes,
    size_t length,
    BluebonnetXMLLimits limits,
    bool readsSubsets,
    BluebonnetXMLError *error
);

#pragma clang assume_nonnull end

#endif
