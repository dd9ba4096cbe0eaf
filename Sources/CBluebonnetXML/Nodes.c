#include "CBluebonnetXML.h"

#include <libxml/tree.h>

static const xmlNode *node_of(const BluebonnetXMLNode *node) {
    return (const xmlNode *)node;
}

static const BluebonnetXMLNode *opaque(const void *node) {
    return node;
}

// libxml2 sets `ns` only for these two kinds, at the same offset of xmlNode and xmlAttr. Other
// kinds are shorter structures that can lack the field.
static const xmlNs *namespace_of(const BluebonnetXMLNode *node) {
    xmlElementType type = node_of(node)->type;
    return type == XML_ELEMENT_NODE || type == XML_ATTRIBUTE_NODE ? node_of(node)->ns : NULL;
}

const BluebonnetXMLNode *bluebonnet_xml_root(const BluebonnetXMLDocument *document) {
    // Not xmlDocGetRootElement, which requires a document that is not const.
    const xmlNode *node = ((const xmlDoc *)document)->children;
    while (node != NULL && node->type != XML_ELEMENT_NODE) {
        node = node->next;
    }
    return opaque(node);
}

BluebonnetXMLNodeKind bluebonnet_xml_kind(const BluebonnetXMLNode *node) {
    switch (node_of(node)->type) {
    case XML_ELEMENT_NODE:
        return BluebonnetXMLNodeKindElement;
    case XML_ATTRIBUTE_NODE:
        return BluebonnetXMLNodeKindAttribute;
    case XML_TEXT_NODE:
        return BluebonnetXMLNodeKindText;
    case XML_CDATA_SECTION_NODE:
        return BluebonnetXMLNodeKindCDATA;
    default:
        return BluebonnetXMLNodeKindOther;
    }
}

const char *bluebonnet_xml_name(const BluebonnetXMLNode *node) {
    return (const char *)node_of(node)->name;
}

const char *bluebonnet_xml_prefix(const BluebonnetXMLNode *node) {
    const xmlNs *namespace = namespace_of(node);
    return namespace == NULL ? NULL : (const char *)namespace->prefix;
}

const char *bluebonnet_xml_namespace_uri(const BluebonnetXMLNode *node) {
    const xmlNs *namespace = namespace_of(node);
    return namespace == NULL ? NULL : (const char *)namespace->href;
}

const char *bluebonnet_xml_text(const BluebonnetXMLNode *node) {
    // Not xmlNodeGetContent, which expands entities and is recursive.
    xmlElementType type = node_of(node)->type;
    if (type != XML_TEXT_NODE && type != XML_CDATA_SECTION_NODE) {
        return NULL;
    }
    return (const char *)node_of(node)->content;
}

const BluebonnetXMLNode *bluebonnet_xml_first_child(const BluebonnetXMLNode *node) {
    // The child of an entity reference is its declaration, in another part of the tree.
    xmlElementType type = node_of(node)->type;
    if (type != XML_ELEMENT_NODE && type != XML_ATTRIBUTE_NODE) {
        return NULL;
    }
    return opaque(node_of(node)->children);
}

const BluebonnetXMLNode *bluebonnet_xml_first_attribute(const BluebonnetXMLNode *node) {
    return node_of(node)->type == XML_ELEMENT_NODE ? opaque(node_of(node)->properties) : NULL;
}

const BluebonnetXMLNode *bluebonnet_xml_next_sibling(const BluebonnetXMLNode *node) {
    return opaque(node_of(node)->next);
}

const BluebonnetXMLNode *bluebonnet_xml_parent(const BluebonnetXMLNode *node) {
    const xmlNode *parent = node_of(node)->parent;
    return parent != NULL && parent->type == XML_ELEMENT_NODE ? opaque(parent) : NULL;
}
