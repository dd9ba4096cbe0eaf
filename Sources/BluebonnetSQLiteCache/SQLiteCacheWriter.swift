import Bluebonnet
import BluebonnetCache
import Foundation

/// Collects a small body, and writes a large one to a file on a queue of its own.
final class SQLiteCacheWriter: CacheWriter {
    private enum Body {
        case memory(Data)
        /// A file, once it is created.
        case file(BodyFile?)
    }

    private struct State {
        var body = Body.memory(Data())
        /// The bytes that were taken, and those of them that were written or need not be.
        var (count, writtenCount) = (0, 0)
        var isOpen = true
        /// The bytes for which the store has made room.
        var reservedCount = 0

        var file: BodyFile? {
            if case .file(let file) = body { file } else { nil }
        }

        mutating func takeReserved() -> Int {
            defer { reservedCount = 0 }
            return reservedCount
        }
    }

    /// The largest body that is a part of the database.
    static let mostInline = 65_536
    /// The most bytes that are read at once.
    private static let mostRead = 262_144

    private let response: StoredResponse
    private let store: SQLiteCacheStore
    private let folder: CacheFolder
    private let lane = BodyFile.nextLane()
    private let state = Locked(State())

    init(_ response: StoredResponse, in store: SQLiteCacheStore, _ folder: CacheFolder) {
        (self.response, self.store, self.folder) = (response, store, folder)
    }

    deinit { discard() }

    // MARK: Writing

    func write(_ bytes: Data, whenWritten: @escaping @Sendable (Bool) -> Void) {
        enum Next { case refuse, accept, write(Data) }
        let next = state.withLock { state -> Next in
            guard state.isOpen else { return .refuse }
            let count = state.count + bytes.count
            if case .memory(var former) = state.body {
                if count <= min(Self.mostInline, store.maximumSize) {
                    // Taken out, so that it is not copied.
                    state.body = .file(nil)
                    former += bytes
                    state.body = .memory(former)
                    (state.count, state.writtenCount) = (count, count)
                    return .accept
                }
                guard BodyFile.hasRoom, store.reserve(count) else { return .refuse }
                state.reservedCount = count
                state.body = .file(nil)
                (state.count, state.writtenCount) = (count, 0)
                return .write(former + bytes)
            }
            guard store.reserve(bytes.count) else { return .refuse }
            state.reservedCount += bytes.count
            state.count = count
            return .write(bytes)
        }
        switch next {
        case .refuse:
            discard()
            whenWritten(false)
        case .accept: whenWritten(true)
        case .write(let bytes):
            lane.async { [self] in whenWritten(append(bytes)) }
        }
    }

    /// Writes to the file, on the lane.
    private func append(_ bytes: Data) -> Bool {
        let (former, offset, isOpen) = state.withLock { ($0.file, $0.writtenCount, $0.isOpen) }
        do {
            guard isOpen else { return false }
            let file = try former ?? BodyFile(creating: response.id, in: folder, on: lane)
            if former == nil { state.withLock { $0.body = .file(file) } }
            try file.write(bytes, at: offset)
            state.withLock { $0.writtenCount += bytes.count }
            return true
        } catch {
            store.report(error)
            discard()
            // What was written before must still be read.
            if offset == 0 {
                state.withLock { state in
                    state.file?.remove()
                    state.body = .memory(bytes)
                }
            }
            return false
        }
    }

    // MARK: Reading

    func read(_ range: Range<Int>, answer: @escaping @Sendable (Data?) -> Void) {
        if let part = collected(range) { return answer(part.isEmpty ? nil : part) }
        // After the writes that were begun, the first of which may have found no file.
        lane.async { [self] in
            if let part = collected(range) { return answer(part.isEmpty ? nil : part) }
            let (file, count) = state.withLock { ($0.file, $0.writtenCount) }
            let range = range.clamped(to: 0..<count)
            let bytes = file?.read(min(range.count, Self.mostRead), at: range.lowerBound)
            // What the reader does with the bytes does not hold up other files.
            SQLiteCacheStore.answers.async { answer(bytes?.isEmpty == false ? bytes : nil) }
        }
    }

    /// Returns bytes of a body that is in memory; nil if it is in a file.
    private func collected(_ range: Range<Int>) -> Data? {
        state.withLock { state in
            guard case .memory(let bytes) = state.body else { return nil }
            return bytes.subdata(in: range.clamped(to: 0..<bytes.count))
        }
    }

    // MARK: The end

    func commit() {
        let (body, count) = state.withLock { state -> (Body?, Int) in
            guard state.isOpen, state.writtenCount == state.count else { return (nil, 0) }
            state.isOpen = false
            // The store releases it, once the file has its row.
            state.reservedCount = 0
            return (state.body, state.count)
        }
        switch body {
        case .memory(let bytes): store.add(response, bytes)
        case .file(let file?): store.add(response, file, count: count)
        case .file(nil), nil: discard()
        }
    }

    func discard() {
        let (isFile, reserved) = state.withLock { state -> (Bool, Int) in
            guard state.isOpen else { return (false, 0) }
            state.isOpen = false
            if case .memory = state.body { return (false, 0) }
            return (true, state.takeReserved())
        }
        guard isFile else { return }
        store.release(reserved)
        // After a write under way, which may create the file.
        lane.async { [state] in state.withLock { $0.file }?.remove() }
    }
}
