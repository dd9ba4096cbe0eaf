import BluebonnetTransport
import Foundation
import FoundationNetworking

/// A snapshot of a task's current request.
struct CURLSource {
    let request: URLRequest
    private let session: SessionCore
    private let options: RequestOptions.Values?
    private let isUpload: Bool
    /// The request of the last exchange, or nil before the first one.
    private let sent: SentRequest?
    private let upload: UploadBody?
    private let body: Exchange.Body?
    private let isRedirected: Bool
    private let hasLeftOrigin: Bool
    private let credentialFields: [Exchange.Field]
    private let active: TaskAuthentication.Active?
    /// The record of a partial file, before an attempt has asked for the rest of it.
    private let record: ResumeRecord?

    /// Returns a snapshot of the task, or nil if its request could not be built.
    static func of(_ delegate: TaskDelegate) -> CURLSource? {
        let isUnstarted = delegate.state.withLock {
            $0.run.attempt == 0 && $0.attempt.request == nil
        }
        // Outside the lock, because it can run the caller's code.
        let made = isUnstarted ? try? delegate.setup.source.make() : nil
        return delegate.state.withLock { CURLSource(delegate, $0, made) }
    }

    private init?(_ delegate: TaskDelegate, _ state: TaskState, _ made: URLRequest?) {
        guard let request = state.attempt.request ?? made else { return nil }
        self.request = request
        session = delegate.session
        options = delegate.setup.options?.values
        isUpload = delegate.kind == .upload
        sent = state.exchange.sent
        upload = state.upload
        body = state.attempt.body
        isRedirected = !state.attempt.redirects.isEmpty
        hasLeftOrigin = state.attempt.hasLeftOrigin
        credentialFields = state.attempt.rare.authenticationFields
        active = state.attempt.authentication?.active[.server]
        record = state.run.attempt == 0 ? state.rare.download?.record : nil
    }

    /// Returns the command that sends the request.
    func command() throws(RequestSerializationError) -> CURLCommand {
        var request = request
        // curl derives these fields from the body.
        request.removeFields { name, _ in
            name.caseInsensitiveEquals("Content-Length")
                || name.caseInsensitiveEquals("Transfer-Encoding")
        }
        record?.apply(to: &request)
        let message = try session.exchangeBuilder.message(
            of: request, to: request.url?.absoluteURL, hasLeftOrigin: hasLeftOrigin,
            decodesContent: options?.decodesContent)
        var command = CURLCommand(
            method: message.method,
            // The fragment is not sent.
            url: String(message.url.prefix { $0 != "#" }),
            fields: try fields(of: message), login: login, body: body(of: message))
        if command.login != nil { command.fields.remove("Authorization") }
        // The command connects to the server directly, so it needs no proxy credentials.
        command.fields.remove("Proxy-Authorization")
        return command
    }

    // MARK: Fields

    /// Returns whether the last exchange sent this request, rather than one before a redirect.
    private func wasSent(_ message: RequestMessage) -> Bool {
        sent?.method == message.method && sent?.url == message.url
    }

    private func fields(
        of message: RequestMessage
    ) throws(RequestSerializationError) -> [Exchange.Field] {
        if wasSent(message), let sent { return sent.sentFields }
        var fields = message.fields
        try session.addCookies(
            to: &fields, for: request,
            if: options?.handlesCookies ?? request.httpShouldHandleCookies)
        for field in credentialFields { fields.remove(field.name) }
        return fields + credentialFields
    }

    private var login: CURLCommand.Login? {
        if let active {
            guard credentialFields.contains(where: { $0.name == "Authorization" }) else {
                return nil
            }
            return Self.login(active.credential, active.mechanism)
        }
        guard sent == nil, !session.authentication.isEmpty,
            !session.exchangeBuilder.hasOwnAuthorization(request, hasLeftOrigin: hasLeftOrigin),
            let url = request.url?.absoluteURL,
            let subject = AuthenticatedRequest(url: url, method: request.httpMethod ?? "GET"),
            let entry = session.authentication.credential(for: subject, party: .server)?.entry
        else { return nil }
        return Self.login(entry.credential, entry.mechanism)
    }

    /// Returns the login of a credential, or nil if `-u` cannot express it.
    ///
    /// `-u` ends the user name at the first colon.
    private static func login(
        _ credential: URLCredential, _ mechanism: AuthenticationMechanism<DigestSession>
    ) -> CURLCommand.Login? {
        let (normalizes, isDigest) =
            switch mechanism {
            case .basic(let usesUTF8): (usesUTF8, false)
            case .digest: (false, true)
            }
        guard let user = try? UserCredential(credential, normalizes: normalizes),
            !user.user.utf8.contains(UInt8(ascii: ":"))
        else { return nil }
        return CURLCommand.Login(user: user.user, password: user.password, isDigest: isDigest)
    }

    // MARK: Body

    private func body(of message: RequestMessage) -> CURLCommand.Body? {
        if let form = request.multipartBody, upload == nil {
            return Self.missing("a form of \(form.length) bytes")
        }
        // After an exchange has begun, its body is known. A redirect can have dropped the upload's
        // body.
        if let upload, sent == nil || body != nil, request.httpBodyStream == nil {
            return Self.body(of: upload)
        }
        if let body { return Self.body(of: body) }
        if request.httpBodyStream != nil { return Self.missing("a stream") }
        if isUpload, sent != nil, request.httpBody == nil, !hasLostBody(message) {
            return Self.missing("the upload has ended and released it")
        }
        guard case .data(let data) = message.body else { return nil }
        return .data(data)
    }

    /// Returns whether a redirect has turned an upload into a request without a body.
    private func hasLostBody(_ message: RequestMessage) -> Bool {
        isRedirected && (message.method == "GET" || message.method == "HEAD")
    }

    private static func body(of upload: UploadBody) -> CURLCommand.Body {
        switch upload {
        case .data(let data): .data(data)
        case .file(let url): .file(path: url.path)
        case .stream(let length, _): missing(stream(length))
        case .pieces(let pieces): missing(stream(pieces.length))
        case .multipart(let form): missing("a form of \(form.length) bytes")
        }
    }

    private static func body(of body: Exchange.Body) -> CURLCommand.Body {
        switch body {
        case .data(let data): .data(data)
        case .stream(let body): missing(stream(body.length))
        }
    }

    private static func stream(_ length: Int64?) -> String {
        length.map { "a stream of \($0) bytes" } ?? "a stream of unknown length"
    }

    private static func missing(_ what: String) -> CURLCommand.Body {
        .missing(reason: "the body is missing: \(what)")
    }
}

extension [Exchange.Field] {
    fileprivate mutating func remove(_ name: String) {
        removeAll { $0.name.caseInsensitiveEquals(name) }
    }
}
