import BluebonnetTransport
import Foundation
import FoundationNetworking

/// A request of a task on its way to the transport: what makes an exchange of it.
struct OutgoingRequest {
    let session: SessionCore
    let pools: PolicyPools
    let options: RequestOptions.Values?
    let request: URLRequest
    let body: Exchange.Body?
    let hasLeftOrigin: Bool
    let credential: [Exchange.Field]
    /// What the credential for a proxy is made of.
    let proxyCredential: URLCredential?
    let flow: BodyFlow
    let priority: Float
    let connectsAnew: Bool
    let attempt: Int
    let attributes: TaskAttributes
    /// Whether the progress of sending its body is reported.
    let isSendingWatched: Bool

    /// The size in bytes up to which a body's sending is reported only on request.
    private static let largestUnwatchedBody = 64 * 1024

    /// What is sent, and the connections that it may use.
    func message() throws(BluebonnetError) -> (RequestMessage, Exchange.Pool, URL?) {
        let pool = try pool()
        do {
            var request = request
            if case .file(let download) = flow { download.record?.apply(to: &request) }
            let url = request.url?.absoluteURL
            var message = try session.exchangeBuilder.message(
                of: request, to: url, body: body, hasLeftOrigin: hasLeftOrigin,
                decodesContent: options?.decodesContent)
            // The route is copied for it.
            if message.fields.contains(where: \.isProxyAuthorization) {
                pool.route.removeProxyFields(from: &message.fields, of: request)
            }
            try session.addCookies(
                to: &message.fields, for: request,
                if: options?.handlesCookies ?? request.httpShouldHandleCookies)
            // They are made of a server's words.
            for field in credential { try field.check() }
            return (message, pool, url)
        } catch {
            throw .invalidRequest(error.description, .init(request: request, underlying: error))
        }
    }

    /// Throws if the address guard denies a message's URL or the way to it, on any transport.
    func checkAddress(of message: RequestMessage, in pool: Exchange.Pool) throws(BluebonnetError) {
        guard let addressGuard = pool.addressGuard else { return }
        do throws(Exchange.Failure) {
            try addressGuard.check(message.url, on: pool.route)
        } catch {
            throw .transport(error, .init(request: request))
        }
    }

    /// The exchange of a message.
    // Not inlined into what may fail, and the exchange in no closure, or the compiler would copy it.
    @inline(never)
    func exchange(of message: RequestMessage, in pool: Exchange.Pool) -> Exchange {
        var exchange = message.exchange(
            under: session.exchangeBuilder.terms(of: request, options), pool: pool)
        if !credential.isEmpty { add(credential, to: &exchange) }
        exchange.priority = priority
        exchange.connectsAnew = connectsAnew
        exchange.cachePolicy = request.cachePolicy
        exchange.attempt = attempt
        exchange.attributes = attributes
        // A caller may ask for a large body's progress after it has begun.
        let isLarge = message.body.map { $0.length ?? .max > Self.largestUnwatchedBody } ?? false
        exchange.reportsSending =
            message.body != nil
            && (isSendingWatched || isLarge || session.audience.hears(.sentBodyData))
        exchange.keepsBody = !isFlowing
        exchange.receiveWindow = max(0, session.configuration.streamBufferSize)
        return exchange
    }

    private func pool() throws(BluebonnetError) -> Exchange.Pool {
        guard options?.route != nil || proxyCredential != nil else {
            return try pools.pool(for: request, hasLeftOrigin: hasLeftOrigin)
        }
        return try pools.pool(
            for: request, hasLeftOrigin: hasLeftOrigin, route: options?.route,
            tunnelLogin: tunnelLogin)
    }

    private var route: Exchange.Route { options?.route ?? session.configuration.route }

    /// Whether a proxy opens a tunnel for a URL; what is for that proxy must not go into the tunnel.
    private func isTunneled(_ url: String) -> Bool { route.tunnelingProxy(for: url) != nil }

    /// The login with which the tunnel is opened; nil for the route's own, and without a tunnel.
    private var tunnelLogin: TunnelLogin? {
        guard let proxyCredential, let url = request.url?.absoluteURL.absoluteString,
            isTunneled(url), credential.contains(where: \.isProxyAuthorization)
        else { return nil }
        return TunnelLogin(proxyCredential)
    }

    private func add(_ credential: [Exchange.Field], to exchange: inout Exchange) {
        guard isTunneled(exchange.url) else { return exchange.fields.replace(credential) }
        exchange.tunnelAuthorization = credential.first(where: \.isProxyAuthorization)?.value
        exchange.fields.replace(credential.filter { !$0.isProxyAuthorization })
    }

    private var isFlowing: Bool { if case .memory = flow { false } else { true } }
}

extension [Exchange.Field] {
    /// Sets fields in place of any of the same names.
    fileprivate mutating func replace(_ others: [Exchange.Field]) {
        guard !others.isEmpty else { return }
        removeAll { field in
            others.contains { $0.name.caseInsensitiveEquals(field.name) }
        }
        self += others
    }
}
