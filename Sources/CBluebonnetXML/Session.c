#include "Session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// libxml2 before 2.12 drops what it has read only where fewer than 500 bytes follow. With larger
// pieces at the end, it would refuse a document with 10 MB of long tags. With small pieces from the
// start, it would refuse more documents with white space across the end of a piece.
enum { PieceSize = 240, PiecesStart = 9000000 };

enum { LongestDeclaration = 16384, LongestToken = 10000000 };

static int at_least_one(int position) {
    return position < 1 ? 1 : position;
}

// libxml2's messages end with a line break and quote parts of the document.
static void tidy(char *message) {
    size_t length = strlen(message);
    while (length > 0 && (message[length - 1] == '\n' || message[length - 1] == ' ')) {
        message[--length] = '\0';
    }
    for (size_t index = 0; index < length; index++) {
        unsigned char byte = (unsigned char)message[index];
        if (byte < 0x20 || byte == 0x7F) {
            message[index] = ' ';
        }
    }
}

void session_fail(Session *session, int code, const char *format, ...) {
    if (session->failed) {
        return;
    }
    session->failed = true;
    BluebonnetXMLError *error = session->error;
    const xmlParserInput *input = session->context == NULL ? NULL : session->context->input;
    error->code = code;
    error->line = at_least_one(input == NULL ? 1 : input->line);
    error->column = at_least_one(input == NULL ? 1 : input->col);
    error->byteOffset = -1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    tidy(error->message);
}

void session_refuse_attributes(Session *session) {
    session_fail(
        session, 0, "An element has more than %d attributes", session->limits.maximumAttributes
    );
}

void session_refuse_namespaces(Session *session) {
    session_fail(
        session, 0, "More than %d namespace declarations are in scope",
        session->limits.maximumNamespaces
    );
}

void session_handle_error(void *session, ErrorPointer error) {
    // libxml2 2.14 only warns of an undeclared entity, and leaves it out.
    if (error->level < XML_ERR_ERROR && error->code != XML_WAR_UNDECLARED_ENTITY) {
        return;
    }
    // Validation is not requested, but libxml2 validates `xml:id` anyway.
    if (error->domain == XML_FROM_VALID || error->domain == XML_FROM_DTD) {
        return;
    }
    // A namespace name is only compared: with an invalid URI, the document is still well-formed.
    if (error->code == XML_WAR_NS_URI) {
        return;
    }
    session_fail(session, error->code, "%s", error->message == NULL ? "error" : error->message);
}

// libxml2 compares each attribute and each namespace declaration of a start tag with all those
// before it. It calls no handler until the tag ends, so 16 MB of them would take hours. Only the
// input callback runs in between. `maxatts` is the capacity for attributes, with five entries for
// each, and at most doubles when it is full. `nsNr` counts two entries for each namespace before
// libxml2 2.12.
static void check_before_reading(Session *session) {
    const xmlParserCtxt *context = session->context;
    const xmlParserInput *input = context->input;
    const BluebonnetXMLLimits *limits = &session->limits;
    if (context->maxatts / 10 > limits->maximumAttributes + 2) {
        session_refuse_attributes(session);
    } else if (context->nsNr / 2 > limits->maximumNamespaces) {
        session_refuse_namespaces(session);
    } else if (xmlDictSize(context->dict) > limits->maximumNames) {
        // Their hash table stops growing early: a million names take a minute.
        session_fail(
            session, 0, "The document has more than %d different names", limits->maximumNames
        );
    } else if (!session->hasStarted && session->offset > LongestDeclaration) {
        session_fail(session, 0, "The XML declaration has more than %d bytes", LongestDeclaration);
    } else if (input != NULL && input->end - input->base > LongestToken) {
        session_fail(session, 0, "A tag or white space has more than %d bytes", LongestToken);
    }
}

int session_read(void *userData, char *buffer, int capacity) {
    Session *session = userData;
    check_before_reading(session);
    // libxml2 would look for more errors after the first one; the end of the input stops it.
    if (session->failed || capacity <= 0) {
        return 0;
    }
    size_t count = session->length - session->offset;
    size_t largest = (size_t)capacity;
    if (session->offset > PiecesStart && largest > PieceSize) {
        largest = PieceSize;
    }
    if (count > largest) {
        count = largest;
    }
    if (count > 0) {
        memcpy(buffer, session->bytes + session->offset, count);
    }
    session->offset += count;
    return (int)count;
}
