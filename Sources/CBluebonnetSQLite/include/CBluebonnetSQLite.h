#ifndef CBLUEBONNETSQLITE_H
#define CBLUEBONNETSQLITE_H

#include <sqlite3.h>
#include <stddef.h>

// What Swift cannot call: macros that are casts, and hooks.

/// Binds bytes, of which SQLite makes a copy; no bytes are an empty blob.
int bluebonnet_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t count);

/// Binds UTF-8, of which SQLite makes a copy.
int bluebonnet_sqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, size_t count);

/// Writes the number of pages in the write-ahead log to `pages` after each transaction, in place of
/// automatic checkpoints. `pages` must live as long as the connection.
void bluebonnet_sqlite_watch_log(sqlite3 *connection, int *pages);

#endif
