#include "Names.h"

#include <stdlib.h>

// The table has 2^21 marks, 32 for each allowed name, so that at most 2% of the names share one.
enum { MarkBits = 21, ShortestName = 4 };

bool names_begin(Names *names, size_t documentLength, int maximum) {
    *names = (Names){.marks = NULL, .factor = (uint64_t)arc4random() << 32 | arc4random() | 1};
    // Even the shortest name takes 4 bytes with its markup.
    if (documentLength / ShortestName <= (size_t)maximum) {
        return true;
    }
    names->marks = calloc(1, (size_t)1 << (MarkBits - 3));
    return names->marks != NULL;
}

void names_end(Names *names) {
    free(names->marks);
}

void names_mark(Names *names) {
    if (names->marks == NULL) {
        return;
    }
    uint64_t mixed = (names->hash ^ names->hash >> 32) * (names->factor | 1);
    uint64_t place = (mixed ^ mixed >> 29) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - MarkBits);
    unsigned char bit = (unsigned char)(1 << (place & 7));
    if ((names->marks[place >> 3] & bit) == 0) {
        names->marks[place >> 3] |= bit;
        names->count++;
    }
}
