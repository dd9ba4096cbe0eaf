import CBluebonnet
import Foundation

/// The state of the connection that serves an exchange.
struct TransferConnection {
    /// The socket that libcurl last watched for the exchange, or -1 for none.
    var socket: Int32 = -1
    /// Whether that socket is not watched because the exchange was paused when libcurl stopped
    /// watching it.
    var isHeld = false
    /// Whether the request was sent on a connection that may be using HTTP/2.
    var isHTTP2Possible = false
    /// The stream of the last attempt to send the request, or nil unless it is over HTTP/2.
    var stream: AttemptStream?
    /// Whether the response arrived over HTTP/2.
    var isMultiplexed = false
    /// The connection that is being opened, or nil for none.
    var new: NewConnection?
    /// The number of connections that were opened for the exchange.
    var count = 0
    /// The bytes of the request's head that were sent before the last connection was opened.
    var formerRequestHeaderBytes: Int64 = 0
    /// The seconds that the name look-up of the last new connection took.
    var nameLookupDuration: TimeInterval = 0
    /// The seconds that connecting the last new connection took.
    var connectDuration: TimeInterval = 0
    /// The negotiated TLS parameters, or nil without TLS.
    var security: ConnectionSecurity?
    /// The observer of the connection's TLS closure, if that is also the end of the body.
    var tlsClosure: TLSClosure?
    /// The server's request for a client certificate, or nil for none.
    var certificateRequest: ClientCertificateRequest?
    /// The proxy's response to CONNECT, from the opening of a socket until the connection is ready.
    var tunnelResponse: TunnelResponse?
    /// The system's error number if it could not open a socket, or 0.
    var socketErrorNumber: Int32 = 0

    /// Whether libcurl has watched a socket for the exchange.
    var hasSocket: Bool { socket >= 0 }
}

/// The negotiated TLS parameters of a connection.
struct ConnectionSecurity {
    var version: String
    var cipherSuite: String
}

extension EasyHandle {
    /// The TLS parameters of the current connection, or nil outside libcurl callbacks and without
    /// TLS.
    var security: ConnectionSecurity? {
        guard let version = bb_easy_get_tls_version(easy),
            let suite = bb_easy_get_tls_cipher_suite(easy)
        else { return nil }
        return ConnectionSecurity(
            version: String(cString: version), cipherSuite: String(cString: suite))
    }

    /// Whether the current connection may be using HTTP/2, regardless of any status line.
    var isHTTP2Possible: Bool {
        !template.isSecure || bb_easy_may_be_http2(easy) != 0
    }
}
