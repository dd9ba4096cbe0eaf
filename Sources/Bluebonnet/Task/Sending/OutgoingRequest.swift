import BluebonnetTransport
import Foundation
import FoundationNetworking

/// A request of a task on its way to the transport, from which an exchange is created.
struct OutgoingRequest: ~Copyable {
    let delegate: TaskDelegate
    let request: URLRequest
    let body: Exchange.Body?
    let hasLeftOrigin: Bool
    var authentication: TaskAuthentication?
    /// The fields that answer a challenge, or those of known credentials.
    var credential: [Exchange.Field]?
    /// The requests that were answered with redirects.
    let redirected: Set<SentRequest>
    /// Whether the body is kept in memory.
    let keepsBody: Bool
    let priority: Float
    let connectsAnew: Bool
    let attempt: Int
    let attributes: TaskAttributes
    let cacheHandler: CacheHandler?
    /// Whether the progress of sending the body is reported.
    let isSendingWatched: Bool
    /// The transport that performs the exchange in place of the manager's.
    let transport: (any Transport)?
    /// The number of the exchange.
    let number: Int

    private var session: SessionCore { delegate.session }
    private var options: RequestOptions.Values? { delegate.setup.options?.values }

    /// An exchange that is about to begin.
    struct Made: ~Copyable {
        let transfer: any Transfer
        let request: URLRequest
        let sent: SentRequest
        let authentication: TaskAuthentication?
        /// The fields of a credential that it sends.
        let credential: [Exchange.Field]
        /// The length of its body, -1 if it is unknown, and nil without a body.
        let bodyLength: Int64?
    }

    /// The largest body whose progress is reported only on request, in bytes.
    private static let largestUnwatchedBody = 64 * 1024

    /// Returns the message to send, the pool that it can use, and the URL.
    func message() throws(BluebonnetError) -> (RequestMessage, Exchange.Pool, URL?) {
        let pool = try pool()
        do {
            let url = request.url?.absoluteURL
            var message = try session.exchangeBuilder.message(
                of: request, to: url, body: body, hasLeftOrigin: hasLeftOrigin,
                decodesContent: options?.decodesContent)
            // Checked first, because this copies the route.
            if message.fields.contains(where: \.isProxyAuthorization) {
                pool.route.removeProxyFields(from: &message.fields, of: request)
            }
            try session.addCookies(
                to: &message.fields, for: request,
                if: options?.handlesCookies ?? request.httpShouldHandleCookies)
            // Checked, because the fields contain text from the server.
            for field in credential ?? [] { try field.check() }
            return (message, pool, url)
        } catch {
            throw .invalidRequest(error.description, .init(request: request, underlying: error))
        }
    }

    /// Throws an error if the address guard denies a message's URL or its route, on any transport.
    func checkAddress(of message: RequestMessage, in pool: Exchange.Pool) throws(BluebonnetError) {
        guard let addressGuard = pool.addressGuard else { return }
        do throws(Exchange.Failure) {
            try addressGuard.check(message.url, on: pool.route)
        } catch {
            throw .transport(error, .init(request: request))
        }
    }

    /// Returns the exchange of a message.
    // Not inlined into code that can throw, and not in a closure, or the compiler would copy the
    // exchange.
    @inline(never)
    func exchange(of message: RequestMessage, in pool: Exchange.Pool) -> Exchange {
        var exchange = message.exchange(
            under: session.exchangeBuilder.terms(of: request, options), pool: pool)
        if let credential, !credential.isEmpty { add(credential, to: &exchange) }
        exchange.priority = priority
        exchange.connectsAnew = connectsAnew
        exchange.cachePolicy = request.cachePolicy
        if isCacheHeard { exchange.willCacheResponse = cacheQuestion }
        exchange.attempt = attempt
        exchange.attributes = attributes
        // A caller can request the progress of a large body after sending has begun.
        let isLarge = message.body.map { $0.length ?? .max > Self.largestUnwatchedBody } ?? false
        exchange.reportsSending =
            message.body != nil
            && (isSendingWatched || isLarge || session.audience.hears(.sentBodyData))
        exchange.keepsBody = keepsBody
        exchange.receiveWindow = max(0, session.configuration.streamBufferSize)
        return exchange
    }

    private func pool() throws(BluebonnetError) -> Exchange.Pool {
        let pools = delegate.setup.pools
        guard options?.route != nil || authentication?.proxyCredential != nil else {
            return try pools.pool(for: request, hasLeftOrigin: hasLeftOrigin)
        }
        return try pools.pool(
            for: request, hasLeftOrigin: hasLeftOrigin, route: options?.route,
            tunnelLogin: tunnelLogin)
    }

    private var route: Exchange.Route { options?.route ?? session.configuration.route }

    /// Returns whether a proxy opens a tunnel for a URL; fields for that proxy must not enter the
    /// tunnel.
    private func isTunneled(_ url: String) -> Bool { route.tunnelingProxy(for: url) != nil }

    /// The login that opens the tunnel; nil for the route's own login, and without a tunnel.
    private var tunnelLogin: TunnelLogin? {
        guard let proxyCredential = authentication?.proxyCredential,
            let url = request.url?.absoluteURL.absoluteString,
            isTunneled(url), credential?.contains(where: \.isProxyAuthorization) == true
        else { return nil }
        return TunnelLogin(proxyCredential)
    }

    private func add(_ credential: [Exchange.Field], to exchange: inout Exchange) {
        guard isTunneled(exchange.url) else { return exchange.fields.replace(credential) }
        exchange.tunnelAuthorization = credential.first(where: \.isProxyAuthorization)?.value
        exchange.fields.replace(credential.filter { !$0.isProxyAuthorization })
    }
}

extension [Exchange.Field] {
    /// Sets fields in place of all fields with the same names.
    fileprivate mutating func replace(_ others: [Exchange.Field]) {
        guard !others.isEmpty else { return }
        removeAll { field in
            others.contains { $0.name.caseInsensitiveEquals(field.name) }
        }
        self += others
    }
}
