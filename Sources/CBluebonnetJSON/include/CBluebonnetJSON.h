#ifndef CBLUEBONNETJSON_H
#define CBLUEBONNETJSON_H

#include <stddef.h>
#include <stdint.h>

// GCC does not know Clang's nullability annotations, which Swift needs to import optionals.
#if defined(__clang__)
#pragma clang assume_nonnull begin
#else
#define _Nullable
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// A simdjson parser with reusable buffers, for use by one thread at a time.
typedef struct BluebonnetJSONParser BluebonnetJSONParser;

typedef enum {
    BluebonnetJSONOutcomeParsed,
    /// simdjson refused the text; the message contains the reason but not the position.
    BluebonnetJSONOutcomeRefused,
    BluebonnetJSONOutcomeOutOfMemory
} BluebonnetJSONOutcome;

/// The output of simdjson for a text. It is in the parser's memory, and valid until the next text.
///
/// A word of the tape has its kind in the upper 8 bits and a payload in the lower 56 bits.
///
/// - `r`: the root, which is the first and the last word.
/// - `{` and `[`: the lower 32 bits of the payload are the index after the matching end. The upper
///   24 bits are the number of elements, at most 0xFFFFFF.
/// - `}` and `]`: the ends.
/// - `"`: the payload is the offset of a string in `strings`.
/// - `l`, `u` and `d`: the next word is an int64_t, uint64_t or double.
/// - `t`, `f` and `n`: true, false and null.
///
/// A string is its length in 4 bytes in native byte order, that many bytes of UTF-8, and a zero
/// byte.
typedef struct {
    const uint64_t *_Nullable words;
    const uint8_t *_Nullable strings;
    /// A static string in English; NULL for a text that was parsed.
    const char *_Nullable message;
} BluebonnetJSONTape;

/// Creates a parser that refuses text nested deeper than `maximumDepth`; NULL if memory runs out.
BluebonnetJSONParser *_Nullable bluebonnet_json_make(size_t maximumDepth);

/// Parses a text in UTF-8 without a byte order mark. Bytes outside `bytes` are not read.
BluebonnetJSONOutcome bluebonnet_json_parse(
    BluebonnetJSONParser *parser,
    const void *_Nullable bytes,
    size_t length,
    BluebonnetJSONTape *tape
);

/// The length of the longest text that fits into the parser's buffers, which take up to 16 times as
/// many bytes.
size_t bluebonnet_json_capacity(const BluebonnetJSONParser *parser);

void bluebonnet_json_free(BluebonnetJSONParser *parser);

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
