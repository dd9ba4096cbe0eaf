import CBluebonnetOpenSSL
import Glibc

/// The OpenSSL settings for the connections of one server.
// @unchecked Sendable: it does not change after `init`, and OpenSSL's reference counts are atomic.
final class FaultTLSContext: @unchecked Sendable {
    let pointer: OpaquePointer
    let resetsFailedHandshakes: Bool
    private let chosenProtocol: UnsafeMutableBufferPointer<UInt8>

    init(_ identity: ServerIdentity) throws(FixtureServerError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else {
            throw FixtureServerError(operation: "SSL_CTX_new", code: ENOMEM)
        }
        pointer = context
        resetsFailedHandshakes = identity.resetsFailedHandshakes
        let name = Array((identity.applicationProtocol ?? "").utf8)
        chosenProtocol = .allocate(capacity: name.count)
        _ = chosenProtocol.initialize(from: name)
        // The server allows weak keys and ciphers, because the client must reject them.
        SSL_CTX_set_security_level(context, 0)
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, identity.oldestVersion.number, nil)
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, identity.newestVersion.number, nil)
        if !identity.resumesSessions {
            SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
            SSL_CTX_set_options(context, UInt64(1) << 14)  // SSL_OP_NO_TICKET
            SSL_CTX_set_num_tickets(context, 0)
        }
        guard SSL_CTX_use_certificate_chain_file(context, identity.chainFile) == 1,
            SSL_CTX_use_PrivateKey_file(context, identity.keyFile, SSL_FILETYPE_PEM) == 1
        else { throw FixtureServerError(operation: "reading \(identity.chainFile)", code: EINVAL) }
        if let authorities = identity.clientAuthorityFile {
            guard SSL_CTX_load_verify_locations(context, authorities, nil) == 1 else {
                throw FixtureServerError(operation: "reading \(authorities)", code: EINVAL)
            }
            SSL_CTX_set_verify(
                context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        }
        if !name.isEmpty { chooseProtocol() }
    }

    deinit {
        SSL_CTX_free(pointer)
        chosenProtocol.deallocate()
    }

    /// Selects the identity's protocol, whatever the client offers.
    private func chooseProtocol() {
        SSL_CTX_set_alpn_select_cb(
            pointer,
            { _, chosen, length, _, _, context in
                guard let context else { return SSL_TLSEXT_ERR_NOACK }
                let name = Unmanaged<FaultTLSContext>.fromOpaque(context).takeUnretainedValue()
                    .chosenProtocol
                chosen?.pointee = UnsafePointer(name.baseAddress)
                length?.pointee = UInt8(name.count)
                return SSL_TLSEXT_ERR_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}

extension ServerIdentity.Version {
    fileprivate var number: Int { Int(rawValue) }
}
