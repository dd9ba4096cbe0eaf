import Foundation
import FoundationNetworking

/// The values of a streamed response, as an asynchronous sequence.
///
/// Each loop sends its own request.
public struct TargetStream<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    typealias Values = DataStreamTask.Values<Element, BluebonnetError>

    private let begin: @Sendable () -> Values

    init(_ begin: @escaping @Sendable () -> Values) {
        self.begin = begin
    }

    /// Creates an iterator and sends the request.
    public func makeAsyncIterator() -> Iterator {
        Iterator(values: begin().makeAsyncIterator())
    }

    /// An iterator over the values.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var values: Values.AsyncIterator
        fileprivate var isOver = false

        /// Returns the next value; returns nil at the end.
        ///
        /// - Throws: The error that the call failed with, or that of data that could not be
        ///   decoded. After an error, it returns nil.
        public mutating func next() async throws(BluebonnetError) -> Element? {
            while !isOver, let stream = await values.next() {
                switch stream.event {
                case .stream(.success(let value)): return value
                case .stream(.failure(let error)):
                    isOver = true
                    throw error
                case .complete(let completion):
                    isOver = true
                    if let error = completion.error { throw error }
                }
            }
            return nil
        }
    }
}
