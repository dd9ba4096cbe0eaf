public import Foundation
public import FoundationNetworking

/// Compresses the bodies of requests with deflate, as Alamofire does.
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
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - session: Not used.
    /// - Returns: The request to send.
    /// - Throws: ``DuplicateHeaderError``, or an error that says that there is no memory.
    public func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        try await compressor.adapt(urlRequest, for: session)
    }
}

extension RequestAdapter where Self == DeflateRequestCompressor {
    /// A compressor of request bodies with deflate.
    public static var deflateCompressor: DeflateRequestCompressor { DeflateRequestCompressor() }

    /// Creates a compressor of request bodies with deflate.
    ///
    /// - Parameters:
    ///   - duplicateHeaderBehavior: What happens to a request that has a `Content-Encoding` already. The default is
    ///     an error.
    ///   - shouldCompressBodyData: Asked for each body. The default compresses all.
    /// - Returns: The compressor.
    public static func deflateCompressor(
        duplicateHeaderBehavior: DeflateRequestCompressor.DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) -> DeflateRequestCompressor {
        DeflateRequestCompressor(
            duplicateHeaderBehavior: duplicateHeaderBehavior,
            shouldCompressBodyData: shouldCompressBodyData)
    }
}
