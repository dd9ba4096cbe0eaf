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

static bool is_numbered(const char *name, const char *prefix, const char *const *numbers) {
    size_t length = strlen(prefix);
    return strncasecmp(name, prefix, length) == 0 && is_one_of(name + length, numbers);
}

bool encoding_is_utf8(const char *name) {
    return is_one_of(name, (const char *const[]){"UTF-8", "UTF8", NULL});
}

bool encoding_is_ascii(const char *name) {
    return is_one_of(name, (const char *const[]){"US-ASCII", "ASCII", NULL});
}

// The missing numbers do not exist as encodings, and libxml2 would read them as UTF-8.
bool encoding_extends_ascii(const char *name) {
    const char *const names[] = {
        "LATIN1", "KOI8-R", "KOI8-U", "EUC-JP", "EUC-KR", "GB2312", NULL
    };
    const char *const parts[] = {
        "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "13", "14", "15", "16", NULL
    };
    const char *const pages[] = {
        "1250", "1251", "1252", "1253", "1254", "1255", "1256", "1257", "1258", NULL
    };
    return encoding_is_utf8(name) || encoding_is_ascii(name) || is_one_of(name, names)
        || is_numbered(name, "ISO-8859-", parts) || is_numbered(name, "WINDOWS-", pages)
        || is_numbered(name, "CP", pages);
}

bool encoding_is_utf16(const char *name, bool bigEndian) {
    const char *const names[] = {"UTF-16", "UTF16", bigEndian ? "UTF-16BE" : "UTF-16LE", NULL};
    return is_one_of(name, names);
}
