import BluebonnetTransport
import Foundation
import FoundationNetworking

/// One attempt of a task: its request as it has become by redirects, and what the exchanges so far have
/// brought to light.
///
/// The next attempt begins with another one.
struct TaskAttempt {
    /// The request as it was last sent, or is about to be.
    var request: URLRequest?
    /// The request before adapters.
    let initialRequest: URLRequest?
    /// Whether adapters have made the request what is sent.
    var isPrepared = false
    /// What is sent with the request instead of its own body.
    var body: Exchange.Body?
    /// Whether it is over, so that what comes now is the task's.
    var hasEnded = false
    /// Whether another one follows.
    var isRetried = false
    /// How many exchanges there were before it.
    var formerExchangeCount = 0
    /// Whether the body that it began with can be sent only once.
    var isBodySingle = false
    /// How many redirects were followed.
    private(set) var redirectCount = 0
    /// Whether the next exchange follows a redirect.
    private var isRedirected = false
    /// Whether a redirect has led to another origin, even if a later one led back.
    var hasLeftOrigin = false
    /// Whether the next exchange goes out on a connection of its own, since the last was lost with one.
    var connectsAnew = false
    /// Why the request's body could not be read.
    private(set) var bodyFault: BodyFault?
    /// Made when something of it is first needed.
    private var rareState: RareState?

    init(_ request: URLRequest?) {
        self.request = request
        initialRequest = request
    }

    /// What few attempts have: more than one exchange, or a credential.
    private final class RareState {
        var redirected: Set<SentRequest> = []
        var redirects: [ResponseHead] = []
        var authentication: TaskAuthentication?
        var authenticationFields: [Exchange.Field] = []
        var trustChallengeCount = 0
        var lostBodyCount = 0
        var interception: AttemptInterception?
        var error: BluebonnetError?
        var answer: AttemptAnswer?
    }

    private mutating func makeRareState() -> RareState {
        let rareState = rareState ?? RareState()
        self.rareState = rareState
        return rareState
    }

    /// What was answered with redirects, so that none leads in a circle.
    var redirected: Set<SentRequest> {
        get { rareState?.redirected ?? [] }
        set { makeRareState().redirected = newValue }
    }

    /// The heads of the redirects that were followed, in order.
    var redirects: [ResponseHead] { rareState?.redirects ?? [] }

    /// Made for the first challenge, or the first credential that is known beforehand.
    var authentication: TaskAuthentication? {
        get { rareState?.authentication }
        set { makeRareState().authentication = newValue }
    }

    /// The fields of credentials that the next exchange sends.
    var authenticationFields: [Exchange.Field] {
        get { rareState?.authenticationFields ?? [] }
        set { makeRareState().authenticationFields = newValue }
    }

    /// Its interceptors; nil without any, and once it is over.
    var interception: AttemptInterception? {
        get { rareState?.interception }
        set { makeRareState().interception = newValue }
    }

    /// What retriers are asked about.
    var error: BluebonnetError? {
        get { rareState?.error }
        set { makeRareState().error = newValue }
    }

    /// What answers it in place of the manager's transport.
    var answer: AttemptAnswer? {
        get { rareState?.answer }
        set { makeRareState().answer = newValue }
    }

    /// How often exchanges have lost a body that could not be sent again.
    var lostBodyCount: Int {
        get { rareState?.lostBodyCount ?? 0 }
        set { makeRareState().lostBodyCount = newValue }
    }

    /// How many challenges about a server's certificates the hook has been asked.
    var trustChallengeCount: Int {
        get { rareState?.trustChallengeCount ?? 0 }
        set { makeRareState().trustChallengeCount = newValue }
    }

    /// Where the sources of a request's body put down why they could not be read.
    mutating func makeBodyFault() -> BodyFault {
        let fault = bodyFault ?? BodyFault()
        bodyFault = fault
        return fault
    }

    /// Whether the body that is to be sent again cannot be read again.
    var isBodyUsedUp: Bool {
        guard case .stream(let stream) = body else { return false }
        return !stream.isReplayable
    }

    /// Goes on with the request that follows a redirect, which was proposed, and answered by a hook.
    mutating func follow(
        _ next: URLRequest, proposed: URLRequest, after head: ResponseHead?, from sent: SentRequest?
    ) {
        isRedirected = true
        if let head { makeRareState().redirects.append(head) }
        if let sent { redirected.insert(sent) }
        if let request, !next.hasSameOrigin(as: request) { hasLeftOrigin = true }
        if next.hasOtherBody(than: proposed) {
            body = UploadBody.ownStream(of: next, makeBodyFault())
        } else if !next.keepsBody(of: request) {
            body = nil
        }
        request = next
    }

    /// Begins an exchange with a request.
    mutating func begin(_ request: URLRequest) {
        self.request = request
        if isRedirected { redirectCount += 1 }
        isRedirected = false
        connectsAnew = false
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
