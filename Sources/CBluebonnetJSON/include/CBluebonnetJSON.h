#ifndef CBLUEBONNETJSON_H
#define CBLUEBONNETJSON_H

#include <stddef.h>
#include <stdint.h>

// GCC does not know clang's nullability, which Swift needs to import optionals.
#if defined(__clang__)
#pragma clang assume_nonnull begin
#else
#define _Nullable
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// A parser of simdjson with the buffers that it uses again. It serves one thread at a time.
typedef struct BluebonnetJSONParser BluebonnetJSONParser;

typedef enum {
    BluebonnetJSONOutcomeParsed,
    /// simdjson does not read this text; the message says why, not where.
    BluebonnetJSONOutcomeRefused,
    BluebonnetJSONOutcomeOutOfMemory
} BluebonnetJSONOutcome;

/// What simdjson made of a text, in the parser's own memory: valid until its next text.
///
/// A word of the tape has its kind in the upper 8 bits and a payload in the lower 56. Kinds are:
/// `r` the root, first and last; `{` and `[`, with the index after the matching end in the lower 32
/// bits of the payload and above them the number of elements, at most 0xFFFFFF; `}` and `]`; `"`,
/// with the place of a string in `strings`; `l`, `u` and `d`, each followed by a word that is an
/// int64_t, uint64_t or double; `t`, `f` and `n`. A string is its length in 4 bytes of the
/// machine's order, that many bytes of UTF-8, and a zero byte.
typedef struct {
    const uint64_t *_Nullable words;
    const uint8_t *_Nullable strings;
    /// English, never freed; NULL for a text that was parsed.
    const char *_Nullable message;
} BluebonnetJSONTape;

/// Makes a parser that refuses what is nested deeper than `maximumDepth`; NULL without memory.
BluebonnetJSONParser *_Nullable bluebonnet_json_make(size_t maximumDepth);

/// Parses a text in UTF-8 without a byte order mark. No byte outside `bytes` is read.
BluebonnetJSONOutcome bluebonnet_json_parse(
    BluebonnetJSONParser *parser,
    const void *_Nullable bytes,
    size_t length,
    BluebonnetJSONTape *tape
);

/// The length of the longest text that the parser's buffers were made for; they take up to 16 times
/// as many bytes.
size_t bluebonnet_json_capacity(const BluebonnetJSONParser *parser);

void bluebonnet_json_free(BluebonnetJSONParser *parser);

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
