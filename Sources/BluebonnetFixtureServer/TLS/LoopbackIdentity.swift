import CBluebonnetOpenSSL
import Glibc

// @unchecked Sendable: it does not change after `init`, and OpenSSL's reference counts are atomic.
/// A key and a self-signed certificate for `localhost` and 127.0.0.1, created in memory.
///
/// Each identity has a new key. Its certificate is valid from yesterday, and expires in ten years.
public final class LoopbackIdentity: @unchecked Sendable {
    /// The certificate in DER.
    public let certificate: [UInt8]

    /// The OpenSSL settings for the connections of a server with this identity.
    let context: OpaquePointer

    /// Creates an identity.
    ///
    /// Throws if an OpenSSL function fails, which happens when memory is exhausted.
    public init() throws(FixtureServerError) {
        defer { ERR_clear_error() }
        guard let key = Self.key() else { throw Self.error("EVP_PKEY_generate") }
        defer { EVP_PKEY_free(key) }
        guard let certificate = Self.certificate(for: key) else { throw Self.error("X509_sign") }
        defer { X509_free(certificate) }
        guard let context = SSL_CTX_new(TLS_server_method()) else {
            throw Self.error("SSL_CTX_new")
        }
        guard SSL_CTX_use_certificate(context, certificate) == 1,
            SSL_CTX_use_PrivateKey(context, key) == 1
        else {
            SSL_CTX_free(context)
            throw Self.error("SSL_CTX_use_certificate")
        }
        // A write that is retried can use another address and more bytes.
        SSL_CTX_ctrl(
            context, SSL_CTRL_MODE,
            Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER), nil)
        self.context = context
        self.certificate = Self.encoded(certificate)
    }

    deinit {
        SSL_CTX_free(context)
    }

    private static func error(_ operation: String) -> FixtureServerError {
        FixtureServerError(operation: operation, code: ENOMEM)
    }

    private static func key() -> OpaquePointer? {
        guard let maker = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(maker) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(maker) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker, NID_X9_62_prime256v1) == 1,
            EVP_PKEY_generate(maker, &key) == 1
        else { return nil }
        return key
    }

    private static func certificate(for key: OpaquePointer) -> OpaquePointer? {
        guard let certificate = X509_new() else { return nil }
        let serial = UInt64.random(in: 1...UInt64(Int64.max))
        let name = X509_get_subject_name(certificate)
        let isMade =
            X509_set_version(certificate, 2) == 1  // 2 stands for version 3
            && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1
            && X509_gmtime_adj(X509_getm_notBefore(certificate), -day) != nil
            && X509_gmtime_adj(X509_getm_notAfter(certificate), 3650 * day) != nil
            && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "localhost", -1, -1, 0) == 1
            && X509_set_issuer_name(certificate, name) == 1
            && X509_set_pubkey(certificate, key) == 1
            && add(NID_basic_constraints, "critical,CA:FALSE", to: certificate)
            && add(NID_ext_key_usage, "serverAuth", to: certificate)
            && add(NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1", to: certificate)
            && X509_sign(certificate, key, EVP_sha256()) > 0
        if isMade { return certificate }
        X509_free(certificate)
        return nil
    }

    /// One day in seconds.
    private static let day = 86_400

    private static func add(
        _ identifier: Int32, _ value: String, to certificate: OpaquePointer
    ) -> Bool {
        guard let field = X509V3_EXT_conf_nid(nil, nil, identifier, value) else { return false }
        defer { X509_EXTENSION_free(field) }
        return X509_add_ext(certificate, field, -1) == 1
    }

    private static func encoded(_ certificate: OpaquePointer) -> [UInt8] {
        let count = Int(i2d_X509(certificate, nil))
        return [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, written in
            var end = buffer.baseAddress
            written = max(0, Int(i2d_X509(certificate, &end)))
        }
    }
}
