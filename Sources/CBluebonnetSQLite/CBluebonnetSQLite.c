#include "CBluebonnetSQLite.h"

int bluebonnet_sqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, size_t count
) {
    // A null pointer would bind NULL.
    return sqlite3_bind_blob64(
        statement, index, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}

int bluebonnet_sqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, size_t count
) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static int did_commit(void *pages, sqlite3 *connection, const char *name, int count) {
    (void)connection;
    (void)name;
    *(int *)pages = count;
    return SQLITE_OK;
}

void bluebonnet_sqlite_watch_log(sqlite3 *connection, int *pages) {
    sqlite3_wal_hook(connection, did_commit, pages);
}
