import CBluebonnetSQLite
import Foundation

/// A connection to a database, for one thread at a time, which keeps its prepared statements.
final class SQLiteConnection {
    private let handle: OpaquePointer
    private let path: String
    private var statements: [String: OpaquePointer] = [:]
    /// The number of pages in the log after the last transaction.
    private let logCount: UnsafeMutablePointer<Int32>
    /// The number of pages in the log at which they are moved.
    private var nextCheckpoint = SQLiteConnection.manyPages
    private static let manyPages: Int32 = 400

    /// Opens an existing database.
    init(_ path: String) throws {
        var handle: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
            | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard let handle, code == SQLITE_OK else {
            let number = handle.map { sqlite3_system_errno($0) } ?? 0
            let text = String(cString: sqlite3_errstr(code))
            sqlite3_close_v2(handle)
            throw StorageFailure(sqlite: code, text, systemErrorNumber: number, path: path)
        }
        (self.handle, self.path) = (handle, path)
        logCount = .allocate(capacity: 1)
        logCount.initialize(to: 0)
        sqlite3_busy_timeout(handle, 250)
        // Otherwise the last connection to a database that was removed removes the log of the one that
        // took its place.
        var isKept: Int32 = 1
        sqlite3_file_control(handle, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
        bluebonnet_sqlite_watch_log(handle, logCount)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
        logCount.deallocate()
    }

    /// Whether the database is no longer at its path.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        let code = sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code != SQLITE_OK || hasMoved != 0
    }

    /// Runs a statement with values for its question marks, and calls a closure with each row.
    ///
    /// There must be few statements, because each is kept.
    func run(
        _ statement: String, _ values: [Value] = [], row: (Row) throws -> Void = { _ in }
    ) throws {
        let prepared = try prepare(statement)
        defer {
            sqlite3_reset(prepared)
            sqlite3_clear_bindings(prepared)
        }
        for (index, value) in values.enumerated() {
            let code = value.bind(to: prepared, Int32(index + 1))
            guard code == SQLITE_OK else { throw failure(code) }
        }
        while true {
            let code = sqlite3_step(prepared)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw failure(code) }
            try row(Row(prepared))
        }
    }

    /// Returns the number that is the only value of a statement's only row.
    func number(_ statement: String) throws -> Int {
        var number: Int?
        try run(statement) { number = $0.number(0) }
        guard let number else { throw failure(SQLITE_CORRUPT) }
        return number
    }

    /// Runs statements that are not kept.
    func execute(_ script: String) throws {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// The number of the row that was inserted last.
    var lastRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

    /// Makes changes together, or none of them.
    func write<Result>(_ changes: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try changes()
            try run("COMMIT")
            return result
        } catch {
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// Moves the log's pages to the database if there are many.
    ///
    /// It is enough to try: what cannot be moved now stays in the log.
    func checkpoint(always: Bool = false) {
        let count = logCount.pointee
        if count < Self.manyPages { nextCheckpoint = Self.manyPages }
        guard always || count >= nextCheckpoint else { return }
        // Others that read all the time keep the log from being begun anew, unless they are waited for;
        // not each time, should one of them have been stopped.
        let waits = always || count >= 2 * Self.manyPages
        let mode = waits ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
        nextCheckpoint = count + 50
    }

    private func prepare(_ statement: String) throws -> OpaquePointer {
        if let prepared = statements[statement] { return prepared }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(
            handle, statement, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard let prepared, code == SQLITE_OK else { throw failure(code) }
        statements[statement] = prepared
        return prepared
    }

    private func failure(_ code: Int32) -> StorageFailure {
        StorageFailure(
            sqlite: code, String(cString: sqlite3_errmsg(handle)),
            systemErrorNumber: sqlite3_system_errno(handle), path: path)
    }

    /// What stands for a question mark.
    enum Value {
        case number(Int)
        case text(String)
        case bytes(Data)
        case null

        fileprivate func bind(to statement: OpaquePointer, _ index: Int32) -> Int32 {
            switch self {
            case .number(let number): return sqlite3_bind_int64(statement, index, Int64(number))
            case .text(var text):
                return text.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) {
                        guard let start = $0.baseAddress else {
                            return bluebonnet_sqlite_bind_text(statement, index, "", 0)
                        }
                        return bluebonnet_sqlite_bind_text(statement, index, start, $0.count)
                    }
                }
            case .bytes(let bytes):
                return bytes.withUnsafeBytes {
                    bluebonnet_sqlite_bind_blob(statement, index, $0.baseAddress, $0.count)
                }
            case .null: return sqlite3_bind_null(statement, index)
            }
        }
    }

    /// A row, until the next one.
    struct Row {
        private let statement: OpaquePointer

        fileprivate init(_ statement: OpaquePointer) { self.statement = statement }

        func number(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

        func bytes(_ column: Int32) -> Data {
            guard let start = sqlite3_column_blob(statement, column) else { return Data() }
            return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
        }
    }
}
