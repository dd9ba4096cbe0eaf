#include "Encodings.h"

#include <string.h>
#include <strings.h>

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names != NULL; names++) {
        if (strcasecmp(name, *names) == 0) {
            return true;
        }
    }
    return false;
}

bool encoding_is_foreign(const char *bytes, size_t length) {
    // Big- and little-endian UTF-32, with and without a byte order mark, and EBCDIC.
    static const char starts[][5] = {
        "\0\0\xFE\xFF", "\xFF\xFE\0\0", "\0\0\0<", "<\0\0\0", "\x4C\x6F\xA7\x94"
    };
    for (size_t index = 0; length >= 4 && index < sizeof starts / sizeof *starts; index++) {
        if (memcmp(bytes, starts[index], 4) == 0) {
            return true;
        }
    }
    return false;
}

bool encoding_is_supported(const char *name, const char *bytes, size_t length) {
    if (length >= 4 && (memcmp(bytes, "\xFE\xFF", 2) == 0 || memcmp(bytes, "\0<\0?", 4) == 0)) {
        return is_one_of(name, (const char *const[]){"UTF-16", "UTF16", "UTF-16BE", NULL});
    }
    if (length >= 4 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "<\0?\0", 4) == 0)) {
        return is_one_of(name, (const char *const[]){"UTF-16", "UTF16", "UTF-16LE", NULL});
    }
    static const char *const names[] = {
        "UTF-8", "UTF8", "US-ASCII", "ASCII", "LATIN1", "KOI8-R", "KOI8-U", "EUC-JP", "EUC-KR",
        "GB2312", "ISO-8859-1", "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-5",
        "ISO-8859-6", "ISO-8859-7", "ISO-8859-8", "ISO-8859-9", "ISO-8859-10", "ISO-8859-11",
        "ISO-8859-13", "ISO-8859-14", "ISO-8859-15", "ISO-8859-16", "WINDOWS-1250", "WINDOWS-1251",
        "WINDOWS-1252", "WINDOWS-1253", "WINDOWS-1254", "WINDOWS-1255", "WINDOWS-1256",
        "WINDOWS-1257", "WINDOWS-1258", "CP1250", "CP1251", "CP1252", "CP1253", "CP1254", "CP1255",
        "CP1256", "CP1257", "CP1258", NULL
    };
    return is_one_of(name, names);
}
