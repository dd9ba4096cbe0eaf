/*
 * A getaddrinfo that stands before the system's in a test's process, for names that a test answers
 * for. All other names go to the system's.
 */
#ifndef CTESTRESOLVER_H
#define CTESTRESOLVER_H

/*
 * Gives a name its answers: those to one look-up are separated by commas, those to one look-up and
 * the next by semicolons; the last are given again and again. An answer such as +300 waits so many
 * milliseconds, and one such as !-4 fails with that code of getaddrinfo's. A name such as *.a.test
 * stands for all below a.test. Returns 0, or -1 where there is no room for another name.
 */
int bt_resolver_answer(const char *name, const char *answers);

/* How often the name was looked up; -1 for a name without answers. */
int bt_resolver_count(const char *name);

#endif
