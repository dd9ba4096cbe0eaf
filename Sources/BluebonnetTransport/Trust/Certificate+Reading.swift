import CBluebonnet
public import Foundation
import Glibc

extension Certificate {
    /// Reads the certificates of a file: any number in PEM, or one in DER.
    ///
    /// Other contents of a PEM file, such as a private key or text, are ignored.
    ///
    /// - Throws: ``CertificateError`` if the file cannot be read, contains no certificate, or
    ///   contains a damaged one.
    public static func certificates(contentsOf file: URL) throws(CertificateError) -> [Certificate]
    {
        let data: Data
        do throws(SystemError) {
            // The path of any other URL would name another file.
            guard file.isFileURL else { throw SystemError(EINVAL) }
            data = try FileContents.read(file.path)
        } catch {
            throw .unreadable(file, underlying: error.posixError)
        }
        return try certificates(in: data, source: file.path)
    }

    /// Reads certificates in memory: any number in PEM, or one in DER.
    ///
    /// - Throws: ``CertificateError/notACertificate(source:reason:)`` if there is no certificate,
    ///   or a damaged one.
    public static func certificates(in data: Data) throws(CertificateError) -> [Certificate] {
        try certificates(in: data, source: "the data")
    }

    private static func certificates(
        in data: Data,
        source: String
    ) throws(CertificateError) -> [Certificate] {
        guard data.range(of: Data("-----BEGIN ".utf8)) != nil else {
            return [try Certificate(der: data, source: source)]
        }
        let found = Found()
        let count = data.withUnsafeBytes { bytes in
            bb_pem_visit_certificates(
                bytes.baseAddress, bytes.count,
                { context, bytes, count in
                    guard let context, let bytes else { return }
                    let found = Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
                    found.certificates.append(Data(bytes: bytes, count: count))
                },
                Unmanaged.passUnretained(found).toOpaque()
            )
        }
        guard count >= 0 else {
            throw .notACertificate(source: source, reason: "its PEM is damaged")
        }
        guard count > 0 else {
            throw .notACertificate(source: source, reason: "its PEM contains no certificate")
        }
        var certificates: [Certificate] = []
        for data in found.certificates {
            certificates.append(try Certificate(der: data, source: source))
        }
        return certificates
    }

    /// The certificates that the C function has found so far.
    private final class Found {
        var certificates: [Data] = []
    }
}
