#ifndef BLUEBONNET_XML_SESSION_H
#define BLUEBONNET_XML_SESSION_H

#include "CBluebonnetXML.h"

#include <libxml/parser.h>
#include <stdbool.h>

// Deeper elements are refused even if the limit is higher.
enum { DeepestElement = 256 };

// The state shared by the callbacks of a parser context, in its `_private` field.
//
// The bounds of a document are enforced in three places:
// - The input callback bounds what libxml2 does before it calls a handler: the length of the XML
//   declaration, the attributes and namespaces of a tag that has not ended, the names of the
//   document, and the bytes that libxml2 keeps in its buffer.
// - The handlers bound depth, attributes, namespaces in scope and the size of a tag.
// - libxml2 refuses names of more than 50,000 bytes, and other tokens of more than 10,000,000.
typedef struct {
    xmlParserCtxtPtr context;
    const char *bytes;
    size_t length;
    size_t offset;
    BluebonnetXMLLimits limits;
    BluebonnetXMLError *error;
    bool failed;
    bool buildsTree;
    // Whether a tree is built now or after this check.
    bool isForTree;
    // Whether the XML declaration, if any, has been read.
    bool hasStarted;
    int depth;
    // The number of namespaces in scope at each depth.
    int namespaces[DeepestElement + 1];
} Session;

#if LIBXML_VERSION >= 21200
typedef const xmlError *ErrorPointer;
#else
typedef xmlErrorPtr ErrorPointer;
#endif

// Stores the error if it is the first one, since later errors are its consequences.
void session_fail(Session *session, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void session_refuse_attributes(Session *session);
void session_refuse_namespaces(Session *session);

// libxml2's structured error handler for errors without a context. The user data is the session.
void session_handle_error(void *session, ErrorPointer error);

// libxml2's input callback. The user data is the session.
int session_read(void *session, char *buffer, int capacity);

// Sets the handlers of the context, which refuse unsafe documents and build the tree.
void session_install_handlers(Session *session);

#endif
