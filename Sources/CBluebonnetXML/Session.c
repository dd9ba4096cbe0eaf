#include "Session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int at_least_one(int position) {
    return position < 1 ? 1 : position;
}

static void locate(const Session *session) {
    BluebonnetXMLError *error = session->error;
    const xmlParserInput *input = session->context == NULL ? NULL : session->context->input;
    error->line = at_least_one(input == NULL ? 1 : input->line);
    error->column = at_least_one(input == NULL ? 1 : input->col);
    error->byteOffset = -1;
    if (input != NULL && input->buf != NULL && input->buf->encoder == NULL) {
        error->byteOffset = (int64_t)session->offset - (input->end - input->cur);
    }
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
    session->error->code = code;
    locate(session);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(session->error->message, sizeof session->error->message, format, arguments);
    va_end(arguments);
    tidy(session->error->message);
}

void session_handle_error(void *session, ErrorPointer error) {
    if (error->level < XML_ERR_ERROR) {
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
// each, and at most doubles when it is full.
static bool start_tag_is_too_large(const Session *session) {
    const xmlParserCtxt *context = session->context;
    return context->maxatts / 10 > session->limits.maximumAttributes + 2
        || context->nsNr / 2 > session->limits.maximumNamespaces;
}

// libxml2 keeps names in a hash table that stops growing early: a million names take a minute.
static bool has_too_many_names(const Session *session) {
    return xmlDictSize(session->context->dict) > session->limits.maximumNames;
}

int session_read(void *userData, char *buffer, int capacity) {
    Session *session = userData;
    // libxml2 would look for more errors after the first one; the end of the input stops it.
    if (session->failed || capacity <= 0) {
        return 0;
    }
    if (start_tag_is_too_large(session)) {
        session_fail(session, 0, "Too many attributes or namespace declarations in one element");
        return 0;
    }
    if (has_too_many_names(session)) {
        session_fail(
            session, 0, "The document has more than %d different names",
            session->limits.maximumNames
        );
        return 0;
    }
    size_t count = session->length - session->offset;
    if (count > (size_t)capacity) {
        count = (size_t)capacity;
    }
    if (count > 0) {
        memcpy(buffer, session->bytes + session->offset, count);
    }
    session->offset += count;
    return (int)count;
}

bool session_is_exhausted(const Session *session) {
    const xmlParserInput *input = session->context->input;
    if (input == NULL || input->buf == NULL || session->offset != session->length) {
        return false;
    }
    // Bytes that the decoder left over are an incomplete character.
    bool decoded = input->buf->raw == NULL || xmlBufUse(input->buf->raw) == 0;
    return decoded && input->cur == input->end;
}
