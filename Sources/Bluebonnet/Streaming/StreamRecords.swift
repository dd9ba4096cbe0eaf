import Foundation

/// The records of a streamed response, as an asynchronous sequence.
///
/// Each loop over the records of a call, such as ``HTTPSessionManager/events(_:method:parameters:headers:options:)``,
/// sends its own request, and the next record waits until the loop asks for it. A slow loop slows
/// the server down. Leaving the loop, or canceling its Swift task, cancels the request.
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
            case open(ResponseStream.Iterator)
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
        ///   error, it returns nil.
        public mutating func next() async throws(BluebonnetError) -> Element? {
            try await next(isolation: nil)
        }

        /// Returns the next record, as ``next()`` does.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BluebonnetError) -> Element? {
            do throws(BluebonnetError) {
                while true {
                    if let value = ready.popFirst() { return try value.get() }
                    guard try await read(isolation: actor) else { return nil }
                }
            } catch {
                // Releasing the stream cancels the request.
                (source, ready) = (.over, [])
                throw error
            }
        }

        /// Adds the records of the next piece, and returns false at the end.
        private mutating func read(
            isolation actor: isolated (any Actor)?
        ) async throws(BluebonnetError) -> Bool {
            var pieces: ResponseStream.Iterator
            switch source {
            case .closed(let open): pieces = try await open().makeAsyncIterator()
            case .open(let iterator): pieces = iterator
            case .over: return false
            }
            var results: [Result<Element, BluebonnetError>] = []
            let piece: Data?
            do throws(BluebonnetError) {
                piece = try await pieces.next(isolation: actor)
            } catch {
                // What happens after the last record is no error.
                guard values.isOver else { throw error }
                piece = nil
            }
            if let piece {
                source = .open(pieces)
                do throws(BluebonnetError) {
                    try values.add(piece, to: &results)
                } catch {
                    // After the records that the piece completes.
                    results.append(.failure(error))
                }
            } else {
                source = .over
                values.finish(to: &results)
            }
            ready = results[...]
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
    /// The server-sent events of the body; an event of more than 1 MiB is an error.
    public var events: StreamRecords<ServerSentEvent> {
        StreamRecords(EventValues(.standard)) { () throws(BluebonnetError) in self }
    }

    /// The lines of the body as UTF-8 text, in which invalid bytes become U+FFFD.
    public var lines: StreamRecords<String> {
        StreamRecords(SerializedValues(.string, .lines)) { () throws(BluebonnetError) in self }
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
        StreamRecords(framing: framing, decoder: decoder) { () throws(BluebonnetError) in self }
    }

    /// Returns the records of the body as bytes.
    ///
    /// - Parameter framing: What divides the body into records.
    /// - Returns: The records.
    public func records(framing: StreamFraming) -> StreamRecords<Data> {
        StreamRecords(SerializedValues(.passthrough, framing)) { () throws(BluebonnetError) in self
        }
    }
}
