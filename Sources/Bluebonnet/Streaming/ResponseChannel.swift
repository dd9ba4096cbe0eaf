import BluebonnetTransport
import Foundation

/// Carries a response's head and body from the callback queue to one waiting Swift task.
package final class ResponseChannel: Sendable {
    typealias Head = Result<ResponseHead, BluebonnetError>
    typealias Next = Result<Piece?, BluebonnetError>

    /// A piece of the body, which its reader releases once it no longer needs memory.
    struct Piece: Sendable {
        fileprivate let chunk: Exchange.Chunk
        fileprivate let transfer: (any Transfer)?

        var data: Data { chunk.data }

        /// Lets the transfer receive as many bytes again.
        func release() { transfer?.didConsume(chunk.count) }
    }

    private struct State {
        var head: Head?
        var headContinuation: UnsafeContinuation<Head, Never>?
        var pieces = FIFO<Piece>()
        var end: Result<Void, BluebonnetError>?
        var continuation: UnsafeContinuation<Next, Never>?
    }

    private let state = Locked(State())

    // MARK: From the callback queue

    func receive(_ head: ResponseHead) {
        open(.success(head))
    }

    func receive(_ chunks: [Exchange.Chunk], from transfer: (any Transfer)?) {
        let ready = state.withLock { state -> (UnsafeContinuation<Next, Never>, Next)? in
            for chunk in chunks { state.pieces.append(Piece(chunk: chunk, transfer: transfer)) }
            return Self.takeWaiting(&state)
        }
        ready?.0.resume(returning: ready?.1 ?? .success(nil))
    }

    /// Ends the body and, after a failure, the wait for a head that has not arrived.
    func finish(_ result: Result<Void, BluebonnetError>) {
        if case .failure(let error) = result { open(.failure(error)) }
        let ready = state.withLock { state -> (UnsafeContinuation<Next, Never>, Next)? in
            state.end = result
            return Self.takeWaiting(&state)
        }
        ready?.0.resume(returning: ready?.1 ?? .success(nil))
    }

    private func open(_ head: Head) {
        let continuation = state.withLock { state in
            if state.head == nil { state.head = head }
            return state.headContinuation.take()
        }
        continuation?.resume(returning: head)
    }

    // MARK: To the consumer

    var head: Head {
        get async {
            // Unsafe only in that resumption is not checked. It leaves the state before it resumes,
            // so it resumes once.
            await withUnsafeContinuation { continuation in
                let known = state.withLock { state in
                    if state.head == nil { state.headContinuation = continuation }
                    return state.head
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }

    /// Returns the next piece of the body, or nil at the end.
    ///
    /// If a second caller starts to wait, the first one receives an error.
    func next() async -> Next {
        // Unsafe only in that resumption is not checked. It leaves the state before it resumes, so
        // it resumes once.
        await withUnsafeContinuation { continuation in
            let ready = state.withLock { state in
                // A replaced continuation would never resume, and nil would look like the end of
                // the body.
                let former = state.continuation
                state.continuation = continuation
                return (former, Self.takeWaiting(&state))
            }
            ready.0?.resume(returning: .failure(.anotherReader))
            if let (continuation, next) = ready.1 { continuation.resume(returning: next) }
        }
    }

    private static func takeWaiting(
        _ state: inout State
    ) -> (UnsafeContinuation<Next, Never>, Next)? {
        guard let continuation = state.continuation, let next = next(&state) else { return nil }
        state.continuation = nil
        return (continuation, next)
    }

    private static func next(_ state: inout State) -> Next? {
        if let piece = state.pieces.pop() { return .success(piece) }
        return state.end.map { end in end.map { nil } }
    }
}

extension BluebonnetError {
    static var anotherReader: BluebonnetError {
        .unreadableBody(
            "another reader started to wait for the body; use one reader per body", .init())
    }
}
