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
    // One of those whose bytes below 0x80 are ASCII, wherever they stand.
    CharacterEncodingExtendedASCII
} CharacterEncoding;

enum { EndOfDocument = -1 };

// The characters of a document, one after the other, with the place for errors.
typedef struct {
    const unsigned char *bytes;
    size_t length;
    CharacterEncoding encoding;
    // The current character, or the end, where the reading stops after an error.
    int32_t current;
    // Where the current character begins, and the next one.
    size_t offset;
    size_t next;
    // What is being read, where it began, and how many bytes it may have.
    const char *token;
    size_t tokenStart;
    size_t tokenLimit;
    bool failed;
    BluebonnetXMLError *error;
} Characters;

// Goes to the first character after a byte order mark.
void characters_begin(Characters *characters);

// Goes to the next character. One that XML forbids, and a token that is too long, are errors.
void characters_advance(Characters *characters);

// Keeps the error if it is the first one, with the place of the current character, and stops.
void characters_fail(Characters *characters, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void characters_fail_at(Characters *characters, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
