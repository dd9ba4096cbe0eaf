import Foundation

// Descriptions that are safe to log: they contain neither secrets nor bodies.

extension Exchange: CustomStringConvertible, CustomReflectable {
    /// The method, and the URL without its query.
    public var description: String { "\(method) \(url.withoutURLSecrets)" }

    /// The method, the URL without its query, the fields without secrets, and the body's length.
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
    /// The length of the body, without its contents.
    public var description: String {
        switch length {
        case let length?: "\(length) bytes"
        case nil: "an unknown number of bytes"
        }
    }

    /// The length of the body.
    public var customMirror: Mirror { Mirror(self, children: ["length": length as Any]) }
}

extension Exchange.Head: CustomStringConvertible, CustomReflectable {
    /// The status code and the number of header fields.
    public var description: String { "status \(statusCode) with \(fields.count) header fields" }

    /// The status code and the header fields without secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["statusCode": statusCode, "fields": fields])
    }
}
