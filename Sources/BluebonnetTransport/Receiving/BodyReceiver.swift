import Foundation
import FoundationNetworking

/// Takes a body's bytes as they arrive, decodes them, and gives them out as chunks.
///
/// A body of known length is written into one allocation of exactly that size; others into
/// storages that grow. Decoding makes at most ``decodingStep`` bytes at a time, whatever the input.
/// It lives on the loop thread.
final class BodyReceiver {
    /// The most that one step of decoding puts out.
    static let decodingStep = 256 * 1024
    /// Longer bodies come in smaller storages, so that a consumer can let go of the front.
    static let largestExactCapacity = 256 * 1024 * 1024
    private static let largestGrownCapacity = 1024 * 1024
    /// The same of a body that has become so long already: what is that large goes back to the system
    /// piece by piece as the pieces are joined.
    private static let longBody = BodyStorage.smallestMapping
    /// What is not kept is not held any longer than the consumer needs it.
    private static let largestPassingCapacity = PassingBlocks.size

    private var storage: BodyStorage?
    private var written = 0
    private var published = 0
    private var nextCapacity: Int
    private let largestExact: Int
    /// Whether all of it is kept, so that no consumer lets go of the front while the rest comes.
    private let isKept: Bool
    private let terms: Exchange.Terms
    private var limits: Exchange.Limits { terms.limits }
    /// Whether there is no body, whatever the head says.
    let isBodiless: Bool
    private let decoder: ContentDecoder?
    /// What becomes of the content codings; nil without any.
    let codings: Exchange.ContentCodings?
    private var pendingInput: [UInt8] = []
    private var pendingStart = 0
    /// Whether the decoder filled its last output, so that it may hold more.
    private var decoderHoldsMore = false
    /// Chunks of earlier storages that have not been taken.
    private var chunks: [Exchange.Chunk] = []

    /// Bytes put out so far.
    private(set) var decodedCount = 0
    private var encodedCount = 0
    /// Bytes that the decoder has taken.
    private var consumedCount = 0
    /// What may be decoded whatever it was made of.
    private static let freeExpansion = 1024 * 1024

    /// Fails when the declared length or coding is not acceptable.
    init(head: Exchange.Head, exchange: borrowing Exchange) throws(Exchange.Failure) {
        terms = exchange.terms
        let limits = exchange.limits
        largestExact =
            exchange.keepsBody ? Self.largestExactCapacity : Self.largestPassingCapacity
        isKept = exchange.keepsBody
        let hasBody =
            exchange.method != "HEAD" && head.statusCode != 204 && head.statusCode != 304
        isBodiless = !hasBody
        let length = hasBody ? head.declaredLength : 0
        (decoder, codings) =
            exchange.decodesContent && hasBody
            ? try Self.decoder(for: head.contentEncoding, limits) : (nil, nil)
        if let length { try Self.check(encodedSize: length, limits) }
        if let length, decoder == nil {
            guard length <= limits.bodySize else { throw .bodyTooLarge(limits.bodySize) }
            let isExact = !head.block.has(.transferEncoding) && length <= largestExact
            nextCapacity = isExact ? length : 4096
        } else {
            nextCapacity = 4096
        }
    }

    /// Receives a body of unknown length that is passed on piece by piece.
    ///
    /// Fails when the coding is not acceptable.
    init(contentEncoding: String, limits: Exchange.Limits) throws(Exchange.Failure) {
        terms = Exchange.Terms(Exchange.Timeouts(), limits, decodesContent: true)
        largestExact = Self.largestExactCapacity
        isKept = false
        isBodiless = false
        nextCapacity = 4096
        (decoder, codings) = try Self.decoder(for: contentEncoding, limits)
    }

    /// The decoder, and the note of what it removes; with an unknown coding nothing is removed.
    private static func decoder(
        for contentEncoding: String?,
        _ limits: Exchange.Limits
    ) throws(Exchange.Failure) -> (ContentDecoder?, Exchange.ContentCodings?) {
        guard let contentEncoding else { return (nil, nil) }
        do {
            let decoder = try ContentDecoder.make(
                contentEncoding: contentEncoding,
                maximumCount: limits.contentCodingCount
            )
            let removed = decoder?.codings.map(\.rawValue)
            return (decoder, removed.map { Exchange.ContentCodings(removed: $0) })
        } catch {
            guard case .unknownCoding = error else { throw .undecodable(error) }
            let unknown = ContentCoding.unknownNames(in: contentEncoding)
            return (nil, Exchange.ContentCodings(unknown: unknown))
        }
    }

    private static func check(
        encodedSize size: Int,
        _ limits: Exchange.Limits
    ) throws(Exchange.Failure) {
        guard size > limits.encodedBodySize else { return }
        throw Exchange.Failure(
            .dataLengthExceedsMaximum,
            message: """
                the response's body is larger, as it was sent, than the limit of \
                \(limits.encodedBodySize) bytes
                """,
            limit: .encodedBodySize
        )
    }

    private func checkExpansion() throws(Exchange.Failure) {
        guard decodedCount > Self.freeExpansion else { return }
        let (most, overflows) =
            consumedCount.multipliedReportingOverflow(by: limits.expansionRatio)
        guard !overflows, decodedCount > most else { return }
        throw Exchange.Failure(
            .dataLengthExceedsMaximum,
            message: """
                \(consumedCount) bytes of the response's body were decoded to \(decodedCount), more \
                than \(limits.expansionRatio) times as many
                """,
            limit: .expansionRatio
        )
    }

    /// Whether input waits for its turn; what is taken before ``continueDecoding()`` is done waits too.
    var isBusy: Bool { pendingStart < pendingInput.count || decoderHoldsMore }

    /// Takes bytes as they were on the wire.
    func take(_ input: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        encodedCount += input.count
        try Self.check(encodedSize: encodedCount, limits)
        guard decoder != nil else { return try store(input) }
        // Several chunks may come at once.
        if isBusy { return pendingInput.append(contentsOf: input) }
        var rest = input
        try decodeStep(&rest)
        if !rest.isEmpty {
            pendingInput = Array(rest)
            pendingStart = 0
        }
    }

    /// Does one more step of the decoding that ``take(_:)`` left.
    func continueDecoding() throws(Exchange.Failure) {
        let input = pendingInput
        let start = pendingStart
        let result = input.withUnsafeBytes { bytes -> Result<Int, Exchange.Failure> in
            var rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            do throws(Exchange.Failure) {
                try decodeStep(&rest)
                return .success(bytes.count - rest.count)
            } catch {
                return .failure(error)
            }
        }
        pendingStart = try result.get()
        if pendingStart == input.count {
            pendingInput = []
            pendingStart = 0
        }
    }

    /// Checks that the body's codings ended where the body did.
    func finish() throws(Exchange.Failure) {
        do {
            try decoder?.finish()
        } catch {
            throw .undecodable(error)
        }
    }

    /// The chunks since the last call.
    func takeChunks() -> [Exchange.Chunk] {
        guard !chunks.isEmpty else { return publish().map { [$0] } ?? [] }
        var taken: [Exchange.Chunk] = []
        swap(&taken, &chunks)
        if let last = publish() { taken.append(last) }
        return taken
    }

    // MARK: Storage

    private func decodeStep(
        _ input: inout UnsafeRawBufferPointer
    ) throws(Exchange.Failure) {
        guard let decoder else { return }
        var budget = Self.decodingStep
        repeat {
            let place = try room(for: min(budget, 16 * 1024))
            let produced: Int
            let offered = input.count
            do {
                produced = try decoder.decode(&input, into: place)
            } catch {
                throw .undecodable(error)
            }
            consumedCount += offered - input.count
            try advance(by: produced)
            try checkExpansion()
            budget -= produced
            decoderHoldsMore = produced == place.count
        } while decoderHoldsMore && budget > 0
    }

    private func store(_ input: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        var rest = input
        while !rest.isEmpty {
            let place = try room(for: rest.count)
            let count = min(place.count, rest.count)
            place.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            try advance(by: count)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    private func advance(by count: Int) throws(Exchange.Failure) {
        // Checked first, so that nothing beyond the limit is ever given out.
        guard count <= limits.bodySize - decodedCount else {
            throw .bodyTooLarge(limits.bodySize)
        }
        written += count
        decodedCount += count
        if isPromiseKept, decodedCount - count < Self.keptPromise {
            storage?.preferLargePages(from: written)
        }
    }

    /// Memory for the rest of a long body is fetched in large pages once so much of it has come: a
    /// server that promises much and sends little costs little.
    private static let keptPromise = 4 * 1024 * 1024
    private var isPromiseKept: Bool { decodedCount >= Self.keptPromise }

    /// Room for at least one byte and, where the storage allows, for `wanted`.
    private func room(
        for wanted: Int
    ) throws(Exchange.Failure) -> UnsafeMutableRawBufferPointer {
        if let storage, written < storage.capacity {
            return UnsafeMutableRawBufferPointer(
                start: storage.bytes + written,
                count: min(wanted, storage.capacity - written)
            )
        }
        if let last = publish() { chunks.append(last) }
        guard let fresh = freshStorage() else {
            throw .noMemory(forBodyOf: nextCapacity)
        }
        if isPromiseKept { fresh.preferLargePages(from: 0) }
        storage = fresh
        written = 0
        published = 0
        nextCapacity = min(grownCapacity, largestExact)
        return UnsafeMutableRawBufferPointer(
            start: fresh.bytes,
            count: min(wanted, fresh.capacity)
        )
    }

    private func freshStorage() -> BodyStorage? {
        isKept || nextCapacity < PassingBlocks.size
            ? BodyStorage(capacity: max(1, nextCapacity)) : .passingBlock()
    }

    /// At once to what is mapped by itself: what is between goes into the allocator's heaps.
    private var grownCapacity: Int {
        guard !isKept || decodedCount < Self.longBody else { return Self.longBody }
        return min(max(nextCapacity, 4096) * 2, Self.largestGrownCapacity)
    }

    /// What was written to the storage since the last time; nil for nothing.
    private func publish() -> Exchange.Chunk? {
        guard let storage, published < written else { return nil }
        defer { published = written }
        return Exchange.Chunk(storage: storage, range: published..<written)
    }
}

extension Exchange.Failure {
    package static func noMemory(forBodyOf count: Int) -> Self {
        Self(
            .cannotWriteToFile,
            message: """
                there is no memory for \(count) bytes of the response's body; download it, or read it \
                as a stream
                """
        )
    }

    static func undecodable(_ error: ContentDecodingError) -> Self {
        var failure = Self(.cannotDecodeContentData, message: "\(error)")
        if case .tooManyCodings = error { failure.limit = .contentCodingCount }
        return failure
    }
}
