import Foundation

/// The tables of the database.
enum CacheSchema {
    /// Counted up when the schema, or what its columns mean, changes: older databases are replaced.
    static let version = 1

    /// - `turn`: the order in which responses leave.
    /// - `size`, `fileSize`: the bytes of the body, and the space of its file, 0 if the body is in
    ///   `bodies`.
    /// - `boot`: the boot of the machine since which the file has been written; NULL once its bytes are
    ///   on the disk.
    static let schema = """
        CREATE TABLE responses (
            number INTEGER PRIMARY KEY, url TEXT NOT NULL, partition TEXT NOT NULL,
            selecting BLOB NOT NULL, id BLOB NOT NULL, turn INTEGER NOT NULL,
            isUsed INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL, fileSize INTEGER NOT NULL,
            boot TEXT, checksum INTEGER NOT NULL, head BLOB NOT NULL);
        CREATE INDEX places ON responses (url, partition);
        CREATE INDEX turns ON responses (turn);
        CREATE INDEX files ON responses (id) WHERE fileSize > 0;
        CREATE INDEX boots ON responses (boot) WHERE boot IS NOT NULL;
        CREATE TABLE bodies (
            number INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE TABLE totals (fileSize INTEGER NOT NULL);
        INSERT INTO totals VALUES (0);
        CREATE TRIGGER added AFTER INSERT ON responses WHEN new.fileSize > 0 BEGIN
            UPDATE totals SET fileSize = fileSize + new.fileSize;
        END;
        CREATE TRIGGER removedFile AFTER DELETE ON responses WHEN old.fileSize > 0 BEGIN
            UPDATE totals SET fileSize = fileSize - old.fileSize;
        END;
        CREATE TRIGGER removedBody AFTER DELETE ON responses WHEN old.fileSize = 0 BEGIN
            DELETE FROM bodies WHERE number = old.number;
        END;
        PRAGMA user_version = \(version);
        """

    /// Another one after each start of the machine.
    static let boot: String = {
        let file = FileHandle(forReadingAtPath: "/proc/sys/kernel/random/boot_id")
        let text = (try? file?.readToEnd()).map { String(decoding: $0, as: UTF8.self) }
        let id = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        // If it is not known, files are of use to this process alone.
        return id.isEmpty ? UUID().uuidString : id
    }()
}
