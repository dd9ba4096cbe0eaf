import CBluebonnet
import Foundation

/// What is known of the connection that serves an exchange.
struct TransferConnection {
    /// The socket that libcurl last watched for the exchange; -1 for none.
    var socket: Int32 = -1
    /// Whether that socket was left alone, in a pause, when libcurl did not watch it.
    var isHeld = false
    /// Whether the request went out where HTTP/2 may be spoken.
    var isHTTP2Possible = false
    /// Whether the response came over HTTP/2.
    var isMultiplexed = false
    /// How it comes about; nil where none is being made.
    var new: NewConnection?
    /// How many were made for the exchange.
    var count = 0
    /// Bytes of the request's head that were sent before the last one was made.
    var formerRequestHeaderBytes: Int64 = 0
    /// What the last one took that was made, in seconds.
    var nameLookupDuration: TimeInterval = 0
    var connectDuration: TimeInterval = 0
    /// What TLS settled on; nil without TLS.
    var security: ConnectionSecurity?
    /// How the connection's TLS ends, where that is the body's end too.
    var tlsClosure: TLSClosure?
    /// What the server has asked the client for; nil for nothing.
    var certificateRequest: ClientCertificateRequest?
    /// What a proxy answers to CONNECT, from the opening of a socket on until there is a connection.
    var tunnelResponse: TunnelResponse?
    /// Why the system gave no socket for a connection; 0 where it did.
    var socketErrorNumber: Int32 = 0

    /// Whether libcurl has watched a socket for the exchange.
    var hasSocket: Bool { socket >= 0 }
}

/// What TLS settled on for a connection.
struct ConnectionSecurity {
    var version: String
    var cipherSuite: String
}

extension EasyHandle {
    /// The TLS of the connection in use; nil outside of libcurl's callbacks.
    var security: ConnectionSecurity? {
        guard let version = bb_easy_get_tls_version(easy),
            let suite = bb_easy_get_tls_cipher_suite(easy)
        else { return nil }
        return ConnectionSecurity(
            version: String(cString: version), cipherSuite: String(cString: suite))
    }

    /// Whether the connection in use may be one with HTTP/2, whatever a status line says.
    var isHTTP2Possible: Bool {
        !template.isSecure || bb_easy_may_be_http2(easy) != 0
    }
}
