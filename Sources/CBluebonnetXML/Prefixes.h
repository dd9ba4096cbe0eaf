#ifndef BLUEBONNET_XML_PREFIXES_H
#define BLUEBONNET_XML_PREFIXES_H

#include "CBluebonnetXML.h"
#include "Names.h"

#include <stdbool.h>
#include <stdint.h>

// The hashes of the namespace prefixes in scope, and of those that a start tag uses. If two
// prefixes have the same hash, an undeclared one can pass.
typedef struct {
    uint64_t *declared;
    int declaredCount;
    // Of the current start tag.
    uint64_t *used;
    int usedCount;
} Prefixes;

// A name that is being read, as the hashes of the parts before and after its first colon. They have
// no meaning for a name without a colon.
typedef struct {
    uint64_t prefix;
    uint64_t local;
    bool hasPrefix;
    // Whether the name is not a QName of Namespaces in XML 1.0.
    bool isMalformed;
    int32_t last;
} QualifiedName;

// Returns false if memory runs out. Call `prefixes_end` in either case.
bool prefixes_begin(Prefixes *prefixes, const BluebonnetXMLLimits *limits);
void prefixes_end(Prefixes *prefixes);

// Both do nothing if there is no room; the limits of the scan refuse such a document.
void prefixes_declare(Prefixes *prefixes, uint64_t prefix, const BluebonnetXMLLimits *limits);
void prefixes_use(Prefixes *prefixes, const QualifiedName *name, const BluebonnetXMLLimits *limits);

// Whether each prefix that the start tag uses is declared. Resets the used prefixes for the next
// tag.
bool prefixes_are_declared(Prefixes *prefixes, uint64_t factor);

// Adds a character to a name, from its first colon on; `names` has hashed the characters before.
void qualified_name_take(
    QualifiedName *name, int32_t character, bool isFirst, bool startsName, const Names *names
);

#endif
