import BluebonnetCache
import Foundation
import Glibc

/// The database while it can be used: opens it, makes it anew if it is damaged or gone, and leaves it
/// alone for a while after a failure.
// Sendable: it is used on the store's queue alone.
final class DatabaseAccess: @unchecked Sendable {
    private let folder: CacheFolder
    private let maximumSize: Int
    private let retryInterval: Duration
    private let failures: FailureReports
    private let didOpen: @Sendable () -> Void
    private var database: CacheDatabase?
    /// When the next attempt may be made.
    private var restEnd: ContinuousClock.Instant?
    /// When the next change may be tried: each one that waits for other processes holds up look-ups.
    private var pauseEnd: ContinuousClock.Instant?
    private var lastReplacement: ContinuousClock.Instant?
    /// The number of a database's file that must not be used any more.
    private var unwantedFile: UInt?
    /// What must leave but could not be removed: until it is, nothing is found.
    private var owed: [CacheDatabase.Removal] = []

    private struct Resting: Error {}

    /// Creates access to a database that is not open.
    ///
    /// - Parameters:
    ///   - folder: Its folder.
    ///   - maximumSize: The most bytes.
    ///   - retryInterval: The time between two attempts.
    ///   - failures: Receives what fails.
    ///   - didOpen: Called each time that the database was opened.
    init(
        _ folder: CacheFolder, maximumSize: Int, retryInterval: Duration, failures: FailureReports,
        didOpen: @escaping @Sendable () -> Void
    ) {
        (self.folder, self.maximumSize, self.retryInterval) = (folder, maximumSize, retryInterval)
        (self.failures, self.didOpen) = (failures, didOpen)
    }

    /// Calls a closure with the database; returns nil if there is none, or if it fails.
    @discardableResult
    func use<Result>(_ body: (CacheDatabase) throws -> Result) -> Result? {
        do {
            let database = try opened()
            if !owed.isEmpty { try settle(database) }
            return try body(database)
        } catch {
            didFail(error)
            return nil
        }
    }

    /// Calls a closure that changes the database; returns nil if it was not changed.
    func change<Result>(_ body: (CacheDatabase) throws -> Result) -> Result? {
        use { database in
            try checkPause()
            return try body(database)
        }
    }

    /// Removes responses, now or as soon as that is possible.
    func remove(_ removal: CacheDatabase.Removal) {
        owed.append(removal)
        if owed.count > 1_000 { return removeAll() }
        // It does what is owed.
        use { _ in }
    }

    /// Begins a new database, in this moment or before the next look-up.
    ///
    /// Removing the rows of a large one would take long.
    func removeAll() {
        owed = []
        unwantedFile = folder.databaseNumber
        database = nil
        use { _ in }
    }

    /// Begins a new database because a response that was found is not what was stored.
    ///
    /// - Parameter number: That of the database's file, which may have been replaced meanwhile.
    func didFindDamage(in number: UInt?) {
        use { database in
            guard database.fileNumber == number else { return }
            throw StorageFailure(damaged: folder.database, "a head has other bytes")
        }
    }

    func remove(_ files: [UUID]) {
        guard !files.isEmpty else { return }
        // On another queue, because the space of a large file is not released at once.
        BodyFile.nextLane().async { [folder] in
            for id in files { unlink(folder.body(id)) }
        }
    }

    func report(_ failure: StorageFailure) { failures.add(failure) }

    /// Writes down what was only noted, and closes the database.
    func close() {
        if let database, !database.hasMoved {
            do {
                if !owed.isEmpty { remove(try database.remove(owed)) }
                try database.writeNotes()
            } catch {
                // The next store would find what must leave.
                if !owed.isEmpty { try? folder.locked { folder.removeDatabase() } }
            }
        }
        database = nil
    }

    private func settle(_ database: CacheDatabase) throws {
        try checkPause()
        remove(try database.remove(owed))
        owed = []
    }

    private func checkPause() throws {
        if let pauseEnd, ContinuousClock.now < pauseEnd { throw Resting() }
        pauseEnd = nil
    }

    private func opened() throws -> CacheDatabase {
        if let restEnd {
            guard ContinuousClock.now >= restEnd else { throw Resting() }
            self.restEnd = nil
        }
        if let database {
            guard database.hasMoved else { return database }
            self.database = nil
            // Another store may also have put a new one there.
            if folder.databaseNumber == nil {
                report(StorageFailure(doing: "find", folder.database, number: ENOENT))
            }
        }
        do {
            database = try CacheDatabase.open(
                folder, maximumSize: maximumSize, replacing: unwantedFile
            ) { failure in
                report(failure)
                didReplace()
            }
            unwantedFile = nil
            didOpen()
        } catch {
            rest()
            throw error
        }
        guard let database else { throw Resting() }
        return database
    }

    private func rest() { restEnd = ContinuousClock.now + retryInterval }

    private func didFail(_ error: any Error) {
        guard let failure = error as? StorageFailure else { return }
        report(failure)
        switch failure.kind {
        case .damaged where database != nil:
            unwantedFile = database?.fileNumber
            database = nil
            didReplace()
        case .unavailable where database != nil:
            database = nil
            rest()
        case .busy, .full: pauseEnd = ContinuousClock.now + retryInterval
        case .damaged, .unavailable: break
        }
    }

    /// Rests if this comes again and again, as with two programs that have other versions.
    private func didReplace() {
        let now = ContinuousClock.now
        if let lastReplacement, now < lastReplacement + retryInterval { rest() }
        lastReplacement = now
    }
}
