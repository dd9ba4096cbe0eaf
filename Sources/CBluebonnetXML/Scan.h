#ifndef BLUEBONNET_XML_SCAN_H
#define BLUEBONNET_XML_SCAN_H

#include "CBluebonnetXML.h"

#include <stdbool.h>

// Room for the longest name of an encoding that is read, and its zero byte.
enum { EncodingNameSize = 32 };

// Reads the whole document once, with a quarter of a megabyte at most, and refuses what libxml2 must
// not see.
// On success `encoding` is the name that libxml2 has to be told, or empty where it finds out itself.
bool scan_document(
    const void *bytes, size_t length, const BluebonnetXMLLimits *limits,
    BluebonnetXMLError *error, char encoding[EncodingNameSize]
);

#endif
