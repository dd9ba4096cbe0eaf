#define _GNU_SOURCE
#include "CBluebonnetTestResolver.h"

#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { NAME_CAPACITY = 128, ANSWER_CAPACITY = 512, ENTRY_CAPACITY = 512 };

struct entry {
    char name[NAME_CAPACITY];
    char answers[ANSWER_CAPACITY];
    int count;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct entry entries[ENTRY_CAPACITY];
static int entry_count;

typedef int (*lookup)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

/* Finds the entry of a name, with or without a final dot. A wildcard entry comes first. */
static struct entry *find(const char *name) {
    size_t length = strlen(name);
    if (length > 0 && name[length - 1] == '.')
        length--;
    for (int index = 0; index < entry_count; index++) {
        size_t rest = strlen(entries[index].name + 1);
        if (entries[index].name[0] == '*' && length > rest &&
            strncasecmp(entries[index].name + 1, name + length - rest, rest) == 0)
            return &entries[index];
    }
    for (int index = 0; index < entry_count; index++) {
        if (strncasecmp(entries[index].name, name, length) == 0 &&
            entries[index].name[length] == '\0')
            return &entries[index];
    }
    return NULL;
}

int bt_resolver_answer(const char *name, const char *answers) {
    pthread_mutex_lock(&mutex);
    struct entry *entry = find(name);
    if (entry == NULL && entry_count < ENTRY_CAPACITY)
        entry = &entries[entry_count++];
    if (entry != NULL) {
        snprintf(entry->name, sizeof entry->name, "%s", name);
        snprintf(entry->answers, sizeof entry->answers, "%s", answers);
        entry->count = 0;
    }
    pthread_mutex_unlock(&mutex);
    return entry != NULL ? 0 : -1;
}

int bt_resolver_count(const char *name) {
    pthread_mutex_lock(&mutex);
    struct entry *entry = find(name);
    int count = entry != NULL ? entry->count : -1;
    pthread_mutex_unlock(&mutex);
    return count;
}

/* Copies the answers for the next look-up of a name, or returns 0 for a name without answers. */
static int next_answers(const char *name, char place[ANSWER_CAPACITY]) {
    pthread_mutex_lock(&mutex);
    struct entry *entry = find(name);
    if (entry != NULL) {
        const char *start = entry->answers;
        const char *end;
        for (int skipped = 0; skipped < entry->count; skipped++) {
            if ((end = strchr(start, ';')) == NULL)
                break;
            start = end + 1;
        }
        snprintf(place, ANSWER_CAPACITY, "%.*s", (int)strcspn(start, ";"), start);
        entry->count++;
    }
    pthread_mutex_unlock(&mutex);
    return entry != NULL;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **result) {
    lookup system_lookup = (lookup)dlsym(RTLD_NEXT, "getaddrinfo");
    char answers[ANSWER_CAPACITY];
    if (name == NULL || !next_answers(name, answers))
        return system_lookup(name, service, hints, result);
    struct addrinfo numeric = {0};
    if (hints != NULL)
        numeric = *hints;
    numeric.ai_flags = (numeric.ai_flags & ~AI_ADDRCONFIG) | AI_NUMERICHOST;
    struct addrinfo **end = result;
    *result = NULL;
    char *state = NULL;
    for (char *answer = strtok_r(answers, ",", &state); answer != NULL;
         answer = strtok_r(NULL, ",", &state)) {
        if (*answer == '!')
            return atoi(answer + 1);
        if (*answer == '+') {
            usleep((useconds_t)atoi(answer + 1) * 1000);
            continue;
        }
        if (system_lookup(answer, service, &numeric, end) != 0)
            *end = NULL;
        while (*end != NULL)
            end = &(*end)->ai_next;
    }
    return *result != NULL ? 0 : EAI_NONAME;
}
