import BluebonnetCache
import CBluebonnetSQLite
import Foundation
import Glibc

/// What SQLite or the system could not do.
struct StorageFailure: Error {
    enum Kind {
        /// The file is not a database, not ours, or has lost its structure.
        case damaged
        /// Another connection has held the database for too long.
        case busy
        /// There is no space.
        case full
        /// Anything else, such as a folder that may not be written.
        case unavailable
    }

    let kind: Kind
    let systemErrorNumber: Int32?
    /// SQLite's code, or the system's as a negative number.
    let code: Int32
    /// What was done, without names of files.
    let action: String
    private let text: String

    /// Creates the failure of a connection.
    ///
    /// - Parameters:
    ///   - code: SQLite's extended code.
    ///   - text: SQLite's message.
    ///   - number: The system's error number, or 0.
    ///   - path: The database.
    init(sqlite code: Int32, _ text: String, systemErrorNumber number: Int32, path: String) {
        self.code = code
        action = "use"
        systemErrorNumber = number == 0 ? nil : number
        let isFull = Self.isFull(number)
        // The low byte is the code of which the rest is a detail.
        switch code & 0xFF {
        case SQLITE_IOERR where code == Self.shortRead: kind = .damaged
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_MISMATCH, SQLITE_ERROR,
            SQLITE_CONSTRAINT:
            kind = .damaged
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: kind = .busy
        case SQLITE_FULL: kind = .full
        case SQLITE_IOERR where isFull: kind = .full
        default: kind = .unavailable
        }
        let reason = number == 0 ? "" : " (\(String(cString: strerror(number))))"
        self.text = "the cache's database \(path) failed: \(text)\(reason)"
    }

    /// Creates the failure of a system call, with its number in `errno`.
    init(doing what: String, _ path: String, number: Int32 = errno) {
        kind = Self.isFull(number) ? .full : .unavailable
        action = what
        systemErrorNumber = number
        code = -number
        text = "the cache could not \(what) \(path): \(String(cString: strerror(number)))"
    }

    init(damaged path: String, _ what: String) {
        (kind, systemErrorNumber, code) = (.damaged, nil, SQLITE_CORRUPT)
        action = "use"
        text = "the cache's database \(path) is damaged: \(what)"
    }

    /// The failure for those who use the store.
    var report: CacheStoreFailure {
        let advice =
            switch kind {
            case .damaged: "it is made anew, without the responses that it had"
            case .busy: "the change is not made now; too many processes may share the folder"
            case .full: "nothing is stored until there is space"
            case .unavailable: "requests are sent without the cache until that is mended"
            }
        return CacheStoreFailure("\(text); \(advice)", systemErrorNumber: systemErrorNumber)
    }

    private static func isFull(_ number: Int32) -> Bool {
        [ENOSPC, EDQUOT, EFBIG].contains(number)
    }

    /// `SQLITE_IOERR_SHORT_READ`, a macro that Swift does not import: the file ends within a page.
    private static let shortRead = SQLITE_IOERR | (2 << 8)
}
