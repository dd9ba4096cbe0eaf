import BluebonnetTransport
import Foundation
import FoundationNetworking

extension SessionCore {
    /// Adds the cookies that belong to a request, unless it has a field of its own for them.
    func addCookies(
        to fields: inout [Exchange.Field],
        for request: URLRequest
    ) throws(RequestSerializationError) {
        guard let cookies, !cookies.isEmpty, request.httpShouldHandleCookies,
            !fields.contains(where: { $0.name.caseInsensitiveEquals("Cookie") }),
            let value = request.url.flatMap({ cookies.cookieHeader(for: $0, at: clock.date) })
        else { return }
        let field = Exchange.Field(name: "Cookie", value: value)
        try field.check()
        fields.append(field)
    }

    /// Keeps the cookies that a response sets, whatever becomes of the response.
    func keepCookies(of head: ResponseHead, for request: @autoclosure () -> URLRequest?) {
        guard let cookies else { return }
        let values = head.exchangeHead.block.values(of: .setCookie)
        guard !values.isEmpty, request()?.httpShouldHandleCookies == true else { return }
        cookies.store(values, from: head.url, at: clock.date)
    }
}

extension CookieHandling {
    var storage: CookieStorage? {
        switch self {
        case .ephemeral: CookieStorage()
        case .shared(let storage): storage
        case .off: nil
        }
    }
}
