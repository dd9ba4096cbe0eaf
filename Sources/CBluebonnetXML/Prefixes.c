#include "Prefixes.h"

#include <stdlib.h>

static uint64_t hash_of(const char *text, uint64_t factor) {
    Names names = {.factor = factor};
    names_start(&names);
    for (; *text != '\0'; text++) {
        names_take(&names, *text);
    }
    return names.hash;
}

bool prefixes_begin(Prefixes *prefixes, const BluebonnetXMLLimits *limits) {
    *prefixes = (Prefixes){
        .declared = calloc((size_t)limits->maximumNamespaces + 1, sizeof(uint64_t)),
        // One for the element and one for each attribute.
        .used = calloc((size_t)limits->maximumAttributes + 1, sizeof(uint64_t))
    };
    return prefixes->declared != NULL && prefixes->used != NULL;
}

void prefixes_end(Prefixes *prefixes) {
    free(prefixes->declared);
    free(prefixes->used);
}

void prefixes_declare(Prefixes *prefixes, uint64_t prefix, const BluebonnetXMLLimits *limits) {
    if (prefixes->declaredCount <= limits->maximumNamespaces) {
        prefixes->declared[prefixes->declaredCount++] = prefix;
    }
}

void prefixes_use(
    Prefixes *prefixes, const QualifiedName *name, const BluebonnetXMLLimits *limits
) {
    if (name->hasPrefix && prefixes->usedCount <= limits->maximumAttributes) {
        prefixes->used[prefixes->usedCount++] = name->prefix;
    }
}

static bool is_declared(const Prefixes *prefixes, uint64_t prefix, uint64_t factor) {
    // Starts with the innermost declaration, which usually matches.
    for (int index = prefixes->declaredCount - 1; index >= 0; index--) {
        if (prefixes->declared[index] == prefix) {
            return true;
        }
    }
    return prefix == hash_of("xml", factor);
}

bool prefixes_are_declared(Prefixes *prefixes, uint64_t factor) {
    int count = prefixes->usedCount;
    prefixes->usedCount = 0;
    for (int index = 0; index < count; index++) {
        bool isRepeated = index > 0 && prefixes->used[index] == prefixes->used[index - 1];
        if (!isRepeated && !is_declared(prefixes, prefixes->used[index], factor)) {
            return false;
        }
    }
    return true;
}

void qualified_name_take(
    QualifiedName *name, int32_t character, bool isFirst, bool startsName, const Names *names
) {
    Names local = *names;
    if (character == ':') {
        // A second colon, or a colon at the beginning.
        name->isMalformed = name->isMalformed || name->hasPrefix || isFirst;
        if (!name->hasPrefix) {
            name->prefix = names->hash;
        }
        name->hasPrefix = true;
        names_start(&local);
    } else {
        name->isMalformed = name->isMalformed || (name->last == ':' && !startsName);
        local.hash = name->local;
        names_take(&local, character);
    }
    name->local = local.hash;
    name->last = character;
}
