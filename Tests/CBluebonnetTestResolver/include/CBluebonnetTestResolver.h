/*
 * A getaddrinfo that replaces the system's in a test's process for names with planned answers. All
 * other names are passed to the system's.
 */
#ifndef CTESTRESOLVER_H
#define CTESTRESOLVER_H

/*
 * Plans the answers for a name. Semicolons separate the answers to successive look-ups, and commas
 * the items of one answer. The last answer is repeated. An item such as +300 waits that many
 * milliseconds, and one such as !-4 fails with that getaddrinfo code. A name such as *.a.test
 * matches all names below a.test. Returns 0, or -1 if there is no room for another name.
 */
int bt_resolver_answer(const char *name, const char *answers);

/* Returns how often the name was looked up, or -1 for a name without answers. */
int bt_resolver_count(const char *name);

#endif
