#include "CBluebonnetXML.h"
#include "Session.h"

#include <pthread.h>
#include <string.h>

static pthread_once_t initialised = PTHREAD_ONCE_INIT;

static xmlDocPtr read_document(Session *session) {
    // Compact short texts stay out of the table of names, whose size is limited.
    int options = XML_PARSE_NONET | XML_PARSE_COMPACT;
    xmlDocPtr document = xmlCtxtReadIO(
        session->context, session_read, NULL, session, NULL, NULL, options
    );
    if (document == NULL) {
        session_fail(session, XML_ERR_INTERNAL_ERROR, "The document is not well-formed");
    } else if (!session_is_exhausted(session)) {
        // A zero byte after the root element looks like the end of the input to libxml2.
        session_fail(session, XML_ERR_DOCUMENT_END, "Extra content at the end of the document");
    }
    if (session->failed && document != NULL) {
        xmlFreeDoc(document);
        return NULL;
    }
    return document;
}

// Errors of the decoders have no context. libxml2 reports them to the handler of the thread, which
// prints them by default.
static xmlDocPtr read_silently(Session *session) {
    xmlStructuredErrorFunc previous = xmlStructuredError;
    void *previousData = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(session, session_handle_error);
    xmlDocPtr document = read_document(session);
    xmlSetStructuredErrorFunc(previousData, previous);
    return document;
}

BluebonnetXMLDocument *bluebonnet_xml_parse(
    const void *bytes, size_t length, BluebonnetXMLLimits limits, BluebonnetXMLError *error
) {
    memset(error, 0, sizeof *error);
    Session session = {.bytes = bytes, .length = length, .limits = limits, .error = error};
    if (length > limits.maximumSize) {
        session_fail(
            &session, 0, "The document has %zu bytes, more than the limit of %zu",
            length, limits.maximumSize
        );
        return NULL;
    }
    pthread_once(&initialised, xmlInitParser);
    session.context = xmlNewParserCtxt();
    if (session.context == NULL) {
        session_fail(&session, XML_ERR_NO_MEMORY, "Out of memory");
        return NULL;
    }
    session_install_handlers(&session);
    xmlDocPtr document = read_silently(&session);
    xmlFreeParserCtxt(session.context);
    return (BluebonnetXMLDocument *)document;
}

void bluebonnet_xml_free(BluebonnetXMLDocument *document) {
    xmlFreeDoc((xmlDocPtr)document);
}
