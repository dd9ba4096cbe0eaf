#ifndef CFUZZER_H
#define CFUZZER_H

#include <CBluebonnetXML.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// libFuzzer's loop, which has no header of its own.
int LLVMFuzzerRunDriver(
    int *argc, char *_Nonnull *_Nonnull *_Nonnull argv,
    int (*callback)(const uint8_t *_Nullable data, size_t size)
);

/// Parses a document as the library does, but for the scan that looks at it before; with
/// `readsSubsets` also without the handler that keeps libxml2 from an internal DTD subset.
BluebonnetXMLDocument *_Nullable fuzz_xml_parse_unscanned(
    const void *_Nullable bytes,
    size_t length,
    BluebonnetXMLLimits limits,
    bool readsSubsets,
    BluebonnetXMLError *error
);

#pragma clang assume_nonnull end

#endif
