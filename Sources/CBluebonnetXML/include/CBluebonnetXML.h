#ifndef CBLUEBONNETXML_H
#define CBLUEBONNETXML_H

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
    /// Attributes of one element, namespace declarations not included.
    int maximumAttributes;
    /// Namespace declarations in scope at one element.
    int maximumNamespaces;
    /// Different names in the document: of elements, attributes, prefixes and namespaces.
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
    /// From 0, or -1 if libxml2 converts the document from an encoding other than UTF-8.
    int64_t byteOffset;
    /// Ends with a zero byte. UTF-8, but perhaps cut in the middle of a character.
    char message[256];
} BluebonnetXMLError;

/// Parses a document; on failure returns NULL and fills `error`.
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

#if defined(__clang__)
#pragma clang assume_nonnull end
#else
#undef _Nullable
#endif

#endif
