import CBluebonnet

/// A list of certificates that OpenSSL can use as anchors.
///
/// It lives on the loop thread.
final class CertificateList {
    let pointer: OpaquePointer

    init() throws(Exchange.Failure) {
        guard let pointer = bb_certificate_list_create() else { throw .noMemory }
        self.pointer = pointer
    }

    convenience init(_ certificates: Set<Certificate>) throws(Exchange.Failure) {
        try self.init()
        for certificate in certificates {
            guard let parsed = ParsedCertificate(certificate.data), append(parsed.pointer) else {
                throw .noMemory
            }
        }
    }

    deinit {
        bb_certificate_list_free(pointer)
    }

    /// Appends and retains a certificate, or returns false if there is no memory.
    func append(_ certificate: OpaquePointer) -> Bool {
        bb_certificate_list_append(pointer, certificate) == 1
    }

    var isEmpty: Bool { bb_certificate_list_count(pointer) == 0 }

    /// Returns the certificates of an OpenSSL list.
    static func elements(of list: OpaquePointer?) -> [OpaquePointer] {
        (0..<bb_certificate_list_count(list)).compactMap { bb_certificate_list_get(list, $0) }
    }
}
