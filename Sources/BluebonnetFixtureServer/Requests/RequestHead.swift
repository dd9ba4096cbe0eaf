/// The request line and header section of a request, with the body framing they declare.
struct RequestHead {
    enum BodyFraming {
        case length(Int)
        case chunked
    }

    let method: String
    let target: String
    let headers: FixtureHeaders
    let framing: BodyFraming
    let closesConnection: Bool
    let expectsContinue: Bool

    /// The path and query of a target in origin or absolute form.
    ///
    /// For other forms, the path is the whole target.
    var pathAndQuery: (path: String, query: String?) {
        var rest = Substring(target)
        if let scheme = ["http://", "https://"].first(where: { target.hasPrefix($0) }) {
            rest = rest.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
            if rest.first != "/" { rest = "/" + rest }
        }
        guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return (String(rest), nil)
        }
        return (String(rest[..<mark]), String(rest[rest.index(after: mark)...]))
    }
}
