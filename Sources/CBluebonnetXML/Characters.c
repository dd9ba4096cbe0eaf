#include "Characters.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_utf16(const Characters *characters) {
    return characters->encoding == CharacterEncodingUTF16BigEndian
        || characters->encoding == CharacterEncodingUTF16LittleEndian;
}

// Only for errors: reading a document counts neither lines nor columns.
static void locate(const Characters *characters, size_t offset) {
    bool wide = is_utf16(characters);
    int high = characters->encoding == CharacterEncodingUTF16BigEndian ? 0 : 1;
    int line = 1, column = 1;
    for (size_t index = 0; index < offset; index += wide ? 2 : 1) {
        unsigned first = characters->bytes[index];
        if (wide) {
            unsigned unit = (unsigned)characters->bytes[index + high] << 8
                | characters->bytes[index + 1 - high];
            first = unit >= 0xDC00 && unit < 0xE000 ? 0x80 : unit == '\n' ? '\n' : 0;
            column -= unit == 0xFEFF && index == 0;
        } else if (characters->encoding == CharacterEncodingExtendedASCII) {
            first = first == '\n' ? '\n' : 0;
        } else {
            column -= first == 0xEF && index == 0;
        }
        if (first == '\n') {
            line++;
            column = 1;
        } else {
            // Continuation bytes and low surrogates belong to a character that is already counted.
            column += (first & 0xC0) != 0x80;
        }
    }
    characters->error->line = line;
    characters->error->column = column;
    characters->error->byteOffset = (int64_t)offset;
}

static void fail(Characters *characters, size_t offset, const char *format, va_list arguments) {
    if (characters->failed) {
        return;
    }
    characters->failed = true;
    characters->current = EndOfDocument;
    characters->error->code = 0;
    locate(characters, offset);
    vsnprintf(
        characters->error->message, sizeof characters->error->message, format, arguments
    );
}

void characters_fail_at(Characters *characters, size_t offset, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail(characters, offset, format, arguments);
    va_end(arguments);
}

void characters_fail(Characters *characters, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail(characters, characters->offset, format, arguments);
    va_end(arguments);
}

// Returns the scalar value at `bytes`, or -1 if the sequence is invalid (RFC 3629), and its length.
static int32_t utf8(const unsigned char *bytes, size_t available, size_t *length) {
    unsigned char first = bytes[0];
    *length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (first < 0x80) {
        return first;
    }
    if (first < 0xC2 || first > 0xF4 || *length > available) {
        return -1;
    }
    int32_t value = first & (0x7F >> *length);
    for (size_t index = 1; index < *length; index++) {
        if ((bytes[index] & 0xC0) != 0x80) {
            return -1;
        }
        value = value << 6 | (bytes[index] & 0x3F);
    }
    bool overlong = (*length == 3 && value < 0x800) || (*length == 4 && value < 0x10000);
    return overlong || (value >= 0xD800 && value < 0xE000) || value > 0x10FFFF ? -1 : value;
}

static int32_t utf16_unit(const unsigned char *bytes, bool bigEndian) {
    return bigEndian ? bytes[0] << 8 | bytes[1] : bytes[1] << 8 | bytes[0];
}

static int32_t utf16(
    const unsigned char *bytes, size_t available, bool bigEndian, size_t *length
) {
    *length = 2;
    if (available < 2) {
        return -1;
    }
    int32_t unit = utf16_unit(bytes, bigEndian);
    if (unit < 0xD800 || unit >= 0xE000) {
        return unit;
    }
    *length = 4;
    if (unit >= 0xDC00 || available < 4) {
        return -1;
    }
    int32_t low = utf16_unit(bytes + 2, bigEndian);
    if (low < 0xDC00 || low >= 0xE000) {
        return -1;
    }
    return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

static int32_t decode(const Characters *characters, size_t *length) {
    const unsigned char *bytes = characters->bytes + characters->next;
    size_t available = characters->length - characters->next;
    switch (characters->encoding) {
    case CharacterEncodingUTF8:
        return utf8(bytes, available, length);
    case CharacterEncodingUTF16BigEndian:
        return utf16(bytes, available, true, length);
    case CharacterEncodingUTF16LittleEndian:
        return utf16(bytes, available, false, length);
    case CharacterEncodingASCII:
        *length = 1;
        return bytes[0] < 0x80 ? bytes[0] : -1;
    default:
        *length = 1;
        return bytes[0];
    }
}

// The production Char of XML 1.0, for a value that is not a surrogate.
static bool is_allowed(int32_t character) {
    if (character < 0x20) {
        return character == '\t' || character == '\n' || character == '\r';
    }
    return character != 0xFFFE && character != 0xFFFF;
}

void characters_advance(Characters *characters) {
    if (characters->failed) {
        return;
    }
    characters->offset = characters->next;
    if (characters->next >= characters->length) {
        characters->current = EndOfDocument;
        return;
    }
    size_t length = 1;
    int32_t character = characters->bytes[characters->next];
    if (character >= 0x80 || is_utf16(characters)) {
        character = decode(characters, &length);
        if (character < 0) {
            characters_fail(characters, "The bytes are not valid in the document's encoding");
            return;
        }
    }
    if (!is_allowed(character)) {
        characters_fail(characters, "The character U+%04X is not allowed", (unsigned)character);
        return;
    }
    // Not `>=`: the first character after a token is read as part of it.
    if (characters->offset - characters->tokenStart > characters->tokenLimit) {
        characters_fail_at(
            characters, characters->tokenStart, "The %s has more than %zu bytes",
            characters->token, characters->tokenLimit
        );
        return;
    }
    characters->current = character;
    characters->next += length;
}

void characters_begin(Characters *characters) {
    const unsigned char *bytes = characters->bytes;
    size_t length = characters->length;
    if (length >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF) {
        characters->next = 3;
    } else if (length >= 2 && bytes[0] == 0xFE && bytes[1] == 0xFF) {
        characters->encoding = CharacterEncodingUTF16BigEndian;
        characters->next = 2;
    } else if (length >= 2 && bytes[0] == 0xFF && bytes[1] == 0xFE) {
        characters->encoding = CharacterEncodingUTF16LittleEndian;
        characters->next = 2;
    } else if (length >= 4 && memcmp(bytes, "\0<\0?", 4) == 0) {
        characters->encoding = CharacterEncodingUTF16BigEndian;
    } else if (length >= 4 && memcmp(bytes, "<\0?\0", 4) == 0) {
        characters->encoding = CharacterEncodingUTF16LittleEndian;
    }
    characters_advance(characters);
}
