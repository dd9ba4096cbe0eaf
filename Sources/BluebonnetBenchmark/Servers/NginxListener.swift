/// The ports that nginx listens on.
enum NginxListener: CaseIterable, Sendable {
    case plain
    case tls
    /// A port that accepts only HTTP/2, so that no client can use an older version.
    case http2
    /// A port on all addresses of 127.0.0.0/8, which accepts connections only from there.
    case everyLoopbackAddress

    var isEncrypted: Bool { self == .tls || self == .http2 }

    /// Returns the directives for this port.
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
