/// Replies that return the client's request.
enum EchoReplies {
    static func description(of request: FixtureRequest) -> FixtureReply {
        let members = [
            ("method", JSONText.string(request.method)),
            ("target", JSONText.string(request.target)),
            ("headers", headers(request.headers)),
            body(request.body),
        ]
        return .json(JSONText.object(members))
    }

    static func body(of request: FixtureRequest) -> FixtureReply {
        .response(
            status: 200,
            headers: [
                ("Content-Type", request.headers["Content-Type"] ?? "application/octet-stream")
            ], body: request.body)
    }

    private static func body(_ bytes: [UInt8]) -> (String, String) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return ("bodyBase64", JSONText.string(Base64.encode(bytes)))
        }
        return ("body", JSONText.string(text))
    }

    /// Fields whose names differ only in case share one member with the name of the first field.
    private static func headers(_ headers: FixtureHeaders) -> String {
        var groups: [(name: String, values: [String])] = []
        for field in headers {
            let value = JSONText.string(field.value)
            let known = groups.firstIndex { FixtureHeaders.isSameName($0.name, field.name) }
            if let known {
                groups[known].values.append(value)
            } else {
                groups.append((field.name, [value]))
            }
        }
        return JSONText.object(
            groups.map { ($0.name, "[" + $0.values.joined(separator: ",") + "]") })
    }
}
