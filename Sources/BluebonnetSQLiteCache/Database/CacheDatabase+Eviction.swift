import Foundation

/// Which responses leave when the store is full.
extension CacheDatabase {
    /// The rows that are spared in one eviction for having been used.
    private static let mostSpared = 256

    /// Makes room, in small steps, after the bound has become lower.
    func trim() throws -> (files: [UUID], isDone: Bool) {
        guard try usedSize() > maximumSize else { return ([], true) }
        let files = try change { try evict(sparing: 0, atMost: Self.mostSpared) }
        let isDone = try usedSize() <= maximumSize
        // Only then does the file become smaller.
        if isDone { connection.checkpoint(always: true) }
        return (files, isDone)
    }

    /// The bytes on the disk: pages of the database that are in use, and files.
    private func usedSize() throws -> Int {
        let pages =
            try connection.number("PRAGMA page_count") - connection.number("PRAGMA freelist_count")
        return try pages * pageSize + connection.number("SELECT fileSize FROM totals")
    }

    /// Removes the oldest responses until the rest fits, and returns the files to remove.
    ///
    /// Those that were used get another turn. The row that is spared leaves only if it does not fit
    /// alone.
    func evict(sparing kept: Int, atMost count: Int = .max) throws -> [UUID] {
        var files: [UUID] = []
        var (removedCount, sparedCount) = (0, 0)
        var size = try usedSize()
        while size > maximumSize, removedCount < count {
            var oldest: [(row: Int, id: UUID?, isUsed: Bool)] = []
            try connection.run(
                """
                SELECT number, id, fileSize > 0, isUsed FROM responses WHERE number != ?
                ORDER BY turn LIMIT 16
                """, [.number(kept)]
            ) {
                oldest.append(
                    ($0.number(0), $0.number(2) == 0 ? nil : $0.id(1), $0.number(3) != 0))
            }
            if oldest.isEmpty {
                guard kept != 0 else { break }
                return files + (try remove("number = ?", [.number(kept)]))
            }
            for response in oldest where size > maximumSize {
                if response.isUsed, sparedCount < Self.mostSpared {
                    sparedCount += 1
                    try connection.run(
                        """
                        UPDATE responses SET isUsed = 0,
                            turn = (SELECT max(turn) + 1 FROM responses) WHERE number = ?
                        """, [.number(response.row)])
                } else {
                    try remove(response.row)
                    if let id = response.id { files.append(id) }
                    removedCount += 1
                    size = try usedSize()
                }
            }
        }
        return files
    }
}
