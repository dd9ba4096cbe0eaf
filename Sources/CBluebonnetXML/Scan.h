#ifndef BLUEBONNET_XML_SCAN_H
#define BLUEBONNET_XML_SCAN_H

#include "CBluebonnetXML.h"

#include <stdbool.h>

// Room for the longest name of a supported encoding and a zero byte.
enum { EncodingNameSize = 32 };

// Reads the whole document once, with at most 270 KiB of memory, and refuses it if it is not safe
// for libxml2. On success, `encoding` is the name to pass to libxml2, or empty if libxml2 detects
// the encoding.
bool scan_document(
    const void *bytes, size_t length, const BluebonnetXMLLimits *limits,
    BluebonnetXMLError *error, char encoding[EncodingNameSize]
);

#endif
