#ifndef BLUEBONNET_XML_ENCODINGS_H
#define BLUEBONNET_XML_ENCODINGS_H

#include <stdbool.h>

bool encoding_is_utf8(const char *name);
bool encoding_is_ascii(const char *name);

// Whether every byte below 0x80 is the ASCII character, wherever it stands. Those in which it can
// be a part of another character (Shift_JIS, GBK, Big5) or begin a shift (UTF-7, ISO-2022) could
// show libxml2 another document than the scan.
bool encoding_extends_ascii(const char *name);

bool encoding_is_utf16(const char *name, bool bigEndian);

#endif
