/// The two parties that can challenge a request.
enum AuthenticationParty: Sendable, Hashable, CaseIterable {
    case proxy
    case server

    init?(statusCode: Int) {
        switch statusCode {
        case 401: self = .server
        case 407: self = .proxy
        default: return nil
        }
    }

    var challengeField: String { self == .proxy ? "Proxy-Authenticate" : "WWW-Authenticate" }
    var credentialField: String { self == .proxy ? "Proxy-Authorization" : "Authorization" }
    var infoField: String {
        self == .proxy ? "Proxy-Authentication-Info" : "Authentication-Info"
    }
}
