#ifndef BLUEBONNET_XML_TOKENS_H
#define BLUEBONNET_XML_TOKENS_H

#include "Characters.h"
#include "Names.h"
#include "Prefixes.h"
#include "Scan.h"

// Deeper elements are refused even if the limit is higher.
enum { DeepestElement = 256 };

// The state of a scan, which follows the grammar of XML's markup strictly. libxml2 continues after
// some errors, and must not find markup where the scan saw a comment, an instruction or a value.
// The scan also requires that prefixes are declared, which XMLParser does not check. libxml2 checks
// whether tags match, attributes repeat and entities are known.
typedef struct {
    Characters characters;
    const BluebonnetXMLLimits *limits;
    int depth;
    bool hasDoctype;
    bool hasRoot;
    Names names;
    // Whether the last name is that of an attribute that declares a namespace.
    bool isDeclaration;
    // The last name, and whether the last value is empty.
    QualifiedName name;
    bool isEmptyValue;
    // The number of namespaces in scope, and the number that each open element declares.
    int namespaces;
    int declared[DeepestElement];
    // The prefixes of those namespaces, and their number before each open element.
    Prefixes prefixes;
    int prefixesBefore[DeepestElement];
    char encoding[EncodingNameSize];
} Scan;

// libxml2 stops in the middle of a longer token, and continues after it in another state.
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

// Sets the token that is read from `tokenStart` on, and its maximum length in bytes.
void scan_begin(Scan *scan, const char *token, size_t limit);

// Fails with a message that `what` is expected, or that the document has ended.
void scan_expected(Scan *scan, const char *what);

void scan_expect(Scan *scan, const char *text, const char *what);

// Skips white space, and returns whether there was any.
bool scan_space(Scan *scan);

// Counts the name whose characters were added to `names`.
void scan_count_name(Scan *scan);

// Scans a name, and counts it among the names of the document.
void scan_name(Scan *scan);

// Appends a character of a name, or of a value made of name characters. Fails if it does not fit.
void scan_copy(Scan *scan, char *buffer, size_t size, size_t *length);

// Scans a quoted value; the value of a namespace declaration counts as a name.
void scan_literal(Scan *scan, bool (*allows)(int32_t));

// No URI contains '<'. libxml2's push parser would take one in a system identifier for the start of
// an element.
bool scan_allows_in_value(int32_t character);

void scan_doctype(Scan *scan);

// Scans a processing instruction, or the XML declaration if it is the first in the document.
void scan_instruction(Scan *scan, bool isFirst, bool hasMark);

#endif
