import BluebonnetTransport
import Foundation
import FoundationNetworking

extension SessionCore {
    /// Adds the Cookie field to a request that handles cookies, unless it already has one.
    func addCookies(
        to fields: inout [Exchange.Field],
        for request: URLRequest,
        if takesCookies: @autoclosure () -> Bool
    ) throws(RequestSerializationError) {
        guard let cookies, !cookies.isEmpty, takesCookies(),
            !fields.contains(where: { $0.name.caseInsensitiveEquals("Cookie") }),
            let value = request.url.flatMap({ cookies.cookieHeader(for: $0, at: clock.date) })
        else { return }
        let field = Exchange.Field(name: "Cookie", value: value)
        try field.check()
        fields.append(field)
    }

    /// Stores the cookies that a response sets, whether or not the response is accepted.
    func keepCookies(of head: ResponseHead, if takesCookies: @autoclosure () -> Bool) {
        guard let cookies else { return }
        let values = head.exchangeHead.block.values(of: .setCookie)
        guard !values.isEmpty, takesCookies() else { return }
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
