import BluebonnetCache
import Foundation

/// The responses of a folder, for use on one queue.
///
/// A change returns the bodies that have no response any more, whose files are then removed: in this
/// order, a process that is killed in between leaves a file that the next opening finds.
final class CacheDatabase {
    /// A body that was found.
    enum StoredBody {
        case bytes(Data)
        case file(count: Int)
    }

    let connection: SQLiteConnection
    private let folder: CacheFolder
    let maximumSize: Int
    let pageSize: Int
    /// The number of the database's file.
    let fileNumber: UInt?
    /// The rows that were used, until the next change writes it down.
    private var usedRows: Set<Int> = []
    /// The rows whose files are now certainly on the disk, likewise.
    private var keptFiles: [(row: Int, id: UUID)] = []

    private static let mostUsedRows = 1_000
    /// The free pages above which the file becomes smaller.
    private static let mostFreePages = 512

    /// Opens the database of a folder, whose schema it checks or creates.
    private init(_ folder: CacheFolder, _ maximumSize: Int) throws {
        (self.folder, self.maximumSize) = (folder, maximumSize)
        connection = try SQLiteConnection(folder.resolvedDatabase())
        fileNumber = folder.databaseNumber
        try connection.execute(
            """
            PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304;
            PRAGMA secure_delete = OFF; PRAGMA temp_store = MEMORY;
            PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF;
            """)
        pageSize = try connection.number("PRAGMA page_size")
        try connection.write {
            let version = try connection.number("PRAGMA user_version")
            if version == 0, try connection.number("SELECT count(*) FROM sqlite_schema") == 0 {
                try connection.execute(CacheSchema.schema)
            } else if version != CacheSchema.version {
                throw StorageFailure(damaged: folder.database, "it has another version, \(version)")
            }
            // After a power cut, their files may have lost bytes.
            try connection.run(
                "DELETE FROM responses WHERE boot IS NOT NULL AND boot != ?",
                [.text(CacheSchema.boot)])
        }
    }

    /// Opens the database of a folder, which it creates or replaces if necessary.
    ///
    /// It replaces a file with the given number, and one that is damaged, which it reports.
    static func open(
        _ folder: CacheFolder, maximumSize: Int, replacing unwanted: UInt?,
        report: (StorageFailure) -> Void
    ) throws -> CacheDatabase {
        try folder.create()
        return try folder.locked {
            if let unwanted, folder.databaseNumber == unwanted { folder.removeDatabase() }
            try folder.createDatabase()
            do {
                return try CacheDatabase(folder, maximumSize)
            } catch let failure as StorageFailure where failure.kind == .damaged {
                report(failure)
                folder.removeDatabase()
                try folder.createDatabase()
                return try CacheDatabase(folder, maximumSize)
            }
        }
    }

    /// Whether the database, or its folder, was removed or replaced.
    var hasMoved: Bool { connection.hasMoved }

    // MARK: Look-ups

    /// Returns the responses of a key, of many the newest.
    func find(_ key: CacheKey) throws -> [StoredHead] {
        var found: [StoredHead] = []
        try connection.run(
            """
            SELECT head, checksum FROM responses WHERE url = ? AND partition = ?
            ORDER BY number DESC LIMIT 256
            """, [.text(key.url), .text(key.partition)]
        ) { found.append(StoredHead(bytes: $0.bytes(0), checksum: $0.number(1))) }
        return found
    }

    /// Returns the body of a response, and counts the use.
    func body(of response: StoredResponse) throws -> StoredBody? {
        var found: (row: Int, isUsed: Bool, body: StoredBody)?
        // One statement: between two, another process could remove the response.
        try connection.run(
            """
            SELECT number, isUsed, size, fileSize > 0, bodies.bytes, bodies.checksum
            FROM responses LEFT JOIN bodies USING (number)
            WHERE url = ? AND partition = ? AND id = ?
            """, place(of: response)
        ) { row in
            var body = StoredBody.file(count: row.number(2))
            if row.number(3) == 0 {
                let bytes = row.bytes(4)
                guard bytes.count == row.number(2), bytes.checksum == row.number(5) else {
                    throw StorageFailure(damaged: folder.database, "a body has other bytes")
                }
                body = .bytes(bytes)
            }
            found = (row.number(0), row.number(1) != 0, body)
        }
        // Written down with the next change, so that a hit writes nothing.
        if let found, !found.isUsed, usedRows.insert(found.row).inserted,
            usedRows.count >= Self.mostUsedRows
        {
            do { try writeNotes() } catch { usedRows = [] }
        }
        return found?.body
    }

    /// Whether there is a response with a file.
    func hasFile(_ id: UUID) throws -> Bool {
        var hasFile = false
        try connection.run("SELECT 1 FROM responses WHERE id = ? AND fileSize > 0", [.id(id)]) {
            _ in
            hasFile = true
        }
        return hasFile
    }

    // MARK: Changes

    /// Adds a response, in place of those that it replaces; returns its row and the files to remove.
    ///
    /// Without bytes, its body is in a file.
    func add(
        _ response: StoredResponse, _ bytes: Data?, count: Int
    ) throws -> (row: Int, files: [UUID]) {
        let head = try StoredHead(response)
        return try change {
            var files = try remove(
                "url = ? AND partition = ? AND (selecting = ? OR id = ?)",
                [
                    .text(response.key.url), .text(response.key.partition),
                    .bytes(response.selectingKey), .id(response.id),
                ])
            try connection.run(
                """
                INSERT INTO responses (url, partition, selecting, id, turn, size, fileSize, boot,
                    checksum, head)
                VALUES (?, ?, ?, ?, (SELECT coalesce(max(turn), 0) + 1 FROM responses), ?, ?, ?, ?, ?)
                """,
                [
                    .text(response.key.url), .text(response.key.partition),
                    .bytes(response.selectingKey), .id(response.id), .number(count),
                    .number(bytes == nil ? (count + 4_095) & ~4_095 : 0),
                    bytes == nil ? .text(CacheSchema.boot) : .null, .number(head.checksum),
                    .bytes(head.bytes),
                ])
            let row = connection.lastRow
            if let bytes {
                try connection.run(
                    "INSERT INTO bodies (number, checksum, bytes) VALUES (?, ?, ?)",
                    [.number(row), .number(bytes.checksum), .bytes(bytes)])
            }
            files += try evict(sparing: row)
            return (row, files)
        }
    }

    /// Replaces the head of a response.
    func update(_ response: StoredResponse) throws -> [UUID] {
        let head = try StoredHead(response)
        return try change {
            try connection.run(
                """
                UPDATE responses SET head = ?, checksum = ?
                WHERE url = ? AND partition = ? AND id = ?
                """, [.bytes(head.bytes), .number(head.checksum)] + place(of: response))
            return try evict(sparing: 0)
        }
    }

    /// What is removed.
    enum Removal {
        case response(StoredResponse)
        case url(String)
    }

    func remove(_ removals: [Removal]) throws -> [UUID] {
        try change {
            try removals.flatMap { removal in
                switch removal {
                case .response(let response):
                    try remove("url = ? AND partition = ? AND id = ?", place(of: response))
                case .url(let url): try remove("url = ?", [.text(url)])
                }
            }
        }
    }

    /// Notes that the file of a response is on the disk.
    func didKeep(_ row: Int, _ id: UUID) { keptFiles.append((row, id)) }

    /// Writes down which rows were used, and which files are on the disk.
    func writeNotes() throws {
        guard !usedRows.isEmpty || !keptFiles.isEmpty else { return }
        try change {}
    }

    func change<Result>(_ changes: () throws -> Result) throws -> Result {
        let (used, kept) = (usedRows, keptFiles)
        let result = try connection.write {
            for row in used {
                try connection.run(
                    "UPDATE responses SET isUsed = 1 WHERE number = ?", [.number(row)])
            }
            for file in kept {
                try connection.run(
                    "UPDATE responses SET boot = NULL WHERE number = ? AND id = ?",
                    [.number(file.row), .id(file.id)])
            }
            let result = try changes()
            let freePages = try connection.number("PRAGMA freelist_count")
            if freePages > Self.mostFreePages {
                try connection.execute(
                    "PRAGMA incremental_vacuum(\(freePages - Self.mostFreePages / 2))")
            }
            return result
        }
        usedRows = []
        keptFiles = []
        connection.checkpoint()
        return result
    }

    func remove(
        _ condition: String, _ values: [SQLiteConnection.Value]
    ) throws -> [UUID] {
        var found: [(row: Int, id: UUID?)] = []
        try connection.run(
            "SELECT number, id, fileSize > 0 FROM responses WHERE \(condition)", values
        ) { found.append(($0.number(0), $0.number(2) == 0 ? nil : $0.id(1))) }
        for row in found { try remove(row.row) }
        return found.compactMap(\.id)
    }

    private func place(of response: StoredResponse) -> [SQLiteConnection.Value] {
        [.text(response.key.url), .text(response.key.partition), .id(response.id)]
    }

    func remove(_ row: Int) throws {
        // A trigger removes its body.
        try connection.run("DELETE FROM responses WHERE number = ?", [.number(row)])
    }
}

extension SQLiteConnection.Value {
    static func id(_ id: UUID) -> Self {
        .bytes(withUnsafeBytes(of: id.uuid) { Data($0) })
    }
}

extension SQLiteConnection.Row {
    func id(_ column: Int32) -> UUID? {
        let bytes = bytes(column)
        guard bytes.count == 16 else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
