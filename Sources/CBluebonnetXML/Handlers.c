#include "Session.h"

#include <libxml/SAX2.h>

// The user data of the handlers must be the context, since libxml2's own handlers need it.
static Session *session_of(void *context) {
    return ((xmlParserCtxtPtr)context)->_private;
}

static void stop(void *context) {
    xmlStopParser(context);
}

static void handle_context_error(void *context, ErrorPointer error) {
    session_handle_error(session_of(context), error);
}

static void refuse_declaration(void *context) {
    session_fail(
        session_of(context), 0,
        "The document type declaration has an internal subset; "
        "declarations of entities, attributes, elements and notations are refused"
    );
    stop(context);
}

// The whole internal subset is refused before libxml2 reads it. Several of its declarations take
// quadratic time before their handler is called, and an empty <!ATTLIST> has no handler at all.
static void internal_subset(
    void *context, const xmlChar *name, const xmlChar *publicID, const xmlChar *systemID
) {
    const xmlParserInput *input = ((xmlParserCtxtPtr)context)->input;
    if (input != NULL && input->cur < input->end && *input->cur == '[') {
        refuse_declaration(context);
        return;
    }
    xmlSAX2InternalSubset(context, name, publicID, systemID);
}

// The handlers of declarations are a second line of defense, for versions of libxml2 that call
// `internal_subset` at another position of the input.
static void entity_declaration(
    void *context, const xmlChar *name, int type,
    const xmlChar *publicID, const xmlChar *systemID, xmlChar *content
) {
    (void)name, (void)type, (void)publicID, (void)systemID, (void)content;
    refuse_declaration(context);
}

static void unparsed_entity_declaration(
    void *context, const xmlChar *name,
    const xmlChar *publicID, const xmlChar *systemID, const xmlChar *notation
) {
    (void)name, (void)publicID, (void)systemID, (void)notation;
    refuse_declaration(context);
}

static void notation_declaration(
    void *context, const xmlChar *name, const xmlChar *publicID, const xmlChar *systemID
) {
    (void)name, (void)publicID, (void)systemID;
    refuse_declaration(context);
}

static void attribute_declaration(
    void *context, const xmlChar *element, const xmlChar *name,
    int type, int defaultKind, const xmlChar *defaultValue, xmlEnumerationPtr values
) {
    (void)element, (void)name, (void)type, (void)defaultKind, (void)defaultValue;
    // libxml2 passes ownership of the list to its handler.
    xmlFreeEnumeration(values);
    refuse_declaration(context);
}

static void element_declaration(
    void *context, const xmlChar *name, int type, xmlElementContentPtr content
) {
    (void)name, (void)type, (void)content;
    refuse_declaration(context);
}

static xmlEntityPtr parameter_entity(void *context, const xmlChar *name) {
    (void)name;
    refuse_declaration(context);
    return NULL;
}

static xmlParserInputPtr resolve_entity(
    void *context, const xmlChar *publicID, const xmlChar *systemID
) {
    (void)publicID, (void)systemID;
    session_fail(session_of(context), 0, "External entities are refused");
    stop(context);
    return NULL;
}

// libxml2 registers each `xml:id` in a hash table that stops growing early. The parser's options
// reset this field, so it cannot be set before the document starts. The value loads no external
// subset, since no handler for that is installed.
static void start_document(void *context) {
    xmlSAX2StartDocument(context);
    ((xmlParserCtxtPtr)context)->loadsubset = XML_SKIP_IDS;
}

static void start_element(
    void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
    int namespaceCount, const xmlChar **namespaces,
    int attributeCount, int defaultedCount, const xmlChar **attributes
) {
    Session *session = session_of(context);
    const BluebonnetXMLLimits *limits = &session->limits;
    const xmlParserCtxt *parser = context;
    if (parser->nodeNr >= limits->maximumDepth) {
        session_fail(session, 0, "Elements are nested deeper than %d", limits->maximumDepth);
    } else if (attributeCount > limits->maximumAttributes) {
        session_fail(
            session, 0, "An element has more than %d attributes", limits->maximumAttributes
        );
    } else if (parser->nsNr / 2 > limits->maximumNamespaces) {
        session_fail(
            session, 0, "More than %d namespace declarations are in scope",
            limits->maximumNamespaces
        );
    }
    if (session->failed) {
        stop(context);
        return;
    }
    xmlSAX2StartElementNs(
        context, name, prefix, uri, namespaceCount, namespaces,
        attributeCount, defaultedCount, attributes
    );
}

void session_install_handlers(Session *session) {
    xmlParserCtxtPtr context = session->context;
    context->_private = session;
    context->sax->serror = handle_context_error;
    context->sax->startDocument = start_document;
    context->sax->startElementNs = start_element;
    context->sax->internalSubset = internal_subset;
    context->sax->externalSubset = NULL;
    context->sax->resolveEntity = resolve_entity;
    context->sax->getParameterEntity = parameter_entity;
    context->sax->entityDecl = entity_declaration;
    context->sax->unparsedEntityDecl = unparsed_entity_declaration;
    context->sax->notationDecl = notation_declaration;
    context->sax->attributeDecl = attribute_declaration;
    context->sax->elementDecl = element_declaration;
}
