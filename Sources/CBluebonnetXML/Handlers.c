#define _GNU_SOURCE // For memrchr.

#include "Encodings.h"
#include "Session.h"

#include <libxml/SAX2.h>
#include <string.h>

// The user data of the handlers must be the context, since libxml2's own handlers need it.
static Session *session_of(void *context) {
    return ((xmlParserCtxtPtr)context)->_private;
}

static void handle_context_error(void *context, ErrorPointer error) {
    session_handle_error(session_of(context), error);
}

// The whole internal subset is refused before libxml2 reads it. Several of its declarations take
// quadratic time before their handler is called, and an empty <!ATTLIST> has no handler at all.
static void internal_subset(
    void *context, const xmlChar *name, const xmlChar *publicID, const xmlChar *systemID
) {
    (void)name, (void)publicID, (void)systemID;
    const xmlParserInput *input = ((xmlParserCtxtPtr)context)->input;
    if (input != NULL && input->cur < input->end && *input->cur == '[') {
        session_fail(
            session_of(context), 0,
            "The document type declaration has an internal subset; "
            "declarations of entities, attributes, elements and notations are refused"
        );
        xmlStopParser(context);
    }
}

static void start_document(void *userData) {
    xmlParserCtxtPtr context = userData;
    Session *session = session_of(context);
    session->hasStarted = true;
    const xmlChar *encoding = context->encoding;
    if (context->input != NULL && context->input->encoding != NULL) {
        encoding = context->input->encoding;
    }
    const char *name = (const char *)encoding;
    if (encoding_is_foreign(session->bytes, session->length)
        || (name != NULL && !encoding_is_supported(name, session->bytes, session->length))) {
        session_fail(
            session, XML_ERR_UNSUPPORTED_ENCODING,
            "The encoding \"%s\" is not supported, or does not match the document; "
            "UTF-8 and UTF-16 are always supported", name == NULL ? "UTF-32 or EBCDIC" : name
        );
        xmlStopParser(context);
        return;
    }
    // libxml2 registers each `xml:id` in a hash table that stops growing early. The parser's
    // options reset this field, so it cannot be set before the document starts.
    context->loadsubset = XML_SKIP_IDS;
    if (session->buildsTree) {
        xmlSAX2StartDocument(context);
    }
}

// libxml2 takes a zero byte after the root element for the end of the input.
static void end_document(void *context) {
    Session *session = session_of(context);
    const xmlParserInput *input = ((xmlParserCtxtPtr)context)->input;
    // Bytes that the decoder left over are an incomplete character.
    bool isComplete = input != NULL && input->cur == input->end && input->buf != NULL
        && (input->buf->raw == NULL || xmlBufUse(input->buf->raw) == 0);
    if (!isComplete || session->offset != session->length) {
        session_fail(session, XML_ERR_DOCUMENT_END, "Extra content at the end of the document");
    }
}

// libxml2 keeps a whole tag in its buffer until the handler returns, and '<' is not allowed in it.
static void check_tag_size(Session *session) {
    const xmlParserInput *input = session->context->input;
    const xmlChar *start = memrchr(input->base, '<', (size_t)(input->cur - input->base));
    if (start != NULL && (size_t)(input->cur - start) > session->limits.maximumTagSize) {
        session_fail(session, 0, "A tag has more than %zu bytes", session->limits.maximumTagSize);
    }
}

static void check_element(Session *session, int namespaceCount, int attributeCount) {
    const BluebonnetXMLLimits *limits = &session->limits;
    int deepest = limits->maximumDepth < DeepestElement ? limits->maximumDepth : DeepestElement;
    if (session->depth >= deepest) {
        session_fail(session, 0, "Elements are nested deeper than %d", deepest);
        return;
    }
    int namespaces = session->namespaces[session->depth++] + namespaceCount;
    session->namespaces[session->depth] = namespaces;
    if (attributeCount + namespaceCount > limits->maximumAttributes) {
        session_refuse_attributes(session);
    } else if (namespaces > limits->maximumNamespaces) {
        session_refuse_namespaces(session);
    } else {
        check_tag_size(session);
    }
}

static void start_element(
    void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
    int namespaceCount, const xmlChar **namespaces,
    int attributeCount, int defaultedCount, const xmlChar **attributes
) {
    Session *session = session_of(context);
    check_element(session, namespaceCount, attributeCount);
    if (session->failed) {
        xmlStopParser(context);
    } else if (session->buildsTree) {
        xmlSAX2StartElementNs(
            context, name, prefix, uri, namespaceCount, namespaces,
            attributeCount, defaultedCount, attributes
        );
    }
}

static void end_element(
    void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri
) {
    Session *session = session_of(context);
    session->depth--;
    check_tag_size(session);
    if (session->failed) {
        xmlStopParser(context);
    } else if (session->buildsTree) {
        xmlSAX2EndElementNs(context, name, prefix, uri);
    }
}

// libxml2 limits the size of a comment only if there is a handler for it.
static void ignore_comment(void *context, const xmlChar *text) {
    (void)context, (void)text;
}

// Without handlers for them, declarations and external entities have no effect.
void session_install_handlers(Session *session) {
    xmlParserCtxtPtr context = session->context;
    context->_private = session;
    *context->sax = (xmlSAXHandler){
        .initialized = XML_SAX2_MAGIC,
        .serror = handle_context_error,
        .internalSubset = internal_subset,
        .startDocument = start_document,
        .endDocument = end_document,
        .startElementNs = start_element,
        .endElementNs = end_element,
        .comment = ignore_comment
    };
    if (session->buildsTree) {
        context->sax->characters = xmlSAX2Characters;
        context->sax->ignorableWhitespace = xmlSAX2Characters;
        context->sax->cdataBlock = xmlSAX2CDataBlock;
        context->sax->comment = xmlSAX2Comment;
        context->sax->processingInstruction = xmlSAX2ProcessingInstruction;
    }
}
