#ifndef BLUEBONNET_XML_NAMES_H
#define BLUEBONNET_XML_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An approximate count of the different names of a document. Each name sets a mark in a table by
// its hash, and a few names share a mark. The hash is randomized for each document, so that a
// server cannot choose names that share marks.
typedef struct {
    // NULL if the document is too short to have too many names.
    unsigned char *marks;
    uint64_t factor;
    uint64_t hash;
    int count;
} Names;

// Returns false if memory runs out. Call `names_end` in either case.
bool names_begin(Names *names, size_t documentLength, int maximum);
void names_end(Names *names);

static inline void names_start(Names *names) {
    names->hash = names->factor;
}

static inline void names_take(Names *names, int32_t character) {
    names->hash = (names->hash + (uint64_t)character + 1) * names->factor;
}

// Sets the mark of the name whose characters were added.
void names_mark(Names *names);

#endif
