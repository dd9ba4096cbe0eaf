import Foundation
import FoundationNetworking

/// A receiver that decodes the bytes of a body as they arrive, and returns them as chunks.
///
/// A body of known length is written into one allocation of exactly that size, other bodies into
/// storages that grow. Each step of decoding produces at most ``decodingStep`` bytes, whatever the
/// input. It lives on the loop thread.
final class BodyReceiver {
    /// The most bytes that one step of decoding produces.
    static let decodingStep = 256 * 1024
    /// The longest body in one storage.
    ///
    /// A consumer can release the front of longer bodies.
    static let largestExactCapacity = 256 * 1024 * 1024
    /// The largest storage of a body that is shorter than ``longBody`` so far.
    private static let largestGrownCapacity = 1024 * 1024
    /// The length from which a kept body gets storages of this size.
    ///
    /// Such storages return to the system one by one while they are joined.
    private static let longBody = BodyStorage.smallestMapping
    /// The largest storage of a body that is not kept, which a consumer releases piece by piece.
    private static let largestPassingCapacity = PassingBlocks.size

    private var storage: BodyStorage?
    private var written = 0
    private var published = 0
    private var nextCapacity: Int
    private let largestExact: Int
    /// Whether the whole body is kept, so that no consumer releases its front before the end.
    private let isKept: Bool
    private let terms: Exchange.Terms
    private var limits: Exchange.Limits { terms.limits }
    /// Whether there is no body, whatever the head declares.
    let isBodiless: Bool
    /// Whether the body is read to its end and dropped, because the status code allows no content.
    private let dropsContent: Bool
    private let decoder: ContentDecoder?
    /// The removed or unknown content codings, or nil if there are none.
    let codings: Exchange.ContentCodings?
    private var pendingInput: [UInt8] = []
    private var pendingStart = 0
    /// Whether the decoder filled its last output, and can have more.
    private var decoderHoldsMore = false
    /// The chunks of earlier storages that have not been taken.
    private var chunks: [Exchange.Chunk] = []

    /// The number of bytes produced so far.
    private(set) var decodedCount = 0
    private var encodedCount = 0
    /// The number of bytes that the decoder has taken.
    private var consumedCount = 0
    /// The number of decoded bytes that are accepted at any expansion ratio.
    private static let freeExpansion = 1024 * 1024

    /// Creates a receiver for the body of a response.
    ///
    /// Throws if the declared length exceeds a limit, or if there are too many content codings.
    init(head: Exchange.Head, exchange: borrowing Exchange) throws(Exchange.Failure) {
        terms = exchange.terms
        let limits = exchange.limits
        largestExact =
            exchange.keepsBody ? Self.largestExactCapacity : Self.largestPassingCapacity
        isKept = exchange.keepsBody
        let hasBody =
            exchange.method != "HEAD" && head.statusCode != 204 && head.statusCode != 304
        isBodiless = !hasBody
        // Framed like any other body (RFC 9112 section 6.3), although a server must not send any
        // content (RFC 9110 section 15.3.6).
        dropsContent = hasBody && head.statusCode == 205
        let keepsContent = hasBody && !dropsContent
        let length = keepsContent ? head.declaredLength : 0
        (decoder, codings) =
            exchange.decodesContent && keepsContent
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

    /// Creates a receiver for a body of unknown length that is passed on piece by piece.
    ///
    /// Throws if there are too many content codings.
    init(contentEncoding: String, limits: Exchange.Limits) throws(Exchange.Failure) {
        terms = Exchange.Terms(Exchange.Timeouts(), limits, decodesContent: true)
        largestExact = Self.largestExactCapacity
        isKept = false
        isBodiless = false
        dropsContent = false
        nextCapacity = 4096
        (decoder, codings) = try Self.decoder(for: contentEncoding, limits)
    }

    /// Returns the decoder, and the codings that it removes or the unknown ones.
    ///
    /// If a coding is unknown, none is removed.
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
                the response's body, before decoding, is larger than the limit of \
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

    /// Whether decoding is incomplete, so that new input must wait for ``continueDecoding()``.
    var isBusy: Bool { pendingStart < pendingInput.count || decoderHoldsMore }

    /// Takes bytes as they arrived.
    func take(_ input: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        encodedCount += input.count
        guard !dropsContent else {
            let limit = Exchange.Limits.droppedBodySize
            guard encodedCount <= limit else { throw .bodyTooLarge(limit) }
            return
        }
        try Self.check(encodedSize: encodedCount, limits)
        guard decoder != nil else { return try store(input) }
        // Several pieces can arrive before decoding continues.
        if isBusy { return pendingInput.append(contentsOf: input) }
        var rest = input
        try decodeStep(&rest)
        if !rest.isEmpty {
            pendingInput = Array(rest)
            pendingStart = 0
        }
    }

    /// Runs one more step of the decoding that ``take(_:)`` began.
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

    /// Throws if the body ended inside a content coding.
    func finish() throws(Exchange.Failure) {
        do {
            try decoder?.finish()
        } catch {
            throw .undecodable(error)
        }
    }

    /// Returns the chunks since the last call.
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
        // Checked first, so that nothing beyond the limit is delivered.
        guard count <= limits.bodySize - decodedCount else {
            throw .bodyTooLarge(limits.bodySize)
        }
        written += count
        decodedCount += count
        if isPromiseKept, decodedCount - count < Self.keptPromise {
            storage?.preferLargePages(from: written)
        }
    }

    /// The number of received bytes from which on a long body gets large pages.
    ///
    /// A server that declares a long body but sends little of it therefore costs little memory.
    private static let keptPromise = 4 * 1024 * 1024
    private var isPromiseKept: Bool { decodedCount >= Self.keptPromise }

    /// Returns room for at least one byte and, if the storage allows, for `wanted` bytes.
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

    /// The next capacity, which jumps to ``longBody`` because that gets its own mapping.
    ///
    /// Capacities in between would come from the allocator's heaps.
    private var grownCapacity: Int {
        guard !isKept || decodedCount < Self.longBody else { return Self.longBody }
        return min(max(nextCapacity, 4096) * 2, Self.largestGrownCapacity)
    }

    /// Returns the bytes written to the storage since the last call, or nil if there are none.
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
