/// The ports that nginx listens on.
enum NginxListener: CaseIterable, Sendable {
    case plain
    case tls
    /// Answers to HTTP/2 alone, so that no client can do it with less.
    case http2
    /// Any address of 127.0.0.0/8, and only from there.
    case everyLoopbackAddress

    var isEncrypted: Bool { self == .tls || self == .http2 }

    /// The directives that make it.
    func directives(port: UInt16) -> String {
        switch self {
        case .plain: "listen 127.0.0.1:\(port) backlog=4096;"
        case .tls: "listen 127.0.0.1:\(port) ssl;"
        case .http2:
            """
            listen 127.0.0.1:\(port) ssl http2;
            if ($server_protocol != HTTP/2.0) { return 505; }
            """
        case .everyLoopbackAddress: "listen 0.0.0.0:\(port); allow 127.0.0.0/8; deny all;"
        }
    }
}
