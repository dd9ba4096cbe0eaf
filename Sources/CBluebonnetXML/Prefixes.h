#ifndef BLUEBONNET_XML_PREFIXES_H
#define BLUEBONNET_XML_PREFIXES_H

#include "CBluebonnetXML.h"
#include "Names.h"

#include <stdbool.h>
#include <stdint.h>

// The namespace prefixes that are declared where the scan stands, and those that a start tag uses, by
// their hashes. Two that share one count as one, so a prefix may pass that is not declared.
typedef struct {
    uint64_t *declared;
    int declaredCount;
    // In the start tag that is being read.
    uint64_t *used;
    int usedCount;
} Prefixes;

// A name as far as it was read, by the hashes of what stands before and behind its first colon; those
// mean nothing in a name without one.
typedef struct {
    uint64_t prefix;
    uint64_t local;
    bool hasPrefix;
    // Whether it is no QName of Namespaces in XML 1.0.
    bool isMalformed;
    int32_t last;
} QualifiedName;

// Whether there was memory; `prefixes_end` goes with it.
bool prefixes_begin(Prefixes *prefixes, const BluebonnetXMLLimits *limits);
void prefixes_end(Prefixes *prefixes);

// Both do nothing where there is no room, which the limits of the scan have refused before.
void prefixes_declare(Prefixes *prefixes, uint64_t prefix, const BluebonnetXMLLimits *limits);
void prefixes_use(Prefixes *prefixes, const QualifiedName *name, const BluebonnetXMLLimits *limits);

// Whether each prefix that the start tag uses is declared. Begins another tag.
bool prefixes_are_declared(Prefixes *prefixes, uint64_t factor);

// Takes a character of a name, from its first colon on; `names` has hashed those before it.
void qualified_name_take(
    QualifiedName *name, int32_t character, bool isFirst, bool startsName, const Names *names
);

#endif
