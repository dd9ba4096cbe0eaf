#ifndef BLUEBONNET_XML_ENCODINGS_H
#define BLUEBONNET_XML_ENCODINGS_H

#include <stdbool.h>
#include <stddef.h>

// Whether a document can declare an encoding: each byte below 0x80 is always an ASCII character, or
// the encoding is the UTF-16 of the document. After another declaration, libxml2's two parsers
// switch between encodings at different bytes. XMLParser could then see another document than the
// one that was checked.
bool encoding_is_supported(const char *name, const char *bytes, size_t length);

// Returns whether the bytes are in UTF-32 or EBCDIC, whatever the document declares. libxml2's
// parsers switch from EBCDIC to the declared encoding at different bytes.
bool encoding_is_foreign(const char *bytes, size_t length);

#endif
