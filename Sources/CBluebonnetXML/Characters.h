#ifndef BLUEBONNET_XML_CHARACTERS_H
#define BLUEBONNET_XML_CHARACTERS_H

#include "CBluebonnetXML.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    CharacterEncodingUTF8,
    CharacterEncodingUTF16BigEndian,
    CharacterEncodingUTF16LittleEndian,
    CharacterEncodingASCII,
    // Any encoding in which each byte below 0x80 is always an ASCII character.
    CharacterEncodingExtendedASCII
} CharacterEncoding;

enum { EndOfDocument = -1 };

// A reader of a document's characters, with the destination for errors.
typedef struct {
    const unsigned char *bytes;
    size_t length;
    CharacterEncoding encoding;
    // The current character, or EndOfDocument, where reading also stops after an error.
    int32_t current;
    // The offsets of the current and the next character.
    size_t offset;
    size_t next;
    // The token that is being read, its start, and its maximum length in bytes.
    const char *token;
    size_t tokenStart;
    size_t tokenLimit;
    bool failed;
    BluebonnetXMLError *error;
} Characters;

// Moves to the first character, after a byte order mark.
void characters_begin(Characters *characters);

// Moves to the next character. Fails if XML forbids it, or if the token is too long.
void characters_advance(Characters *characters);

// Stores the error with the current position if it is the first one, and stops reading.
void characters_fail(Characters *characters, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void characters_fail_at(Characters *characters, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
