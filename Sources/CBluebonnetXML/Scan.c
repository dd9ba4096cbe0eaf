#include "Scan.h"

#include "Tokens.h"

#include <string.h>

static void skip_comment(Scan *scan) {
    scan_begin(scan, "comment", LongestText);
    scan_expect(scan, "--", "'<!--'");
    while (scan_current(scan) != EndOfDocument) {
        bool isHyphen = scan_current(scan) == '-';
        scan_advance(scan);
        if (isHyphen && scan_current(scan) == '-') {
            scan_advance(scan);
            scan_expect(scan, ">", "'>' after '--'");
            return;
        }
    }
    scan_expected(scan, "'-->'");
}

static void skip_cdata(Scan *scan) {
    scan_begin(scan, "CDATA section", LongestText);
    if (scan->depth == 0) {
        characters_fail(&scan->characters, "A CDATA section is outside of the root element");
    }
    scan_expect(scan, "[CDATA[", "'<![CDATA['");
    int brackets = 0;
    while (scan_current(scan) != EndOfDocument) {
        bool isEnd = scan_current(scan) == '>' && brackets >= 2;
        brackets = scan_current(scan) == ']' ? brackets + (brackets < 2) : 0;
        scan_advance(scan);
        if (isEnd) {
            return;
        }
    }
    scan_expected(scan, "']]>'");
}

// Scans the name of an element or attribute.
static void scan_qualified_name(Scan *scan) {
    size_t start = scan->characters.offset;
    scan_name(scan);
    if (scan->name.isMalformed) {
        characters_fail_at(
            &scan->characters, start, "A colon in a name must separate a prefix and a local name"
        );
    }
}

static void scan_attribute(Scan *scan) {
    scan_qualified_name(scan);
    QualifiedName name = scan->name;
    scan_space(scan);
    scan_expect(scan, "=", "'='");
    scan_space(scan);
    scan_literal(scan, scan_allows_in_value);
    if (!scan->isDeclaration) {
        prefixes_use(&scan->prefixes, &name, scan->limits);
    } else if (name.hasPrefix) {
        if (scan->isEmptyValue) {
            characters_fail(&scan->characters, "The namespace of a prefix is empty");
        }
        prefixes_declare(&scan->prefixes, name.local, scan->limits);
    }
}

static void scan_start_tag(Scan *scan) {
    scan_begin(scan, "start tag", scan->limits->maximumTagSize);
    int deepest = scan->limits->maximumDepth;
    if (deepest > DeepestElement) {
        deepest = DeepestElement;
    }
    if (scan->depth >= deepest) {
        characters_fail_at(
            &scan->characters, scan->characters.tokenStart,
            "Elements are nested deeper than %d", deepest
        );
        return;
    }
    if (scan->depth == 0 && scan->hasRoot) {
        characters_fail_at(
            &scan->characters, scan->characters.tokenStart,
            "Extra content at the end of the document"
        );
        return;
    }
    scan->hasRoot = true;
    scan_qualified_name(scan);
    int outerPrefixes = scan->prefixes.declaredCount;
    if (scan->name.hasPrefix) {
        prefixes_use(&scan->prefixes, &scan->name, scan->limits);
    }
    int attributes = 0;
    int declared = 0;
    while (scan_space(scan) && scan_starts_name(scan_current(scan))) {
        if (++attributes > scan->limits->maximumAttributes) {
            characters_fail(
                &scan->characters, "An element has more than %d attributes",
                scan->limits->maximumAttributes
            );
            return;
        }
        scan_attribute(scan);
        declared += scan->isDeclaration;
        if (scan->namespaces + declared > scan->limits->maximumNamespaces) {
            characters_fail(
                &scan->characters, "More than %d namespace declarations are in scope",
                scan->limits->maximumNamespaces
            );
            return;
        }
    }
    if (scan->prefixes.usedCount > 0 && !prefixes_are_declared(&scan->prefixes, scan->names.factor)) {
        characters_fail_at(
            &scan->characters, scan->characters.tokenStart,
            "A tag has a namespace prefix that is not declared"
        );
    }
    if (scan_current(scan) == '/') {
        scan_advance(scan);
        scan->prefixes.declaredCount = outerPrefixes;
    } else {
        scan->namespaces += declared;
        scan->prefixesBefore[scan->depth] = outerPrefixes;
        scan->declared[scan->depth++] = declared;
    }
    scan_expect(scan, ">", "'>'");
}

static void scan_end_tag(Scan *scan) {
    scan_begin(scan, "end tag", scan->limits->maximumTagSize);
    scan_advance(scan);
    scan_name(scan);
    scan_space(scan);
    scan_expect(scan, ">", "'>'");
    if (--scan->depth < 0) {
        characters_fail_at(
            &scan->characters, scan->characters.tokenStart, "An end tag has no matching start tag"
        );
        return;
    }
    scan->namespaces -= scan->declared[scan->depth];
    scan->prefixes.declaredCount = scan->prefixesBefore[scan->depth];
}

static void scan_markup(Scan *scan, bool isFirst, bool hasMark) {
    scan->characters.tokenStart = scan->characters.offset;
    scan_begin(scan, "tag", scan->limits->maximumTagSize);
    scan_advance(scan);
    switch (scan_current(scan)) {
    case '!':
        scan_advance(scan);
        if (scan_current(scan) == '-') {
            skip_comment(scan);
        } else if (scan_current(scan) == '[') {
            skip_cdata(scan);
        } else {
            scan_doctype(scan);
        }
        break;
    case '?':
        scan_instruction(scan, isFirst, hasMark);
        break;
    case '/':
        scan_end_tag(scan);
        break;
    default:
        scan_start_tag(scan);
    }
    scan->characters.tokenLimit = SIZE_MAX;
}

static void scan_all(Scan *scan) {
    characters_begin(&scan->characters);
    size_t start = scan->characters.offset;
    while (scan_current(scan) != EndOfDocument) {
        if (scan_current(scan) == '<') {
            scan_markup(scan, scan->characters.offset == start, start > 0);
        } else if (scan->depth > 0 || scan_is_space(scan_current(scan))) {
            scan_advance(scan);
        } else {
            // Also refuses encodings in which '<' is another byte, such as EBCDIC.
            characters_fail(&scan->characters, "Text is outside of the root element");
        }
    }
    if (!scan->hasRoot || scan->depth > 0) {
        characters_fail(
            &scan->characters,
            scan->hasRoot ? "The document ends inside of an element" : "No root element"
        );
    }
}

bool scan_document(
    const void *bytes, size_t length, const BluebonnetXMLLimits *limits,
    BluebonnetXMLError *error, char encoding[EncodingNameSize]
) {
    Scan scan = {
        .characters = {
            .bytes = bytes, .length = length, .tokenLimit = SIZE_MAX, .token = "the document",
            .error = error
        },
        .limits = limits
    };
    if (length > limits->maximumSize) {
        characters_fail(
            &scan.characters, "The document has %zu bytes, more than the limit of %zu",
            length, limits->maximumSize
        );
        return false;
    }
    bool hasNames = names_begin(&scan.names, length, limits->maximumNames);
    bool hasPrefixes = prefixes_begin(&scan.prefixes, limits);
    if (hasNames && hasPrefixes) {
        scan_all(&scan);
    } else {
        characters_fail(&scan.characters, "There is not enough memory to scan the document");
    }
    names_end(&scan.names);
    prefixes_end(&scan.prefixes);
    memcpy(encoding, scan.encoding, sizeof scan.encoding);
    return !scan.characters.failed;
}

bool bluebonnet_xml_scan(
    const void *bytes, size_t length, BluebonnetXMLLimits limits, BluebonnetXMLError *error
) {
    char encoding[EncodingNameSize];
    memset(error, 0, sizeof *error);
    return scan_document(bytes, length, &limits, error, encoding);
}
