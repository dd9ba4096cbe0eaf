#include "Tokens.h"

bool scan_is_space(int32_t character) {
    return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

bool scan_starts_name(int32_t character) {
    int32_t lower = character | 0x20;
    return (lower >= 'a' && lower <= 'z') || character == '_' || character == ':'
        || character >= 0x80;
}

bool scan_continues_name(int32_t character) {
    return scan_starts_name(character) || (character >= '0' && character <= '9') || character == '-'
        || character == '.';
}

int32_t scan_current(const Scan *scan) {
    return scan->characters.current;
}

void scan_advance(Scan *scan) {
    characters_advance(&scan->characters);
}

void scan_begin(Scan *scan, const char *token, size_t limit) {
    scan->characters.token = token;
    scan->characters.tokenLimit = limit;
}

bool scan_space(Scan *scan) {
    bool any = scan_is_space(scan_current(scan));
    while (scan_is_space(scan_current(scan))) {
        scan_advance(scan);
    }
    return any;
}

void scan_expected(Scan *scan, const char *what) {
    if (scan_current(scan) == EndOfDocument) {
        characters_fail(
            &scan->characters, "The document ends inside of the %s", scan->characters.token
        );
    } else {
        characters_fail(
            &scan->characters, "%s is expected in the %s", what, scan->characters.token
        );
    }
}

void scan_expect(Scan *scan, const char *text, const char *what) {
    for (; *text != '\0'; text++) {
        if (scan_current(scan) != *text) {
            scan_expected(scan, what);
            return;
        }
        scan_advance(scan);
    }
}

void scan_count_name(Scan *scan) {
    names_mark(&scan->names);
    if (scan->names.count > scan->limits->maximumNames) {
        characters_fail(
            &scan->characters, "The document has more than %d different names",
            scan->limits->maximumNames
        );
    }
}

void scan_name(Scan *scan) {
    if (!scan_starts_name(scan_current(scan))) {
        scan_expected(scan, "A name");
        return;
    }
    static const char declaration[] = "xmlns";
    size_t length = 0;
    bool matches = true;
    names_start(&scan->names);
    scan->name = (QualifiedName){.last = 0};
    while (scan_continues_name(scan_current(scan))) {
        int32_t character = scan_current(scan);
        if (character == ':' || scan->name.hasPrefix) {
            bool startsName = scan_starts_name(character);
            qualified_name_take(&scan->name, character, length == 0, startsName, &scan->names);
        }
        if (length <= 5) {
            matches = matches && character == (length < 5 ? declaration[length] : ':');
        }
        length++;
        names_take(&scan->names, character);
        scan_advance(scan);
    }
    scan->name.isMalformed = scan->name.isMalformed || scan->name.last == ':';
    scan->isDeclaration = matches && length >= 5;
    scan_count_name(scan);
}

void scan_copy(Scan *scan, char *buffer, size_t size, size_t *length) {
    int32_t character = scan_current(scan);
    if (*length + 1 < size && character < 0x80 && scan_continues_name(character)) {
        buffer[(*length)++] = (char)character;
        buffer[*length] = '\0';
    } else {
        characters_fail(
            &scan->characters, "A name or value is not allowed in the %s", scan->characters.token
        );
    }
    scan_advance(scan);
}

void scan_literal(Scan *scan, bool (*allows)(int32_t)) {
    int32_t quote = scan_current(scan);
    if (quote != '"' && quote != '\'') {
        scan_expected(scan, "A quoted value");
        return;
    }
    scan_advance(scan);
    names_start(&scan->names);
    scan->isEmptyValue = scan_current(scan) == quote;
    while (scan_current(scan) != quote) {
        if (scan_current(scan) == EndOfDocument || !allows(scan_current(scan))) {
            scan_expected(scan, "A closing quote");
            return;
        }
        names_take(&scan->names, scan_current(scan));
        scan_advance(scan);
    }
    scan_advance(scan);
    if (scan->isDeclaration) {
        scan_count_name(scan);
    }
}

bool scan_allows_in_value(int32_t character) {
    return character != '<';
}
