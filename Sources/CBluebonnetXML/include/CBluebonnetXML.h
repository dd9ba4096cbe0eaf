#ifndef CBLUEBONNETXML_H
#define CBLUEBONNETXML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// GCC does not know clang's nullability, which Swift needs to import optionals.
#if defined(__clang__)
#pragma clang assume_nonnull begin
#else
#define _Nullable
#endif

/// A parsed document. It is never changed after parsing, so that it can be read from any thread.
typedef struct BluebonnetXMLDocument BluebonnetXMLDocument;

/// A node of a document: an element, an attribute, a piece of text or something else.
/// It lives as long as its document.
typedef struct BluebonnetXMLNode BluebonnetXMLNode;

typedef enum {
    BluebonnetXMLNodeKindElement,
    BluebonnetXMLNodeKindAttribute,
    BluebonnetXMLNodeKindText,
    BluebonnetXMLNodeKindCDATA,
    BluebonnetXMLNodeKindOther
} BluebonnetXMLNodeKind;

/// What a document may cost. A document over one of these limits is refused.
typedef struct {
    /// Bytes of the encoded document.
    size_t maximumSize;
    /// Elements nested in each other, the root included.
    int maximumDepth;
    /// Bytes of one tag.
    size_t maximumTagSize;
    /// Attributes of one element, namespace declarations included.
    int maximumAttributes;
    /// Namespace declarations in scope at one element.
    int maximumNamespaces;
    /// Different names in the document: of elements, attributes, prefixes, namespaces and
    /// processing instructions.
    int maximumNames;
} BluebonnetXMLLimits;

/// The first error of a document.
typedef struct {
    /// A code of libxml2's `xmlParserErrors`, or 0 for a refusal by this library.
    int code;
    /// From 1.
    int line;
    /// From 1.
    int column;
    /// From 0, or -1 if libxml2 found the error and the document is not in UTF-8.
    int64_t byteOffset;
    /// Ends with a zero byte. UTF-8, but perhaps cut in the middle of a character.
    char message[256];
} BluebonnetXMLError;

/// Whether a document may be given to a parser of libxml2: it is within the limits, has no internal
/// DTD subset, and its markup ends where the document does. Otherwise fills `error`. Takes linear
/// time and no memory. Whether the document is well-formed shows only when it is parsed.
bool bluebonnet_xml_scan(
    const void *_Nullable bytes,
    size_t length,
    BluebonnetXMLLimits limits,
    BluebonnetXMLError *error
);

/// Scans and parses a document; on failure returns NULL and fills `error`.
BluebonnetXMLDocument *_Nullable bluebonnet_xml_parse(
    const void *_Nullable bytes,
    size_t length,
    BluebonnetXMLLimits limits,
    BluebonnetXMLError *error
);

void bluebonnet_xml_free(BluebonnetXMLDocument *document);

/// The root element. NULL does not happen for a document that parsed.
const BluebonnetXMLNode *_Nullable bluebonnet_xml_root(const BluebonnetXMLDocument *document);

BluebonnetXMLNodeKind bluebonnet_xml_kind(const BluebonnetXMLNode *node);

/// The local name of an element or attribute.
const char *_Nullable bluebonnet_xml_name(const BluebonnetXMLNode *node);

/// The prefix of an element or attribute, NULL without one.
const char *_Nullable bluebonnet_xml_prefix(const BluebonnetXMLNode *node);

/// The namespace of an element or attribute, NULL without one.
const char *_Nullable bluebonnet_xml_namespace_uri(const BluebonnetXMLNode *node);

/// The characters of a text or CDATA node, NULL for every other kind.
const char *_Nullable bluebonnet_xml_text(const BluebonnetXMLNode *node);

/// The first child of an element or attribute: the value of an attribute is its text children.
const BluebonnetXMLNode *_Nullable bluebonnet_xml_first_child(const BluebonnetXMLNode *node);

/// The first attribute of an element; the others are its next siblings.
const BluebonnetXMLNode *_Nullable bluebonnet_xml_first_attribute(const BluebonnetXMLNode *node);

const BluebonnetXMLNode *_Nullable bluebonnet_xml_next_sibling(const BluebonnetXMLNode *node);

/// The element that holds the node, NULL for the root element.
const BluebonnetXMLNode *_Nullable bluebonnet_xml_parent(const BluebonnetXMLNode *node);

/// What an XPath expression gave.
typedef struct BluebonnetXMLQuery BluebonnetXMLQuery;

/// A prefix that an expression may use.
typedef struct {
    const char *prefix;
    const char *uri;
} BluebonnetXMLNamespace;

/// Evaluates an XPath 1.0 expression at an element, or at the document for NULL.
///
/// On failure returns NULL and fills `error`, whose `byteOffset` is one in the expression or -1.
/// Evaluation ends with an error after `maximumOperations` steps. Joining sets of nodes is none,
/// and takes time that grows with the square of their size.
BluebonnetXMLQuery *_Nullable bluebonnet_xml_query(
    const BluebonnetXMLDocument *document,
    const BluebonnetXMLNode *_Nullable node,
    const char *expression,
    const BluebonnetXMLNamespace *_Nullable namespaces,
    int namespaceCount,
    unsigned long maximumOperations,
    BluebonnetXMLError *error
);

void bluebonnet_xml_query_free(BluebonnetXMLQuery *query);

/// The number of nodes in the order of the document, -1 for a string, a number or a boolean.
int bluebonnet_xml_query_count(const BluebonnetXMLQuery *query);

/// The element at an index, NULL where another kind of node is.
const BluebonnetXMLNode *_Nullable bluebonnet_xml_query_element(
    const BluebonnetXMLQuery *query, int index
);

/// The string value of the node at an index, or of a result without nodes; NULL without memory.
/// Ends with `free`.
char *_Nullable bluebonnet_xml_query_string(const BluebonnetXMLQuery *query, int index);

#if defined(__clang__)
#pragma clang assume_nonnull end
#else
#undef _Nullable
#endif

#endif
