#include "CBluebonnetJSON.h"

#include <simdjson.h>

#include <algorithm>
#include <new>

struct BluebonnetJSONParser {
    simdjson::dom::parser parser;
    simdjson::dom::document document;
};

// simdjson reports errors as codes, so nothing here is known to throw. If a later version throws,
// probably because memory runs out, the exception must not reach Swift, which cannot unwind it.

BluebonnetJSONParser *bluebonnet_json_make(size_t maximumDepth) try {
    auto made = new (std::nothrow) BluebonnetJSONParser;
    // The smallest capacity. The depth is fixed here; the buffers grow with the first text.
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
    // simdjson reads up to 64 bytes past the end; `true` makes it copy the text into a larger
    // buffer.
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
    // If memory ran out between the two allocations, one of them is smaller.
    return std::max(parser->parser.capacity(), parser->document.capacity());
}

void bluebonnet_json_free(BluebonnetJSONParser *parser) {
    delete parser;
}
