#include "CBluebonnetXML.h"
#include "Session.h"

#include <pthread.h>
#include <string.h>

static pthread_once_t initialised = PTHREAD_ONCE_INIT;

static xmlDocPtr read_document(Session *session) {
    // XML_PARSE_COMPACT keeps short texts out of the table of names, whose size is limited.
    int options = XML_PARSE_NONET | XML_PARSE_COMPACT;
    // In a tree, the byte order mark of UTF-8 overrides the declaration. In libxml2, and so in
    // XMLParser, it does not.
    if (session->isForTree && session->length >= 3
        && memcmp(session->bytes, "\xEF\xBB\xBF", 3) == 0) {
        options |= XML_PARSE_IGNORE_ENC;
    }
    xmlDocPtr document =
        xmlCtxtReadIO(session->context, session_read, NULL, session, NULL, NULL, options);
    if (!session->context->wellFormed) {
        session_fail(session, XML_ERR_INTERNAL_ERROR, "The document is not well-formed");
    }
    if (session->failed && document != NULL) {
        xmlFreeDoc(document);
        return NULL;
    }
    return document;
}

// Errors of decoders have no context. libxml2 reports them to the handler of the thread, which
// prints them by default.
static xmlDocPtr read_silently(Session *session) {
    xmlStructuredErrorFunc previous = xmlStructuredError;
    void *previousData = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(session, session_handle_error);
    xmlDocPtr document = read_document(session);
    xmlSetStructuredErrorFunc(previousData, previous);
    return document;
}

// Returns the tree, or NULL if it is not built or the session failed.
static xmlDocPtr run(Session *session) {
    memset(session->error, 0, sizeof *session->error);
    if (session->length > session->limits.maximumSize) {
        session_fail(
            session, 0, "The document has %zu bytes, more than the limit of %zu",
            session->length, session->limits.maximumSize
        );
        return NULL;
    }
    pthread_once(&initialised, xmlInitParser);
    session->context = xmlNewParserCtxt();
    if (session->context == NULL) {
        session_fail(session, XML_ERR_NO_MEMORY, "Out of memory");
        return NULL;
    }
    session_install_handlers(session);
    xmlDocPtr document = read_silently(session);
    xmlFreeParserCtxt(session->context);
    return document;
}

bool bluebonnet_xml_check(
    const void *bytes, size_t length, BluebonnetXMLLimits limits, BluebonnetXMLError *error
) {
    Session session = {.bytes = bytes, .length = length, .limits = limits, .error = error};
    run(&session);
    return !session.failed;
}

BluebonnetXMLDocument *bluebonnet_xml_parse(
    const void *bytes, size_t length, BluebonnetXMLLimits limits, BluebonnetXMLError *error
) {
    Session session = {
        .bytes = bytes, .length = length, .limits = limits, .error = error, .isForTree = true
    };
    Session check = session;
    // A malformed document allocates no tree.
    run(&check);
    session.buildsTree = true;
    return check.failed ? NULL : (BluebonnetXMLDocument *)run(&session);
}

void bluebonnet_xml_free(BluebonnetXMLDocument *document) {
    xmlFreeDoc((xmlDocPtr)document);
}
