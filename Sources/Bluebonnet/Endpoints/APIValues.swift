import Foundation
import FoundationNetworking

/// The values of a streamed response, as an asynchronous sequence.
///
/// Each loop sends its own request.
public struct APIValues<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    typealias Opening = @Sendable () async throws(BluebonnetError) -> ResponseStream

    private let framing: StreamFraming
    private let decoder: any DataDecoder
    private let open: Opening

    init(framing: StreamFraming, decoder: any DataDecoder, _ open: @escaping Opening) {
        self.framing = framing
        self.decoder = decoder
        self.open = open
    }

    /// Creates an iterator; the request is sent when the first value is awaited.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            values: SerializedValues(DecodableStreamSerializer(decoder: decoder), framing),
            source: .closed(open))
    }

    /// An iterator over the values.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate enum Source {
            case closed(Opening)
            case open(ResponseStream.Iterator)
            case over
        }

        fileprivate var values: SerializedValues<DecodableStreamSerializer<Element>>
        fileprivate var source: Source
        private var ready: ArraySlice<Result<Element, BluebonnetError>> = []

        fileprivate init(
            values: SerializedValues<DecodableStreamSerializer<Element>>, source: Source
        ) {
            self.values = values
            self.source = source
        }

        /// Returns the next value; returns nil at the end.
        ///
        /// - Throws: The error that the call failed with, or that of data that could not be
        ///   decoded. After an error, it returns nil.
        public mutating func next() async throws(BluebonnetError) -> Element? {
            do throws(BluebonnetError) {
                while true {
                    if let value = ready.popFirst() { return try value.get() }
                    guard try await read() else { return nil }
                }
            } catch {
                // Releasing the stream cancels the request.
                (source, ready) = (.over, [])
                throw error
            }
        }

        /// Adds the values of the next piece, and returns false at the end.
        private mutating func read() async throws(BluebonnetError) -> Bool {
            var pieces: ResponseStream.Iterator
            switch source {
            case .closed(let open): pieces = try await open().makeAsyncIterator()
            case .open(let iterator): pieces = iterator
            case .over: return false
            }
            var results: [Result<Element, BluebonnetError>] = []
            if let piece = try await pieces.next() {
                source = .open(pieces)
                do throws(BluebonnetError) {
                    try values.add(piece, to: &results)
                } catch {
                    // After the values that the piece completes.
                    results.append(.failure(error))
                }
            } else {
                source = .over
                results = values.finish().map { [$0] } ?? []
            }
            ready = results[...]
            return true
        }
    }
}
