import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// Compresses the bodies of requests.
///
/// ```swift
/// manager.interceptors.append(.compressor(.zstd))
/// ```
///
/// Only a body that the request holds as `Data` in its `httpBody` is compressed. Files, streams,
/// forms and the data of uploads are sent unchanged, and so is a body that compression does not
/// shrink. The server must support the coding, because HTTP has no negotiation for requests. A
/// server that does not support it responds with 415 or misreads the body.
///
/// Each attempt compresses the body again. Place adapters that sign or hash the body after this
/// one.
public struct RequestCompressor: RequestInterceptor {
    /// A content coding for requests.
    public enum Coding: String, Sendable, CaseIterable {
        /// The most widely supported coding.
        case gzip
        /// The zlib format, as in ``DeflateRequestCompressor``.
        case deflate
        /// The fastest coding, and often the one with the smallest result.
        case zstd
    }

    /// The treatment of a request that already has a `Content-Encoding` field.
    public enum DuplicateHeaderBehavior: Sendable {
        /// The attempt fails with ``DuplicateHeaderError``.
        case error
        /// The field is replaced, or removed if the body is sent uncompressed.
        case replace
        /// The request is sent unchanged.
        case skip
    }

    /// The error for a request that already has a `Content-Encoding` field.
    public struct DuplicateHeaderError: Error, Sendable, CustomStringConvertible {
        /// A description of what happened and what to do about it.
        public var description: String {
            "the request already has a Content-Encoding; remove it, or create the compressor with "
                + "duplicateHeaderBehavior: .replace or .skip"
        }
    }

    /// The content coding.
    public let coding: Coding
    /// The treatment of a request that already has a `Content-Encoding` field.
    public let duplicateHeaderBehavior: DuplicateHeaderBehavior
    /// A closure that returns whether to compress a body.
    public let shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool

    /// Creates a compressor.
    ///
    /// - Parameters:
    ///   - coding: The content coding. The default is gzip.
    ///   - duplicateHeaderBehavior: The treatment of a request that already has a
    ///     `Content-Encoding` field. The default is an error.
    ///   - shouldCompressBodyData: Returns whether to compress a body. The default compresses all.
    public init(
        coding: Coding = .gzip,
        duplicateHeaderBehavior: DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) {
        self.coding = coding
        self.duplicateHeaderBehavior = duplicateHeaderBehavior
        self.shouldCompressBodyData = shouldCompressBodyData
    }

    /// Returns the request with a compressed body and a `Content-Encoding`, without
    /// `Content-Length`.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - session: Not used.
    /// - Returns: The request to send.
    /// - Throws: ``DuplicateHeaderError``, or an error if the system is out of memory.
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
            request.setField(Self.field, to: nil)
            return request
        }
        request.httpBody = compressed
        request.setField(Self.field, to: coding.rawValue)
        // The length was that of the uncompressed body.
        request.setField("Content-Length", to: nil)
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
    /// Creates a compressor of request bodies.
    ///
    /// - Parameters:
    ///   - coding: The content coding. The default is gzip.
    ///   - duplicateHeaderBehavior: The treatment of a request that already has a
    ///     `Content-Encoding` field. The default is an error.
    ///   - shouldCompressBodyData: Returns whether to compress a body. The default compresses all.
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
