/// Replies that redirect the client.
enum RedirectReplies {
    static func countdown(_ count: Int) -> FixtureReply {
        redirect(to: count > 1 ? "/redirect/\(count - 1)" : "/json", status: 302)
    }

    static func redirect(query: String?) -> FixtureReply {
        let parameters = QueryParameters(query ?? "")
        let status = parameters["status"].map { Int($0) } ?? 302
        guard let location = parameters["url"], let status, (300...399).contains(status),
            location.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            return .json("{\"status\":400,\"error\":\"url or status\"}", status: 400)
        }
        return redirect(to: location, status: status)
    }

    private static func redirect(to location: String, status: Int) -> FixtureReply {
        .response(status: status, headers: [("Location", location)])
    }
}
