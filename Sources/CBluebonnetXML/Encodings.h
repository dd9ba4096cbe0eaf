#ifndef BLUEBONNET_XML_ENCODINGS_H
#define BLUEBONNET_XML_ENCODINGS_H

#include <stdbool.h>

bool encoding_is_utf8(const char *name);
bool encoding_is_ascii(const char *name);

// Whether each byte below 0x80 is always an ASCII character. In other encodings, such a byte can be
// a part of another character (Shift_JIS, GBK, Big5) or begin a shift sequence (UTF-7, ISO-2022).
// libxml2 could then see another document than the scan.
bool encoding_extends_ascii(const char *name);

bool encoding_is_utf16(const char *name, bool bigEndian);

#endif
