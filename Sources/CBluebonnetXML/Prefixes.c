#include "Prefixes.h"

#include <stdlib.h>

// FNV-1a, over characters.
static const uint64_t empty_hash = UINT64_C(0xCBF29CE484222325);

static uint64_t hash_with(uint64_t hash, int32_t character) {
    return (hash ^ (uint64_t)character) * UINT64_C(0x100000001B3);
}

static uint64_t hash_of(const char *text) {
    uint64_t hash = empty_hash;
    for (; *text != '\0'; text++) {
        hash = hash_with(hash, *text);
    }
    return hash;
}

bool prefixes_begin(Prefixes *prefixes, const BluebonnetXMLLimits *limits) {
    *prefixes = (Prefixes){
        .declared = calloc((size_t)limits->maximumNamespaces + 1, sizeof(uint64_t)),
        // The element's own, and those of its attributes.
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

static bool is_declared(const Prefixes *prefixes, uint64_t prefix) {
    // The innermost first, where it mostly is.
    for (int index = prefixes->declaredCount - 1; index >= 0; index--) {
        if (prefixes->declared[index] == prefix) {
            return true;
        }
    }
    return prefix == hash_of("xml");
}

bool prefixes_are_declared(Prefixes *prefixes) {
    int count = prefixes->usedCount;
    prefixes->usedCount = 0;
    for (int index = 0; index < count; index++) {
        bool isRepeated = index > 0 && prefixes->used[index] == prefixes->used[index - 1];
        if (!isRepeated && !is_declared(prefixes, prefixes->used[index])) {
            return false;
        }
    }
    return true;
}

void qualified_name_begin(QualifiedName *name) {
    *name = (QualifiedName){.local = empty_hash, .last = ':'};
}

void qualified_name_take(QualifiedName *name, int32_t character, bool startsName) {
    if (character == ':') {
        // A second one, or nothing before it.
        name->isMalformed = name->isMalformed || name->hasPrefix || name->last == ':';
        name->hasPrefix = true;
        name->prefix = name->local;
        name->local = empty_hash;
    } else {
        name->isMalformed = name->isMalformed || (name->last == ':' && !startsName);
        name->local = hash_with(name->local, character);
    }
    name->last = character;
}

void qualified_name_end(QualifiedName *name) {
    name->isMalformed = name->isMalformed || name->last == ':';
}
