import BluebonnetTransport
import Foundation
import FoundationNetworking

/// One attempt of a task, with its request after redirects and the results of its exchanges so far.
///
/// The next attempt begins with a new value.
package struct TaskAttempt {
    /// The request as it was last sent, or is about to be.
    var request: URLRequest?
    /// The request before adapters.
    let initialRequest: URLRequest?
    /// Whether adapters have prepared the request, so that it is the one that is sent.
    var isPrepared = false
    /// The body that is sent in place of the request's own.
    var body: Exchange.Body?
    /// The number of exchanges before the attempt.
    var formerExchangeCount = 0
    /// Whether the body that the attempt began with can be sent only once.
    var isBodySingle = false
    /// The number of redirects that were followed.
    private(set) var redirectCount = 0
    /// Whether the next exchange follows a redirect.
    private var isRedirected = false
    /// Whether a redirect has led to another origin, even if a later one led back.
    var hasLeftOrigin = false
    /// Whether the next exchange uses a new connection, because the last one was lost with its
    /// connection.
    var connectsAnew = false
    private var rareBox = Rare(initialRare)
    private static let initialRare = Rare.Box(RareState())

    /// State that few attempts need.
    struct RareState {
        /// The requests that were answered with redirects, for detecting circles.
        var redirected: Set<SentRequest> = []
        /// The heads of the redirects that were followed, in order.
        var redirects: [ResponseHead] = []
        /// The authentication, which is created for the first challenge or known credential.
        var authentication: TaskAuthentication?
        /// The fields that answer a challenge, for the next exchange; nil for known credentials.
        var answeringFields: [Exchange.Field]?
        /// The credential fields that the last exchange sent.
        var authenticationFields: [Exchange.Field] = []
        /// The number of challenges about a server's certificates.
        var trustChallengeCount = 0
        /// The number of exchanges that lost a body that could not be sent again.
        var lostBodyCount = 0
        /// The attempt's interceptors; nil if there are none, or if the attempt has ended.
        var interception: AttemptInterception?
        /// The error that retriers are asked about.
        var error: BluebonnetError?
        /// The reason why a policy that would retry the attempt does not.
        var retryRefusal: String?
        /// Whether another attempt follows.
        var isRetried = false
        /// The source of the response, if it is not the manager's transport.
        var answer: AttemptAnswer?
        /// The number of the body's bytes that the progress does not include yet.
        var withheldCount: Int64 = 0
        /// Whether observers do not know the data of the body yet.
        var withholdsData = false
        /// Whether monitors were told of the verdict of a validator.
        var hasValidated = false
        /// Why the request's body could not be read.
        var bodyFault: BodyFault?
    }

    init(_ request: URLRequest?) {
        self.request = request
        initialRequest = request
    }

    var rare: RareState {
        _read { yield rareBox.value }
        _modify { yield &rareBox.value }
    }

    // Read often, so without opening the box.
    var interception: AttemptInterception? { rareBox.isInitial ? nil : rare.interception }
    var authentication: TaskAuthentication? { rareBox.isInitial ? nil : rare.authentication }
    var answeringFields: [Exchange.Field]? { rareBox.isInitial ? nil : rare.answeringFields }
    var redirected: Set<SentRequest> { rareBox.isInitial ? [] : rare.redirected }
    var redirects: [ResponseHead] { rareBox.isInitial ? [] : rare.redirects }
    var answer: AttemptAnswer? { rareBox.isInitial ? nil : rare.answer }
    var withheldCount: Int64 { rareBox.isInitial ? 0 : rare.withheldCount }
    var withholdsData: Bool { rareBox.isInitial ? false : rare.withholdsData }
    var hasValidated: Bool { rareBox.isInitial ? false : rare.hasValidated }

    /// Returns the object in which body sources record why they could not be read.
    mutating func makeBodyFault() -> BodyFault {
        let fault = rare.bodyFault ?? BodyFault()
        rare.bodyFault = fault
        return fault
    }

    /// Whether the outcome of another task is also that of this one.
    var isAnsweredByTask: Bool { if case .outcome? = answer { true } else { false } }

    /// Whether the body is a stream that cannot be read again.
    var isBodyUsedUp: Bool {
        guard case .stream(let stream) = body else { return false }
        return !stream.isReplayable
    }

    /// Continues with the request that follows a redirect.
    ///
    /// `next` is the proposed request, or the one that a hook returned in its place.
    mutating func follow(
        _ next: URLRequest, proposed: URLRequest, after head: ResponseHead?, from sent: SentRequest?
    ) {
        isRedirected = true
        if let head { rare.redirects.append(head) }
        if let sent { rare.redirected.insert(sent) }
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
    /// Returns whether the request has a body that differs from the proposed one's.
    fileprivate func hasOtherBody(than proposed: URLRequest) -> Bool {
        httpBodyStream !== proposed.httpBodyStream || httpBody != proposed.httpBody
    }

    /// Returns whether the body of the previous request is sent with this one too.
    fileprivate func keepsBody(of former: URLRequest?) -> Bool {
        let method = httpMethod ?? "GET"
        return method == former?.httpMethod ?? "GET" || (method != "GET" && method != "HEAD")
    }
}
