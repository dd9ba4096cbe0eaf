public import Foundation

extension Exchange {
    /// Removes the content codings of a body within limits, as libcurl's transport does.
    ///
    /// It is for transports of your own, such as a stub that replays a body in gzip. It knows gzip,
    /// deflate, br and zstd, several of them upon each other, and passes a body without a coding, or
    /// with an unknown one, on as it is. Give it the bytes in their order, in pieces of any size, and finish when the body has
    /// ended:
    ///
    /// ```swift
    /// let decoder = try Exchange.BodyDecoder(contentEncoding: "gzip", limits: exchange.limits)
    /// let body = try decoder.decode(coded)
    /// try decoder.finish()
    /// sink.receive(
    ///     Exchange.Report(head: head, codings: decoder.codings, body: body, end: Exchange.End()))
    /// ```
    ///
    /// What it throws is what libcurl's transport ends an exchange with: `.cannotDecodeContentData` for
    /// bytes that cannot be decoded and for too many codings, and
    /// `.dataLengthExceedsMaximum` for a body beyond ``Limits/bodySize``,
    /// ``Limits/encodedBodySize`` or ``Limits/expansionRatio``. Once it has thrown, it throws the same
    /// failure on every call. One thread at a time may use it.
    public final class BodyDecoder {
        /// The codings that it removes, or those that are unknown, so that it removes none; nil without
        /// any.
        ///
        /// They belong in the report with the head.
        public var codings: ContentCodings? { receiver.codings }

        private let receiver: BodyReceiver
        private var failure: Failure?

        /// Makes a decoder for a body whose codings are known.
        ///
        /// - Parameters:
        ///   - contentEncoding: The value of `Content-Encoding`, such as `gzip`, or several of them in
        ///     the order in which they were applied, separated by commas; empty for none.
        ///   - limits: How much the body may hold. By default that is unlimited, so that some kilobytes
        ///     may become gigabytes: take those of the exchange.
        /// - Throws: A failure for more codings than
        ///   ``Limits/contentCodingCount``.
        public init(contentEncoding: String, limits: Limits) throws(Failure) {
            receiver = try BodyReceiver(contentEncoding: contentEncoding, limits: limits)
        }

        /// Makes a decoder for the body of a response.
        ///
        /// It removes nothing where the exchange wants nothing removed, or where a response such as this
        /// has no body.
        ///
        /// - Parameters:
        ///   - head: The response's head, with any number of `Content-Encoding` fields.
        ///   - exchange: The exchange, for its method, its limits and its ``Exchange/decodesContent``.
        /// - Throws: What the other initialiser throws, and a failure for a declared length that is
        ///   beyond a limit.
        public init(head: Head, exchange: Exchange) throws(Failure) {
            receiver = try BodyReceiver(head: head, exchange: exchange)
        }

        /// Decodes the next bytes of the body and returns all that they become.
        ///
        /// That may be many times as much, up to ``Limits/bodySize``. To have it in pieces, use
        /// ``decode(_:deliver:)``.
        public func decode(_ data: Data) throws(Failure) -> [Chunk] {
            var chunks: [Chunk] = []
            try decode(data) { chunks.append($0) }
            return chunks
        }

        /// Decodes the next bytes of the body and passes on what they become, piece by piece.
        ///
        /// - Parameters:
        ///   - data: The bytes as they came; none is fine.
        ///   - deliver: Takes a piece, which of a body with codings is at most 256 KiB long, before the next
        ///     is made. What was decoded before a failure is delivered before that is thrown.
        /// - Throws: The failure that the exchange is to end with.
        public func decode(_ data: Data, deliver: (Chunk) -> Void) throws(Failure) {
            if let failure { throw failure }
            // What was decoded before a failure is right.
            defer { receiver.takeChunks().forEach(deliver) }
            do {
                try take(data)
                while receiver.isBusy {
                    receiver.takeChunks().forEach(deliver)
                    try receiver.continueDecoding()
                }
            } catch {
                failure = error
                throw error
            }
        }

        /// Checks that the body may end here.
        ///
        /// Throws a failure where it was cut inside of a coding. No bytes at all are a whole body.
        public func finish() throws(Failure) {
            if let failure { throw failure }
            do {
                try receiver.finish()
            } catch {
                failure = error
                throw error
            }
        }

        private func take(_ data: Data) throws(Failure) {
            let taken = data.withUnsafeBytes { bytes in
                Result { () throws(Failure) in try receiver.take(bytes) }
            }
            try taken.get()
        }
    }
}
