#ifndef BLUEBONNET_XML_NAMES_H
#define BLUEBONNET_XML_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Counts the different names of a document, nearly: each makes a mark in a table by its hash, and
// now and then two share one. The hash is drawn anew for each document, so that nobody can choose
// names that do.
typedef struct {
    // NULL where the document is too short for too many names.
    unsigned char *marks;
    uint64_t factor;
    uint64_t hash;
    int count;
} Names;

// Whether there was memory; `names_end` goes with it.
bool names_begin(Names *names, size_t documentLength, int maximum);
void names_end(Names *names);

static inline void names_start(Names *names) {
    names->hash = names->factor;
}

static inline void names_take(Names *names, int32_t character) {
    names->hash = (names->hash + (uint64_t)character + 1) * names->factor;
}

// Marks the name whose characters were taken.
void names_mark(Names *names);

#endif
