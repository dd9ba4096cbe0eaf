#include "CBluebonnetXML.h"
#include "Scan.h"
#include "Session.h"

#include <libxml/encoding.h>
#include <pthread.h>
#include <string.h>

static pthread_once_t initialised = PTHREAD_ONCE_INIT;

// The system does not support every encoding, and libxml2 would read an unsupported one as UTF-8.
static bool is_there(const char *encoding) {
    xmlCharEncodingHandlerPtr handler = xmlFindCharEncodingHandler(encoding);
    if (handler == NULL) {
        return false;
    }
    xmlCharEncCloseFunc(handler);
    return true;
}

// Uses the encoding that the scan found, so that both read the same document.
static xmlDocPtr read_document(Session *session, const char *encoding) {
    if (encoding[0] != '\0' && !is_there(encoding)) {
        session_fail(
            session, XML_ERR_UNSUPPORTED_ENCODING,
            "The encoding \"%s\" is not available on this system", encoding
        );
        return NULL;
    }
    // XML_PARSE_COMPACT keeps short texts out of the table of names, whose size is limited.
    int options = XML_PARSE_NONET | XML_PARSE_COMPACT | XML_PARSE_IGNORE_ENC;
    xmlDocPtr document = xmlCtxtReadIO(
        session->context, session_read, NULL, session, NULL,
        encoding[0] == '\0' ? NULL : encoding, options
    );
    if (document == NULL) {
        session_fail(session, XML_ERR_INTERNAL_ERROR, "The document is not well-formed");
    } else if (!session_is_exhausted(session)) {
        // libxml2 takes a zero byte after the root element for the end of the input.
        session_fail(session, XML_ERR_DOCUMENT_END, "Extra content at the end of the document");
    }
    if (session->failed && document != NULL) {
        xmlFreeDoc(document);
        return NULL;
    }
    return document;
}

// Errors of decoders have no context. libxml2 reports them to the handler of the thread, which
// prints them by default.
static xmlDocPtr read_silently(Session *session, const char *encoding) {
    xmlStructuredErrorFunc previous = xmlStructuredError;
    void *previousData = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(session, session_handle_error);
    xmlDocPtr document = read_document(session, encoding);
    xmlSetStructuredErrorFunc(previousData, previous);
    return document;
}

BluebonnetXMLDocument *bluebonnet_xml_parse(
    const void *bytes, size_t length, BluebonnetXMLLimits limits, BluebonnetXMLError *error
) {
    memset(error, 0, sizeof *error);
    Session session = {.bytes = bytes, .length = length, .limits = limits, .error = error};
    char encoding[EncodingNameSize];
    if (!scan_document(bytes, length, &limits, error, encoding)) {
        return NULL;
    }
    pthread_once(&initialised, xmlInitParser);
    session.context = xmlNewParserCtxt();
    if (session.context == NULL) {
        session_fail(&session, XML_ERR_NO_MEMORY, "Out of memory");
        return NULL;
    }
    session_install_handlers(&session);
    xmlDocPtr document = read_silently(&session, encoding);
    xmlFreeParserCtxt(session.context);
    return (BluebonnetXMLDocument *)document;
}

void bluebonnet_xml_free(BluebonnetXMLDocument *document) {
    xmlFreeDoc((xmlDocPtr)document);
}
