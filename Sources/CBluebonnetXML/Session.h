#ifndef BLUEBONNET_XML_SESSION_H
#define BLUEBONNET_XML_SESSION_H

#include "CBluebonnetXML.h"

#include <libxml/parser.h>
#include <stdbool.h>

// The state shared by the callbacks of a parser context, in its `_private` field.
typedef struct {
    xmlParserCtxtPtr context;
    const char *bytes;
    size_t length;
    size_t offset;
    BluebonnetXMLLimits limits;
    BluebonnetXMLError *error;
    bool failed;
} Session;

#if LIBXML_VERSION >= 21200
typedef const xmlError *ErrorPointer;
#else
typedef xmlErrorPtr ErrorPointer;
#endif

// Stores the error if it is the first one, since later errors are its consequences.
void session_fail(Session *session, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// libxml2's structured error handler for errors without a context. The user data is the session.
void session_handle_error(void *session, ErrorPointer error);

// libxml2's input callback. The user data is the session.
int session_read(void *session, char *buffer, int capacity);

// Whether the parser has read every byte of the document.
bool session_is_exhausted(const Session *session);

// Replaces the callbacks of the context with versions that refuse unsafe documents.
void session_install_handlers(Session *session);

#endif
