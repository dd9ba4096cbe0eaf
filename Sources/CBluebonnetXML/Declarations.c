#include "Encodings.h"
#include "Tokens.h"

#include <string.h>

// The production PubidChar.
static bool may_be_in_public_identifier(int32_t character) {
    return character < 0x80 && character != '\t'
        && ((scan_continues_name(character) && character != '_' && character != ':')
            || strchr(" \r\n-'()+,./:=?;!*#@$_%", character) != NULL);
}

void scan_doctype(Scan *scan) {
    scan_begin(scan, "document type declaration", LongestDoctype);
    scan_expect(scan, "DOCTYPE", "'<!DOCTYPE'");
    if (scan->hasDoctype || scan->hasRoot) {
        characters_fail_at(
            &scan->characters, scan->characters.tokenStart,
            "A document type declaration is not allowed here"
        );
    }
    scan->hasDoctype = true;
    if (!scan_space(scan)) {
        scan_expected(scan, "A space");
    }
    scan_name(scan);
    bool hasSpace = scan_space(scan);
    if (hasSpace && (scan_current(scan) == 'S' || scan_current(scan) == 'P')) {
        bool isPublic = scan_current(scan) == 'P';
        scan_expect(scan, isPublic ? "PUBLIC" : "SYSTEM", "'PUBLIC' or 'SYSTEM'");
        if (!scan_space(scan)) {
            scan_expected(scan, "A space");
        }
        if (isPublic) {
            scan_literal(scan, may_be_in_public_identifier);
            if (!scan_space(scan)) {
                scan_expected(scan, "A space");
            }
        }
        scan_literal(scan, scan_allows_in_value);
        scan_space(scan);
    }
    if (scan_current(scan) == '[') {
        characters_fail(
            &scan->characters,
            "The document type declaration has an internal subset; "
            "declarations of entities, attributes, elements and notations are refused"
        );
        return;
    }
    scan_expect(scan, ">", "'>'");
}

// Reads the following characters in the encoding that the declaration specifies.
static void use_encoding(Scan *scan, const char *name, bool hasMark) {
    CharacterEncoding encoding = scan->characters.encoding;
    bool isKnown = encoding == CharacterEncodingUTF8
        ? encoding_extends_ascii(name)
        : encoding_is_utf16(name, encoding == CharacterEncodingUTF16BigEndian);
    if (!isKnown) {
        characters_fail(
            &scan->characters,
            "The encoding \"%s\" is not supported, or does not match the document; "
            "UTF-8 and UTF-16 are always supported", name
        );
    } else if (encoding == CharacterEncodingUTF8 && !hasMark && !encoding_is_utf8(name)) {
        strcpy(scan->encoding, name);
        scan->characters.encoding = encoding_is_ascii(name)
            ? CharacterEncodingASCII : CharacterEncodingExtendedASCII;
    }
}

static void scan_declaration(Scan *scan, bool hasMark) {
    scan_begin(scan, "XML declaration", LongestDeclaration);
    char encoding[EncodingNameSize] = "";
    while (scan_space(scan) && scan_current(scan) != '?') {
        char name[16] = "", value[EncodingNameSize] = "";
        size_t length = 0;
        while (scan_continues_name(scan_current(scan))) {
            scan_copy(scan, name, sizeof name, &length);
        }
        scan_space(scan);
        scan_expect(scan, "=", "'='");
        scan_space(scan);
        int32_t quote = scan_current(scan);
        if (quote != '"' && quote != '\'') {
            scan_expected(scan, "A quoted value");
            return;
        }
        scan_advance(scan);
        length = 0;
        while (scan_current(scan) != quote && scan_current(scan) != EndOfDocument) {
            scan_copy(scan, value, sizeof value, &length);
        }
        if (strcmp(name, "encoding") == 0) {
            if (encoding[0] != '\0' || value[0] == '\0') {
                characters_fail(&scan->characters, "Exactly one encoding name is expected");
            }
            memcpy(encoding, value, sizeof encoding);
        }
        scan_advance(scan);
    }
    if (encoding[0] != '\0') {
        use_encoding(scan, encoding, hasMark);
    }
    scan_expect(scan, "?>", "'?>'");
}

// The target must be ASCII: whether another character is allowed depends on its code point.
void scan_instruction(Scan *scan, bool isFirst, bool hasMark) {
    scan_begin(scan, "processing instruction", LongestText);
    scan_advance(scan);
    char target[LongestTarget] = "";
    size_t length = 0;
    if (!scan_starts_name(scan_current(scan))) {
        scan_expected(scan, "A target");
    }
    names_start(&scan->names);
    while (scan_continues_name(scan_current(scan))) {
        names_take(&scan->names, scan_current(scan));
        scan_copy(scan, target, sizeof target, &length);
    }
    if (strcmp(target, "xml") == 0) {
        if (isFirst) {
            scan_declaration(scan, hasMark);
        } else {
            characters_fail_at(
                &scan->characters, scan->characters.tokenStart,
                "An XML declaration is allowed only at the start of a document"
            );
        }
        return;
    }
    if (strchr(target, ':') != NULL) {
        characters_fail_at(
            &scan->characters, scan->characters.tokenStart,
            "The target of a processing instruction has a colon"
        );
    }
    scan_count_name(scan);
    while (scan_current(scan) != EndOfDocument) {
        bool isMark = scan_current(scan) == '?';
        scan_advance(scan);
        if (isMark && scan_current(scan) == '>') {
            scan_advance(scan);
            return;
        }
    }
    scan_expected(scan, "'?>'");
}
