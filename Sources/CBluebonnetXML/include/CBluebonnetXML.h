#ifndef CBLUEBONNETXML_H
#define CBLUEBONNETXML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// GCC does not know Clang's nullability annotations, which Swift needs to import optionals.
#if defined(__clang__)
#pragma clang assume_nonnull begin
#else
#define _Nullable
#endif

/// A parsed document. It never changes after parsing, so any thread can read it.
typedef struct BluebonnetXMLDocument BluebonnetXMLDocument;

/// A node of a document: an element, an attribute, text or something else. It exists as long as its
/// document.
typedef struct BluebonnetXMLNode BluebonnetXMLNode;

typedef enum {
    BluebonnetXMLNodeKindElement,
    BluebonnetXMLNodeKindAttribute,
    BluebonnetXMLNodeKindText,
    BluebonnetXMLNodeKindCDATA,
    BluebonnetXMLNodeKindOther
} BluebonnetXMLNodeKind;

/// The limits for a document. A document that exceeds one of them is refused.
typedef struct {
    /// The size of the encoded document in bytes.
    size_t maximumSize;
    /// The depth of nested elements, including the root.
    int maximumDepth;
    /// The size of one tag in bytes of UTF-8.
    size_t maximumTagSize;
    /// The number of attributes of one element, including namespace declarations.
    int maximumAttributes;
    /// The number of namespace declarations in scope at one element.
    int maximumNamespaces;
    /// The number of different names in the document: of elements, attributes, prefixes, namespaces
    /// and processing instructions.
    int maximumNames;
} BluebonnetXMLLimits;

/// The first error of a document.
typedef struct {
    /// A code of libxml2's `xmlParserErrors`, or 0 if the document exceeds a limit.
    int code;
    /// From 1.
    int line;
    /// From 1.
    int column;
    /// The offset in an XPath expression, from 0; -1 if unknown, and for documents.
    int64_t byteOffset;
    /// UTF-8 with a terminating zero byte; the last character can be incomplete.
    char message[256];
} BluebonnetXMLError;

/// Reads a document without building a tree, and opens no file and no connection. Returns false and
/// fills `error` if the document is malformed, exceeds a limit or has an internal DTD subset.
bool bluebonnet_xml_check(
    const void *_Nullable bytes,
    size_t length,
    BluebonnetXMLLimits limits,
    BluebonnetXMLError *error
);

/// Checks a document, and then builds its tree. Returns NULL and fills `error` on failure.
BluebonnetXMLDocument *_Nullable bluebonnet_xml_parse(
    const void *_Nullable bytes,
    size_t length,
    BluebonnetXMLLimits limits,
    BluebonnetXMLError *error
);

void bluebonnet_xml_free(BluebonnetXMLDocument *document);

/// Returns the root element, which is never NULL for a parsed document.
const BluebonnetXMLNode *_Nullable bluebonnet_xml_root(const BluebonnetXMLDocument *document);

BluebonnetXMLNodeKind bluebonnet_xml_kind(const BluebonnetXMLNode *node);

/// Returns the local name of an element or attribute.
const char *_Nullable bluebonnet_xml_name(const BluebonnetXMLNode *node);

/// Returns the prefix of an element or attribute, or NULL if it has none.
const char *_Nullable bluebonnet_xml_prefix(const BluebonnetXMLNode *node);

/// Returns the namespace of an element or attribute, or NULL if it has none.
const char *_Nullable bluebonnet_xml_namespace_uri(const BluebonnetXMLNode *node);

/// Returns the characters of a text or CDATA node, or NULL for other kinds.
const char *_Nullable bluebonnet_xml_text(const BluebonnetXMLNode *node);

/// Returns the first child of an element or attribute. The value of an attribute is its text
/// children.
const BluebonnetXMLNode *_Nullable bluebonnet_xml_first_child(const BluebonnetXMLNode *node);

/// Returns the first attribute of an element; the others are its next siblings.
const BluebonnetXMLNode *_Nullable bluebonnet_xml_first_attribute(const BluebonnetXMLNode *node);

const BluebonnetXMLNode *_Nullable bluebonnet_xml_next_sibling(const BluebonnetXMLNode *node);

/// Returns the element that contains the node, or NULL for the root element.
const BluebonnetXMLNode *_Nullable bluebonnet_xml_parent(const BluebonnetXMLNode *node);

/// The result of an XPath expression.
typedef struct BluebonnetXMLQuery BluebonnetXMLQuery;

/// A prefix that an expression can use, and its namespace.
typedef struct {
    const char *prefix;
    const char *uri;
} BluebonnetXMLNamespace;

/// Evaluates an XPath 1.0 expression at an element, or at the document if `node` is NULL.
///
/// Returns NULL and fills `error` on failure; its `byteOffset` is an offset in the expression, or
/// -1. The evaluation fails after `maximumOperations` steps. Merging sets of nodes counts as no
/// step, and takes time that grows with the square of their size.
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

/// Returns the number of nodes, in document order, or -1 for a string, a number or a Boolean.
int bluebonnet_xml_query_count(const BluebonnetXMLQuery *query);

/// Returns the element at an index, or NULL if the node is of another kind.
const BluebonnetXMLNode *_Nullable bluebonnet_xml_query_element(
    const BluebonnetXMLQuery *query, int index
);

/// Returns the string value of the node at an index, or of a result without nodes. Returns NULL if
/// memory runs out. Call `free` on the string.
char *_Nullable bluebonnet_xml_query_string(const BluebonnetXMLQuery *query, int index);

#if defined(__clang__)
#pragma clang assume_nonnull end
#else
#undef _Nullable
#endif

#endif
