import Foundation

extension EventSource {
    /// The response that the events are read from.
    struct Connection {
        private var pieces: ResponseStream.Iterator
        private(set) var framer: EventFramer
        private var ready: ArraySlice<Framed<ServerSentEvent>> = []
        /// The error that follows the events which are ready.
        private var failure: BluebonnetError?

        init(_ stream: ResponseStream, maximumLength: Int, lastEventID: String) {
            pieces = stream.makeAsyncIterator()
            framer = EventFramer(maximumLength: maximumLength, lastEventID: lastEventID)
        }

        /// Returns the id to continue after, once an event was taken, or more was read; nil if the
        /// former id counts.
        func lastEventID(after event: ServerSentEvent?) -> String? {
            // An id without data counts after the events before it.
            ready.isEmpty ? framer.lastEventID : event?.id
        }

        mutating func takeEvent() -> ServerSentEvent? { ready.popFirst()?.record }

        /// Reads more, and returns false at the end of the response.
        mutating func read(
            isolation actor: isolated (any Actor)?
        ) async throws(BluebonnetError) -> Bool {
            if let failure { throw failure }
            guard let piece = try await pieces.next(isolation: actor) else { return false }
            var events: [Framed<ServerSentEvent>] = []
            do throws(ResponseSerializationError) {
                try framer.add(piece, to: &events)
            } catch {
                failure = .unreadablePiece(error, nil)
            }
            ready = events[...]
            return true
        }
    }
}
