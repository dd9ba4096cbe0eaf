public import Foundation

extension Exchange {
    /// A decoder that removes the content codings of a body, within limits.
    ///
    /// It decodes like libcurl's transport. Use it in custom transports, such as a stub that
    /// replays a body in gzip. It supports gzip, deflate, br and zstd, and combinations of them. A
    /// body without a coding, or with an unknown one, is passed on unchanged. Pass the bytes in
    /// order, in pieces of any size, and call ``finish()`` at the end of the body:
    ///
    /// ```swift
    /// let decoder = try Exchange.BodyDecoder(contentEncoding: "gzip", limits: exchange.limits)
    /// let body = try decoder.decode(coded)
    /// try decoder.finish()
    /// sink.receive(
    ///     Exchange.Report(head: head, codings: decoder.codings, body: body, end: Exchange.End()))
    /// ```
    ///
    /// It throws the failures with which libcurl's transport ends an exchange. The code is
    /// `.cannotDecodeContentData` for bytes that cannot be decoded and for too many codings. It is
    /// `.dataLengthExceedsMaximum` for a body that exceeds ``Limits/bodySize``,
    /// ``Limits/encodedBodySize`` or ``Limits/expansionRatio``. After the first failure, every call
    /// throws the same one. Use a decoder on one thread at a time.
    public final class BodyDecoder {
        /// The codings that are removed, or the unknown ones, or nil if there are none.
        ///
        /// If a coding is unknown, none is removed. Report this value together with the head.
        public var codings: ContentCodings? { receiver.codings }

        private let receiver: BodyReceiver
        private var failure: Failure?

        /// Creates a decoder for a body with given codings.
        ///
        /// - Parameters:
        ///   - contentEncoding: The value of `Content-Encoding`, such as `gzip`. Commas separate
        ///     several codings, in the order in which they were applied. An empty string stands for
        ///     none.
        ///   - limits: The size limits of the body. Pass the limits of the exchange. By default,
        ///     the size of a body is unlimited, and kilobytes can become gigabytes.
        /// - Throws: A failure if there are more codings than ``Limits/contentCodingCount``.
        public init(contentEncoding: String, limits: Limits) throws(Failure) {
            receiver = try BodyReceiver(contentEncoding: contentEncoding, limits: limits)
        }

        /// Creates a decoder for the body of a response.
        ///
        /// It removes nothing if ``Exchange/decodesContent`` is false, or if a response with this
        /// head has no body.
        ///
        /// - Parameters:
        ///   - head: The head of the response, with any number of `Content-Encoding` fields.
        ///   - exchange: The exchange, for its method, its limits and ``Exchange/decodesContent``.
        /// - Throws: A failure if there are more codings than ``Limits/contentCodingCount``, or if
        ///   the declared length exceeds a limit.
        public init(head: Head, exchange: Exchange) throws(Failure) {
            receiver = try BodyReceiver(head: head, exchange: exchange)
        }

        /// Decodes the next bytes of the body and returns all decoded pieces.
        ///
        /// They can be many times as long, up to ``Limits/bodySize``. To receive one piece at a
        /// time, use ``decode(_:deliver:)``.
        public func decode(_ data: Data) throws(Failure) -> [Chunk] {
            var chunks: [Chunk] = []
            try decode(data) { chunks.append($0) }
            return chunks
        }

        /// Decodes the next bytes of the body and delivers the result piece by piece.
        ///
        /// - Parameters:
        ///   - data: The bytes as they arrived, possibly none.
        ///   - deliver: A closure that is called with each piece before the next one is decoded. If
        ///     the body has codings, a piece has at most 256 KiB. Pieces that were decoded before a
        ///     failure are delivered before it is thrown.
        /// - Throws: The failure with which to end the exchange.
        public func decode(_ data: Data, deliver: (Chunk) -> Void) throws(Failure) {
            if let failure { throw failure }
            // Bytes that were decoded before a failure are valid.
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

        /// Checks that the body can end here.
        ///
        /// Throws a failure if the body ends inside a coding. An empty body is complete.
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
