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

// `iso-8859-` or `windows-125` and a number.
static bool has_number_after(const char *name, const char *prefix, size_t digits) {
    size_t length = strlen(prefix);
    if (strncasecmp(name, prefix, length) != 0) {
        return false;
    }
    size_t count = strspn(name + length, "0123456789");
    return count >= 1 && count <= digits && name[length + count] == '\0';
}

bool encoding_is_utf8(const char *name) {
    return is_one_of(name, (const char *const[]){"UTF-8", "UTF8", NULL});
}

bool encoding_extends_ascii(const char *name) {
    return encoding_is_utf8(name)
        || is_one_of(name, (const char *const[]){
            "US-ASCII", "ASCII", "LATIN1", "KOI8-R", "KOI8-U", "EUC-JP", "EUC-KR", "GB2312", NULL
        })
        || has_number_after(name, "ISO-8859-", 2)
        || has_number_after(name, "WINDOWS-125", 1)
        || has_number_after(name, "CP125", 1);
}

bool encoding_is_utf16(const char *name, bool bigEndian) {
    const char *const names[] = {"UTF-16", "UTF16", bigEndian ? "UTF-16BE" : "UTF-16LE", NULL};
    return is_one_of(name, names);
}
