import Foundation

// What a log may hold of an exchange: no secrets, and no bodies.

extension Exchange: CustomStringConvertible, CustomReflectable {
    /// Method and URL without query; header fields and body are not in it.
    public var description: String { "\(method) \(url.withoutURLSecrets)" }

    /// Method, URL without query, header fields without secrets, and the body's length.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method, "url": url.withoutURLSecrets, "fields": fields,
                "body": body.map(\.description) ?? "none",
            ]
        )
    }
}

extension Exchange.Body: CustomStringConvertible, CustomReflectable {
    /// How long it is, and nothing of what it holds.
    public var description: String {
        switch length {
        case let length?: "\(length) bytes"
        case nil: "bytes of unknown number"
        }
    }

    /// How long it is.
    public var customMirror: Mirror { Mirror(self, children: ["length": length as Any]) }
}

extension Exchange.Head: CustomStringConvertible, CustomReflectable {
    /// The status, and how many header fields there are.
    public var description: String { "status \(statusCode) with \(fields.count) header fields" }

    /// The status, and the header fields without secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["statusCode": statusCode, "fields": fields])
    }
}
