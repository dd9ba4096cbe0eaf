#ifndef BLUEBONNET_XML_TOKENS_H
#define BLUEBONNET_XML_TOKENS_H

#include "Characters.h"
#include "Names.h"
#include "Prefixes.h"
#include "Scan.h"

// More are refused whatever the limit is.
enum { DeepestElement = 256 };

// The scan follows the grammar of XML's markup strictly, so that libxml2, which goes on after some
// errors, cannot find markup where the scan saw a comment, an instruction or a value. It also wants
// prefixes to be declared, which XMLParser lets pass. Whether tags match, attributes repeat or entities
// are known is left to libxml2.
typedef struct {
    Characters characters;
    const BluebonnetXMLLimits *limits;
    int depth;
    bool hasDoctype;
    bool hasRoot;
    Names names;
    // Whether the last name was that of an attribute that declares a namespace.
    bool isDeclaration;
    // The last name, and whether the last value was empty.
    QualifiedName name;
    bool isEmptyValue;
    // How many namespaces are in scope, and how many of them each open element declares.
    int namespaces;
    int declared[DeepestElement];
    // The prefixes of those, and how many there were before each open element.
    Prefixes prefixes;
    int prefixesBefore[DeepestElement];
    char encoding[EncodingNameSize];
} Scan;

// libxml2 gives up on longer ones in the middle, and goes on behind that place in another state.
enum {
    LongestText = 10000000,
    LongestDoctype = 32768,
    LongestDeclaration = 1024,
    LongestTarget = 1024
};

bool scan_is_space(int32_t character);
bool scan_starts_name(int32_t character);
bool scan_continues_name(int32_t character);

int32_t scan_current(const Scan *scan);
void scan_advance(Scan *scan);

// Says what is being read from `tokenStart` on, and how many bytes it may have.
void scan_begin(Scan *scan, const char *token, size_t limit);

// Fails with what is expected, or because the document has ended.
void scan_expected(Scan *scan, const char *what);

void scan_expect(Scan *scan, const char *text, const char *what);

// Whether there was any space.
bool scan_space(Scan *scan);

// Counts the name whose characters `names` has taken.
void scan_count_name(Scan *scan);

// A name, which counts among those of the document.
void scan_name(Scan *scan);

// Keeps a character of a name, or of a value that could be one, as far as they fit.
void scan_copy(Scan *scan, char *buffer, size_t size, size_t *length);

// A quoted value; that of a namespace's declaration counts as a name.
void scan_literal(Scan *scan, bool (*allows)(int32_t));

// No URI holds a '<', and the push parser of libxml2 would take one in a system identifier for the
// start of an element.
bool scan_allows_in_value(int32_t character);

void scan_doctype(Scan *scan);

// A processing instruction, or as the first of a document its XML declaration.
void scan_instruction(Scan *scan, bool isFirst, bool hasMark);

#endif
