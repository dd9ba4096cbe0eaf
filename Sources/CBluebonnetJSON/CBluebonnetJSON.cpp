#include "CBluebonnetJSON.h"

#include <simdjson.h>

#include <algorithm>
#include <new>

struct BluebonnetJSONParser {
    simdjson::dom::parser parser;
    simdjson::dom::document document;
};

// Nothing here is known to throw: simdjson reports errors as codes. Should a later version throw,
// for want of memory most likely, the exception must not reach Swift, which cannot be unwound.

BluebonnetJSONParser *bluebonnet_json_make(size_t maximumDepth) try {
    auto made = new (std::nothrow) BluebonnetJSONParser;
    // The smallest capacity: the depth is fixed here, and the first text sets the size.
    if (made != nullptr &&
        made->parser.allocate(simdjson::dom::MINIMAL_DOCUMENT_CAPACITY, maximumDepth)) {
        delete made;
        return nullptr;
    }
    return made;
} catch (...) { return nullptr; }

BluebonnetJSONOutcome bluebonnet_json_parse(
    BluebonnetJSONParser *parser, const void *bytes, size_t length, BluebonnetJSONTape *tape
) try {
    *tape = BluebonnetJSONTape{};
    // simdjson reads up to 64 bytes beyond the end; `true` has it copy the text to where it may.
    auto error = parser->parser.parse_into_document(
        parser->document, static_cast<const uint8_t *>(bytes), bytes == nullptr ? 0 : length, true
    ).error();
    if (error != simdjson::SUCCESS) {
        tape->message = simdjson::error_message(error);
        return error == simdjson::MEMALLOC ? BluebonnetJSONOutcomeOutOfMemory
                                           : BluebonnetJSONOutcomeRefused;
    }
    tape->words = parser->document.tape.get();
    tape->strings = parser->document.string_buf.get();
    return BluebonnetJSONOutcomeParsed;
} catch (...) { return BluebonnetJSONOutcomeOutOfMemory; }

size_t bluebonnet_json_capacity(const BluebonnetJSONParser *parser) {
    // One of the two is the smaller when memory ran out between them.
    return std::max(parser->parser.capacity(), parser->document.capacity());
}

void bluebonnet_json_free(BluebonnetJSONParser *parser) {
    delete parser;
}
