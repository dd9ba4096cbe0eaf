public import Foundation
public import FoundationNetworking

/// Compresses the bodies of requests with deflate, as Alamofire does.
///
/// It is equivalent to a ``RequestCompressor`` with the coding `.deflate`.
public struct DeflateRequestCompressor: RequestInterceptor {
    /// The treatment of a request that already has a `Content-Encoding` field.
    public typealias DuplicateHeaderBehavior = RequestCompressor.DuplicateHeaderBehavior
    /// The error for a request that already has a `Content-Encoding` field.
    public typealias DuplicateHeaderError = RequestCompressor.DuplicateHeaderError

    private let compressor: RequestCompressor

    /// The treatment of a request that already has a `Content-Encoding` field.
    public var duplicateHeaderBehavior: DuplicateHeaderBehavior {
        compressor.duplicateHeaderBehavior
    }
    /// A closure that returns whether to compress a body.
    public var shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool {
        compressor.shouldCompressBodyData
    }

    /// Creates a compressor.
    ///
    /// - Parameters:
    ///   - duplicateHeaderBehavior: The treatment of a request that already has a
    ///     `Content-Encoding` field. The default is an error.
    ///   - shouldCompressBodyData: Returns whether to compress a body. The default compresses all.
    public init(
        duplicateHeaderBehavior: DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) {
        compressor = RequestCompressor(
            coding: .deflate, duplicateHeaderBehavior: duplicateHeaderBehavior,
            shouldCompressBodyData: shouldCompressBodyData)
    }

    /// Returns the request with a body compressed with deflate.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - session: Not used.
    /// - Returns: The request to send.
    /// - Throws: ``DuplicateHeaderError``, or an error if the system is out of memory.
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
    ///   - duplicateHeaderBehavior: The treatment of a request that already has a
    ///     `Content-Encoding` field. The default is an error.
    ///   - shouldCompressBodyData: Returns whether to compress a body. The default compresses all.
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
