public import Foundation
public import FoundationNetworking

/// Compresses the bodies of requests with deflate, as Alamofire does (A-I13).
///
/// It is a ``RequestCompressor`` with the coding `.deflate`.
public struct DeflateRequestCompressor: RequestInterceptor {
    /// What happens to a request that has a `Content-Encoding` already.
    public typealias DuplicateHeaderBehavior = RequestCompressor.DuplicateHeaderBehavior
    /// The request has a `Content-Encoding` already.
    public typealias DuplicateHeaderError = RequestCompressor.DuplicateHeaderError

    private let compressor: RequestCompressor

    /// What happens to a request that has a `Content-Encoding` already.
    public var duplicateHeaderBehavior: DuplicateHeaderBehavior {
        compressor.duplicateHeaderBehavior
    }
    /// Returns whether a body is compressed.
    public var shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool {
        compressor.shouldCompressBodyData
    }

    /// Creates a compressor.
    ///
    /// - Parameters:
    ///   - duplicateHeaderBehavior: What happens to a request that has a `Content-Encoding` already. The default is
    ///     an error.
    ///   - shouldCompressBodyData: Asked for each body. The default compresses all.
    public init(
        duplicateHeaderBehavior: DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) {
        compressor = RequestCompressor(
            coding: .deflate, duplicateHeaderBehavior: duplicateHeaderBehavior,
            shouldCompressBodyData: shouldCompressBodyData)
    }

    /// Returns what a ``RequestCompressor`` with deflate returns.
    public func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        try await compressor.adapt(urlRequest, for: session)
    }
}

extension RequestAdapter where Self == DeflateRequestCompressor {
    /// A compressor of request bodies with deflate.
    public static var deflateCompressor: DeflateRequestCompressor { DeflateRequestCompressor() }

    /// A compressor of request bodies with deflate; see
    /// ``DeflateRequestCompressor/init(duplicateHeaderBehavior:shouldCompressBodyData:)``.
    public static func deflateCompressor(
        duplicateHeaderBehavior: DeflateRequestCompressor.DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) -> DeflateRequestCompressor {
        DeflateRequestCompressor(
            duplicateHeaderBehavior: duplicateHeaderBehavior,
            shouldCompressBodyData: shouldCompressBodyData)
    }
}
