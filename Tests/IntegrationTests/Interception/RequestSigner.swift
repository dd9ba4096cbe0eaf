import Bluebonnet
import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Signs requests with a key that the server knows: an adapter for the end of the chain.
///
/// The signature is an HMAC over the method, the target, the signed header fields and the SHA-256
/// digest of the body. The signer must come after all adapters that change any of these, such as a
/// compressor.
struct RequestSigner: RequestInterceptor {
    let key: Data
    /// The lowercase names of the signed fields.
    var signedFields = ["content-encoding", "content-type", "date"]

    func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        var request = urlRequest
        let digest = try MessageDigest.sha256.hash(of: request.httpBody ?? Data())
        request.setValue(
            "sha-256=:\(Data(digest).base64EncodedString()):", forHTTPHeaderField: "Content-Digest")
        let signature = try Self.signature(of: text(of: request), key: key)
        request.setValue(
            "fields=\"\(signedFields.joined(separator: " "))\", value=\(signature)",
            forHTTPHeaderField: "X-Signature")
        return request
    }

    private func text(of request: URLRequest) -> String {
        let url = request.url?.absoluteURL
        let parts = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let path = parts?.percentEncodedPath ?? ""
        let query = parts?.percentEncodedQuery.map { "?\($0)" } ?? ""
        let fields = (signedFields + ["content-digest"]).map {
            "\($0): \(request.value(forHTTPHeaderField: $0) ?? "")"
        }
        return (["\(request.httpMethod ?? "GET") \(path.isEmpty ? "/" : path)\(query)"] + fields)
            .joined(separator: "\n")
    }

    /// Returns the HMAC with SHA-256 (RFC 2104) in hexadecimal digits.
    static func signature(of text: String, key: Data) throws -> String {
        let blockSize = 64
        let short = key.count > blockSize ? try MessageDigest.sha256.hash(of: key) : Array(key)
        let block = short + Array(repeating: 0, count: blockSize - short.count)
        let inner = try MessageDigest.sha256.hash(of: block.map { $0 ^ 0x36 } + Array(text.utf8))
        let outer = try MessageDigest.sha256.hash(of: block.map { $0 ^ 0x5C } + inner)
        return outer.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
