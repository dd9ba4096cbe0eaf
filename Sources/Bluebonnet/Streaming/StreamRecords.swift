import Foundation

/// The records of a streamed response, as an asynchronous sequence.
///
/// Each loop over the records of a call, such as `api.events("feed")`, sends its own request, and the
/// next record waits until the loop asks for it. A slow loop slows the server down. Leaving the loop,
/// or canceling its Swift task, cancels the request.
///
/// The records of a ``ResponseStream`` are read once, by one loop.
public struct StreamRecords<Element: Sendable>: AsyncSequence, Sendable {
    /// The error that ends the records.
    public typealias Failure = BluebonnetError

    typealias Opening = @Sendable () async throws(BluebonnetError) -> ResponseStream

    private let values: any StreamValues<Element>
    private let open: Opening

    init(_ values: some StreamValues<Element>, _ open: @escaping Opening) {
        self.values = values
        self.open = open
    }

    /// Creates an iterator; the request is sent when the first record is awaited.
    public func makeAsyncIterator() -> Iterator { Iterator(values: values, source: .closed(open)) }

    /// An iterator over the records.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate enum Source {
            case closed(Opening)
            case open(ResponseStream, ResponseStream.Iterator)
            case over
        }

        private var values: any StreamValues<Element>
        private var source: Source
        private var ready: ArraySlice<Result<Element, BluebonnetError>> = []

        fileprivate init(values: any StreamValues<Element>, source: Source) {
            self.values = values
            self.source = source
        }

        /// Returns the next record; returns nil at the end.
        ///
        /// - Throws: The error with which the call failed, or that of data that could not be read,
        ///   which names the number of the record and the position of its first byte. After an
        ///   error, it returns nil, except with ``StreamFraming/jsonSequence``.
        public mutating func next() async throws(BluebonnetError) -> Element? {
            try await next(isolation: nil)
        }

        /// Returns the next record, as ``next()`` does.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BluebonnetError) -> Element? {
            do throws(BluebonnetError) {
                // Only the wait for a piece notices a cancel by itself.
                if Task.isCancelled, isBegun || !ready.isEmpty { throw .cancelled(.init()) }
                while ready.isEmpty {
                    guard try await read(isolation: actor) else { return nil }
                }
            } catch {
                end()
                throw error
            }
            guard let result = ready.popFirst() else { return nil }
            if case .failure = result, !values.continuesAfterFailure { end() }
            return try result.get()
        }

        /// Returns the head of the response, and sends the request unless it was sent.
        ///
        /// - Returns: The head; nil once the records have ended.
        /// - Throws: The error with which the call failed.
        public mutating func head() async throws(BluebonnetError) -> ResponseHead? {
            do throws(BluebonnetError) {
                return try await open(isolation: nil)?.head
            } catch {
                end()
                throw error
            }
        }

        private var isBegun: Bool {
            if case .open = source { true } else { false }
        }

        /// Releases the stream, which cancels the request.
        private mutating func end() { (source, ready) = (.over, []) }

        private mutating func open(
            isolation actor: isolated (any Actor)?
        ) async throws(BluebonnetError) -> ResponseStream? {
            switch source {
            case .closed(let open):
                let stream = try await open()
                source = .open(stream, stream.makeAsyncIterator())
                return stream
            case .open(let stream, _): return stream
            case .over: return nil
            }
        }

        /// Adds the records of the next piece, and returns false at the end.
        private mutating func read(
            isolation actor: isolated (any Actor)?
        ) async throws(BluebonnetError) -> Bool {
            _ = try await open(isolation: actor)
            guard case .open(let stream, var pieces) = source else { return false }
            var results: [Result<Element, BluebonnetError>] = []
            let next: Data?
            do throws(BluebonnetError) {
                next = try await pieces.next(isolation: actor)
            } catch {
                var error = error
                error.context.cutRecord = values.incomplete?.description
                throw error
            }
            if let piece = next {
                do throws(BluebonnetError) {
                    try values.add(piece, to: &results)
                } catch {
                    // After the records that the piece completes.
                    results.append(.failure(error))
                }
                if values.isOver {
                    stream.discardRest()
                    source = .over
                }
            } else {
                values.finish(to: &results)
                source = .over
            }
            ready = results.map { $0.mapError { $0.adding(stream) } }[...]
            return true
        }
    }
}

extension StreamRecords where Element: Decodable {
    init(framing: StreamFraming, decoder: any DataDecoder, _ open: @escaping Opening) {
        self.init(
            SerializedValues(DecodableStreamSerializer<Element>(decoder: decoder), framing), open)
    }
}

extension ResponseStream {
    /// Returns the server-sent events of the body.
    ///
    /// - Parameter maximumLength: The maximum length of an event, in bytes; 1 MiB by default.
    /// - Returns: The events.
    public func events(maximumLength: Int = 1_048_576) -> StreamRecords<ServerSentEvent> {
        StreamRecords(EventValues(maximumLength: maximumLength), openOnce)
    }

    /// Returns the lines of the body as UTF-8 text, in which invalid bytes become U+FFFD.
    ///
    /// - Parameter maximumLength: The maximum length of a line, in bytes; 1 MiB by default.
    /// - Returns: The lines.
    public func lines(maximumLength: Int = 1_048_576) -> StreamRecords<String> {
        StreamRecords(SerializedValues(.string, .lines.limited(to: maximumLength)), openOnce)
    }

    /// Returns the records of the body, decoded from JSON.
    ///
    /// - Parameters:
    ///   - type: The type of the records.
    ///   - framing: What divides the body into records. The default is ``StreamFraming/jsonLines``.
    ///   - decoder: Decodes each record. The default is `JSONDecoder()`.
    /// - Returns: The records.
    public func records<Record: Decodable & Sendable>(
        as type: Record.Type = Record.self, framing: StreamFraming = .jsonLines,
        decoder: any DataDecoder = JSONDecoder()
    ) -> StreamRecords<Record> {
        StreamRecords(framing: framing, decoder: decoder, openOnce)
    }

    /// Returns the records of the body as bytes.
    ///
    /// - Parameter framing: What divides the body into records.
    /// - Returns: The records.
    public func records(framing: StreamFraming) -> StreamRecords<Data> {
        StreamRecords(SerializedValues(.passthrough, framing), openOnce)
    }

    /// Returns the stream to the first loop over its records.
    private var openOnce: StreamRecords<Data>.Opening {
        { () throws(BluebonnetError) in
            guard beginRecords() else { throw .anotherReader }
            return self
        }
    }
}

extension BluebonnetError {
    /// Returns the error of a record with the request and the head of its stream.
    fileprivate func adding(_ stream: ResponseStream) -> BluebonnetError {
        guard context.head == nil else { return self }
        var error = self
        error.context.head = stream.head
        error.context.request = stream.task.currentRequest
        error.context.sent = stream.task.delegate.errorContext.sent
        return error
    }
}
