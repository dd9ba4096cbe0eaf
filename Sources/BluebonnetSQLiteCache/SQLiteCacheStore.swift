import Bluebonnet
public import BluebonnetCache
public import Foundation

/// A store on disk, with a bound on its size, that outlives the process.
///
/// It keeps heads and small bodies in an SQLite database, and bodies of more than 64 KiB as files beside
/// it. Bodies are written while they come, and read while they are sent.
///
/// ```swift
/// let folder = URL(fileURLWithPath: "/var/cache/my-service")
/// let cache = CachingTransport(store: SQLiteCacheStore(folder: folder))
/// ```
///
/// When it is full, it forgets the oldest responses, of which those that were used since they came, or
/// since they were last spared, stay for another round.
///
/// Several stores can have the same folder, in one or in several processes. Whatever fails, requests go
/// on without the cache: ``onFailure(_:)`` says why.
public final class SQLiteCacheStore: CacheStore {
    /// The folder, of which nothing else should be a part.
    public let folder: URL
    /// The most bytes on disk that the responses take.
    public let maximumSize: Int

    /// Where closures of other parts are called, so that they hold up no look-ups.
    static let answers = DispatchQueue(label: "bluebonnet.cache.answers", attributes: .concurrent)

    private let queue = DispatchQueue(label: "bluebonnet.cache.database")
    private let files: CacheFolder
    private let access: DatabaseAccess
    private let failures = FailureReports()
    private let synchronizingDelay: DispatchTimeInterval
    /// The bytes in files of responses that are still coming.
    private let comingSize = Locked(0)

    /// Creates a store, which opens or creates its files when it is first used.
    ///
    /// The folder's own files are readable by this user alone, and so is a folder that is created. It
    /// must not be on a network file system.
    ///
    /// - Parameters:
    ///   - folder: A folder for this store, which need not exist.
    ///   - maximumSize: The most bytes on disk, by default 1 GiB. The folder takes at most 8 MiB more,
    ///     and what the bodies that are being stored take, at most as much again for each store.
    public convenience init(folder: URL, maximumSize: Int = 1_073_741_824) {
        self.init(
            folder: folder, maximumSize: maximumSize, retryInterval: .seconds(1),
            synchronizingDelay: .seconds(45))
    }

    /// Creates a store with times for tests.
    ///
    /// - Parameters:
    ///   - folder: A folder for this store.
    ///   - maximumSize: The most bytes on disk.
    ///   - retryInterval: The time between attempts to use what has failed.
    ///   - synchronizingDelay: The time after which the system has usually written a file to the disk
    ///     by itself. Waiting for the disk at once would hold up those who store and read other bodies.
    init(
        folder: URL, maximumSize: Int, retryInterval: Duration,
        synchronizingDelay: DispatchTimeInterval
    ) {
        self.synchronizingDelay = synchronizingDelay
        self.folder = folder
        self.maximumSize = max(0, maximumSize)
        files = CacheFolder(folder)
        let opened = Opened()
        access = DatabaseAccess(
            files, maximumSize: self.maximumSize, retryInterval: retryInterval, failures: failures,
            didOpen: { opened.call() })
        opened.store = self
    }

    deinit { queue.async { [access] in access.close() } }

    // MARK: Look-ups

    /// Finds the responses for a key.
    public func find(_ key: CacheKey, answer: @escaping @Sendable ([StoredResponse]) -> Void) {
        queue.async { [self] in
            let (heads, number) = access.use { (try $0.find(key), $0.fileNumber) } ?? ([], nil)
            Self.answers.async {
                let found = heads.compactMap { $0.response(for: key) }
                if found.count < heads.count {
                    self.queue.async { self.access.didFindDamage(in: number) }
                }
                answer(found)
            }
        }
    }

    /// Opens the body of a response, and counts the use.
    public func body(
        of response: StoredResponse, answer: @escaping @Sendable (CachedBody?) -> Void
    ) {
        queue.async { [self] in
            let body: CachedBody?? = access.use { try self.body(of: response, in: $0) }
            Self.answers.async { answer(body ?? nil) }
        }
    }

    private func body(of response: StoredResponse, in database: CacheDatabase) throws -> CachedBody?
    {
        switch try database.body(of: response) {
        case nil: return nil
        case .bytes(let bytes): return CachedBody(bytes)
        case .file(let count):
            guard BodyFile.hasRoom else { return nil }
            guard let file = try BodyFile(opening: files.body(response.id), count: count) else {
                access.remove(try database.remove([.response(response)]))
                return nil
            }
            let didFail: @Sendable () -> Void = { [weak self] in self?.remove(response) }
            return CachedBody(count: count) { range in
                BodyFileSource(file, range.clamped(to: 0..<count), didFail: didFail)
            }
        }
    }

    // MARK: Changes

    /// Begins to store a response.
    public func store(_ response: StoredResponse) -> (any CacheWriter)? {
        guard response.isAllowedOnDisk, maximumSize > 0 else { return nil }
        return SQLiteCacheWriter(response, in: self, files)
    }

    /// Replaces a response, and keeps its body.
    public func update(_ response: StoredResponse) {
        queue.async { [self] in
            guard response.isAllowedOnDisk else { return access.remove(.response(response)) }
            // The former one may say that it is fresh, or whose it is.
            guard let files = access.change({ try $0.update(response) }) else {
                return access.remove(.response(response))
            }
            access.remove(files)
        }
    }

    /// Removes a response.
    public func remove(_ response: StoredResponse) {
        queue.async { [self] in access.remove(.response(response)) }
    }

    /// Removes the responses for a URL.
    public func removeAll(for url: String) {
        queue.async { [self] in access.remove(.url(url)) }
    }

    /// Removes everything.
    public func removeAll() {
        queue.async { [self] in access.removeAll() }
    }

    /// Sets a closure that is called with each failure.
    ///
    /// Failures of the same kind are reported once a second at most.
    public func onFailure(_ report: @escaping @Sendable (CacheStoreFailure) -> Void) {
        failures.addReceiver(report)
    }

    // MARK: Writers

    /// Makes room for bytes of a body that is coming; returns false if there is none.
    func reserve(_ count: Int) -> Bool {
        comingSize.withLock { size in
            guard size + count <= maximumSize else { return false }
            size += count
            return true
        }
    }

    func release(_ count: Int) { comingSize.withLock { $0 -= count } }

    func report(_ error: any Error) {
        if let failure = error as? StorageFailure { failures.add(failure) }
    }

    /// Adds a response with a body in memory.
    func add(_ response: StoredResponse, _ body: Data) {
        queue.async { [self] in
            let added = access.change { try $0.add(response, body, count: body.count) }
            access.remove(added?.files ?? [])
        }
    }

    /// Adds a response with a body in a file, and releases the room that was reserved for it.
    func add(_ response: StoredResponse, _ file: BodyFile, count: Int) {
        queue.async { [self] in
            defer { release(count) }
            // A folder that was removed takes its files along.
            guard file.isLinked,
                let (row, surplus) = access.change({ try $0.add(response, nil, count: count) })
            else { return file.remove() }
            access.remove(surplus)
            file.unlock()
            Self.synchronizing.asyncAfter(deadline: .now() + synchronizingDelay) {
                [weak self, files] in
                // Without a descriptor meanwhile, and without a body that has left.
                let path = files.body(response.id)
                guard let self, let file = try? BodyFile(opening: path, count: count) else {
                    return
                }
                didSynchronize(Result { try file.synchronize() }, response, row)
            }
        }
    }

    /// Apart from the other queues, because it takes long.
    ///
    /// Until it is done, the row says so.
    private static let synchronizing = DispatchQueue(label: "bluebonnet.cache.synchronizing")

    private func didSynchronize(
        _ result: Result<Void, any Error>, _ response: StoredResponse, _ row: Int
    ) {
        queue.async { [self] in
            do {
                try result.get()
                // At once, because it may be the last change before the machine is started anew.
                access.change { database in
                    database.didKeep(row, response.id)
                    try database.writeNotes()
                }
            } catch {
                report(error)
                access.remove(.response(response))
            }
        }
    }

    // MARK: After the opening

    /// Removes files of processes that have ended, and what is too much, a little at a time.
    fileprivate func tidy() {
        trim()
        BodyFile.nextLane().async { [weak self, files] in self?.sweep(files.bodyFiles()[...]) }
    }

    private func trim() {
        queue.async { [weak self] in
            guard let self, let (files, isDone) = access.change({ try $0.trim() }) else { return }
            access.remove(files)
            if !isDone { trim() }
        }
    }

    private func sweep(_ ids: ArraySlice<UUID>) {
        guard !ids.isEmpty else { return }
        queue.async { [weak self] in
            guard let self else { return }
            let isDone: Void? = access.use { database in
                for id in ids.prefix(100) where try !database.hasFile(id) {
                    try files.removeBody(id) { try database.hasFile(id) }
                }
            }
            if isDone != nil { return sweep(ids.dropFirst(100)) }
            // Later, or what fills the disk would stay.
            queue.asyncAfter(deadline: .now() + 1) { [weak self] in self?.sweep(ids) }
        }
    }

    /// The store of an opening, which its database must not keep alive.
    // Sendable: the store is set before the object is shared.
    private final class Opened: @unchecked Sendable {
        weak var store: SQLiteCacheStore?
        func call() { store?.tidy() }
    }
}
