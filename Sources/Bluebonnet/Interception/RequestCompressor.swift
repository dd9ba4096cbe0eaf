import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// Compresses the bodies of requests.
///
/// ```swift
/// manager.interceptors.append(.compressor(.zstd))
/// ```
///
/// It compresses bodies that the request holds as `Data`, in its `httpBody`. Files, streams, forms and the data of
/// uploads are sent as they are. So is a body that would not become smaller. Servers have to know the coding: there is
/// no negotiation for requests, and one that does not know it answers 415 or misreads the body.
///
/// Each attempt compresses the body again. Put adapters that sign the body, or set a digest of it, behind this one.
public struct RequestCompressor: RequestInterceptor {
    /// A content coding for requests.
    public enum Coding: String, Sendable, CaseIterable {
        /// The coding that most servers know.
        case gzip
        /// zlib's format, as ``DeflateRequestCompressor`` uses it.
        case deflate
        /// The fastest, and often the smallest.
        case zstd
    }

    /// What happens to a request that has a `Content-Encoding` already.
    public enum DuplicateHeaderBehavior: Sendable {
        /// Its attempt fails with ``DuplicateHeaderError``.
        case error
        /// The field is replaced, or removed if the body is sent as it is.
        case replace
        /// The request is sent as it is.
        case skip
    }

    /// The request has a `Content-Encoding` already.
    public struct DuplicateHeaderError: Error, Sendable, CustomStringConvertible {
        /// What happened, and what to do.
        public var description: String {
            "the request has a Content-Encoding already; leave it out, or make the compressor with "
                + "duplicateHeaderBehavior: .replace or .skip"
        }
    }

    /// The coding.
    public let coding: Coding
    /// What happens to a request that has a `Content-Encoding` already.
    public let duplicateHeaderBehavior: DuplicateHeaderBehavior
    /// Returns whether a body is compressed; see
    /// ``init(coding:duplicateHeaderBehavior:shouldCompressBodyData:)``.
    public let shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool

    /// Creates a compressor.
    ///
    /// - Parameters:
    ///   - coding: The coding. The default is gzip.
    ///   - duplicateHeaderBehavior: What happens to a request that has a `Content-Encoding` already. The default is
    ///     an error.
    ///   - shouldCompressBodyData: Asked for each body. The default compresses all.
    public init(
        coding: Coding = .gzip,
        duplicateHeaderBehavior: DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) {
        self.coding = coding
        self.duplicateHeaderBehavior = duplicateHeaderBehavior
        self.shouldCompressBodyData = shouldCompressBodyData
    }

    /// Returns the request with a compressed body and its `Content-Encoding`, without a `Content-Length`.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - session: Not used.
    /// - Returns: The request to send.
    /// - Throws: ``DuplicateHeaderError``, or an error that says that there is no memory.
    public func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        guard let body = urlRequest.httpBody, shouldCompressBodyData(body) else {
            return urlRequest
        }
        if urlRequest.value(forHTTPHeaderField: Self.field) != nil {
            switch duplicateHeaderBehavior {
            case .error: throw DuplicateHeaderError()
            case .skip: return urlRequest
            case .replace: break
            }
        }
        var request = urlRequest
        guard let compressed = try coding.encoder.encoded(body) else {
            request.setValue(nil, forHTTPHeaderField: Self.field)
            return request
        }
        request.httpBody = compressed
        request.setValue(coding.rawValue, forHTTPHeaderField: Self.field)
        // It was of the body before.
        request.setValue(nil, forHTTPHeaderField: "Content-Length")
        return request
    }

    private static let field = "Content-Encoding"
}

extension RequestCompressor.Coding {
    fileprivate var encoder: ContentEncoder {
        switch self {
        case .gzip: .gzip
        case .deflate: .deflate
        case .zstd: .zstd
        }
    }
}

extension RequestAdapter where Self == RequestCompressor {
    /// Creates a compressor of request bodies; see ``RequestCompressor``.
    ///
    /// - Parameters:
    ///   - coding: The coding. The default is gzip.
    ///   - duplicateHeaderBehavior: What happens to a request that has a `Content-Encoding` already. The default is
    ///     an error.
    ///   - shouldCompressBodyData: Asked for each body. The default compresses all.
    /// - Returns: The compressor.
    public static func compressor(
        _ coding: RequestCompressor.Coding = .gzip,
        duplicateHeaderBehavior: RequestCompressor.DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) -> RequestCompressor {
        RequestCompressor(
            coding: coding, duplicateHeaderBehavior: duplicateHeaderBehavior,
            shouldCompressBodyData: shouldCompressBodyData)
    }
}
