import Foundation

/// A serializer's options from Alamofire's initializers, apart from those of its format.
///
/// A class, so that a serializer without options stores only nil.
package final class BodyOptions: Sendable {
    let preprocessor: (any DataPreprocessor)?
    let emptyResponseCodes: Set<Int>
    let emptyRequestMethods: Set<HTTPMethod>

    /// Creates options, or returns nil if all of them have their defaults.
    package init?(
        _ preprocessor: any DataPreprocessor,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods
    ) {
        let changesNothing = preprocessor is PassthroughPreprocessor
        if changesNothing, emptyResponseCodes == .emptyResponseStatusCodes,
            emptyRequestMethods == .emptyResponseMethods
        {
            return nil
        }
        self.preprocessor = changesNothing ? nil : preprocessor
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }
}

extension BodyOptions? {
    /// Returns the bytes to serialize for a body that is not empty.
    package func preprocessed(_ data: Data) throws -> Data {
        guard let preprocessor = self?.preprocessor else { return data }
        return try preprocessor.preprocess(data)
    }

    /// Whether the response is allowed to have no body, by HTTP or by the options.
    package func allowsEmptyBody(_ head: ResponseHead?) -> Bool {
        guard let head else { return false }
        if head.cannotHaveBody { return true }
        guard let options = self else { return false }
        return options.emptyResponseCodes.contains(head.statusCode)
            || options.emptyRequestMethods.contains(HTTPMethod(rawValue: head.requestMethod))
    }
}

extension Set<Int> {
    /// The status codes 204 and 205, which have no body (RFC 9110 sections 15.3.5 and 15.3.6).
    public static let emptyResponseStatusCodes: Set = [204, 205]
}

extension Set<HTTPMethod> {
    /// The method HEAD, whose responses have no body (RFC 9110 section 9.3.2).
    public static let emptyResponseMethods: Set = [.head]
}
