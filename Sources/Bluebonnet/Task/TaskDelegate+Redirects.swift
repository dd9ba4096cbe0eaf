import BluebonnetTransport
import Foundation
import FoundationNetworking

// What follows a redirect, on the callback queue.
extension TaskDelegate {
    private var redirectPolicy: RedirectPolicy {
        RedirectPolicy(configuration: session.configuration)
    }

    /// Reads a redirect's body to its end where that is near, so that the connection is kept, and
    /// else ends the exchange, or the task where a hook may want what is too much to keep.
    func endRedirect(after count: Int) {
        // Only the hook may want more of a redirect than an excerpt.
        guard !session.activeHooks.contains(anyOf: .redirect) else {
            let limit = session.configuration.maximumRedirectBodySize
            if count > limit { abort(with: .transport(.redirectTooLarge(limit), .init())) }
            return
        }
        guard count > Self.largestExcerpt else { return }
        let exchange = state.withLock { state in
            state.hasEnoughOfRedirect = true
            return state.lifecycle.giveUpExchange()
        }
        if case .cancel(let transfer) = exchange { transfer?.cancel() }
    }

    private static let largestExcerpt = 64 * 1024

    func followRedirect() {
        let (head, request, count) = state.withLock { state in
            (state.head, state.currentRequest, state.redirectCount)
        }
        guard let head, let request else { return complete(with: nil) }
        switch redirectPolicy.decision(after: head, to: request, followed: count) {
        case .deliver: deliverHop()
        case .refuse(let reason): complete(with: .redirect(reason, .init()))
        case .follow(let next): ask(about: next, after: head)
        }
    }

    private func ask(about proposed: URLRequest, after head: ResponseHead) {
        guard let manager, let task else { return complete(with: nil) }
        // Swift tasks wait for threads that handlers may block, so none is made for nobody.
        guard session.activeHooks.contains(anyOf: .redirect) else {
            return follow(proposed, proposed: proposed)
        }
        ask {
            await manager.taskWillPerformHTTPRedirection(task, head: head, newRequest: proposed)
        } then: { delegate, answer in
            // Nobody wants to go on without one: the redirect itself is the response.
            guard let answer else { return delegate.deliverHop() }
            delegate.follow(answer, proposed: proposed)
        }
    }

    private func follow(_ answer: URLRequest, proposed: URLRequest) {
        let next = redirectPolicy.request(answer, insteadOf: proposed)
        state.withLock { state in
            if let sent = state.sent { state.redirected.insert(sent) }
            if let former = state.currentRequest, !next.hasSameOrigin(as: former) {
                state.hasLeftOrigin = true
            }
            if next.hasOtherBody(than: proposed) {
                state.requestBody = UploadBody.ownStream(of: next, state.makeBodyFault())
            } else if !next.keepsBody(of: state.currentRequest) {
                state.requestBody = nil
            }
        }
        useKnownCredentials(for: next)
        resend(with: next, followedRedirects: 1)
    }
}

extension URLRequest {
    /// Whether the request brings a body that the proposed one does not have.
    fileprivate func hasOtherBody(than proposed: URLRequest) -> Bool {
        httpBodyStream !== proposed.httpBodyStream || httpBody != proposed.httpBody
    }

    /// Whether a body that was sent with the request before is sent with this one too.
    fileprivate func keepsBody(of former: URLRequest?) -> Bool {
        let method = httpMethod ?? "GET"
        return method == former?.httpMethod ?? "GET" || (method != "GET" && method != "HEAD")
    }
}
