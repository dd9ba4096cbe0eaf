import Foundation
import FoundationNetworking

/// The values of a streamed response, for loops; each loop sends a request of its own.
public struct TargetStream<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    typealias Values = DataStreamTask.Values<Element, BluebonnetError>

    private let begin: @Sendable () -> Values

    init(_ begin: @escaping @Sendable () -> Values) {
        self.begin = begin
    }

    /// Makes the reader, and sends the request.
    public func makeAsyncIterator() -> Iterator {
        Iterator(values: begin().makeAsyncIterator())
    }

    /// Reads the values.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var values: Values.AsyncIterator
        fileprivate var isOver = false

        /// The next value; nil at the end.
        ///
        /// - Throws: Why the call failed, or why something that has come is no value; nil follows.
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
