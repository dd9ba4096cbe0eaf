#include "CFuzzer.h"

#include "../../../Sources/CBluebonnetXML/Session.h"

#include <libxml/SAX2.h>
#include <string.h>

BluebonnetXMLDocument *fuzz_xml_parse_unscanned(
    const void *bytes, size_t length, BluebonnetXMLLimits limits, bool readsSubsets,
    BluebonnetXMLError *error
) {
    memset(error, 0, sizeof *error);
    Session session = {.bytes = bytes, .length = length, .limits = limits, .error = error};
    session.context = xmlNewParserCtxt();
    if (session.context == NULL) {
        return NULL;
    }
    session_install_handlers(&session);
    if (readsSubsets) {
        session.context->sax->internalSubset = xmlSAX2InternalSubset;
    }
    xmlSetStructuredErrorFunc(&session, session_handle_error);
    xmlDocPtr document = xmlCtxtReadIO(
        session.context, session_read, NULL, &session, NULL, NULL, XML_PARSE_NONET
    );
    xmlSetStructuredErrorFunc(NULL, NULL);
    if (document != NULL && session.failed) {
        xmlFreeDoc(document);
        document = NULL;
    }
    xmlFreeParserCtxt(session.context);
    return (BluebonnetXMLDocument *)document;
}
