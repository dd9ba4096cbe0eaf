import Bluebonnet

/// The validations of the chain, as validators of a task.
enum RequestValidation {
    /// Accepts the statuses 200 to 299 and the media types of the request's `Accept`.
    static let standard = ResponseValidator.head { head, request in
        try validate(head, statusCodes: .successStatusCodes)
        guard let accept = request?.value(forHTTPHeaderField: "Accept") else { return }
        try validate(head, contentTypes: accept.split(separator: ",").map(String.init))
    }

    /// Accepts the given status codes.
    static func statusCodes(_ acceptable: Set<Int>) -> ResponseValidator {
        .head { head, _ in try validate(head, statusCodes: acceptable) }
    }

    /// Accepts media types, which a closure returns for each response.
    static func contentTypes(_ acceptable: @escaping @Sendable () -> [String]) -> ResponseValidator
    {
        .head { head, _ in try validate(head, contentTypes: acceptable()) }
    }

    private static func validate(
        _ head: ResponseHead, statusCodes: Set<Int>
    ) throws(BluebonnetError) {
        guard !statusCodes.contains(head.statusCode) else { return }
        var context = BluebonnetError.Context(head: head)
        context.acceptableStatusCodes = statusCodes
        throw .unacceptableStatus(head.statusCode, context)
    }

    private static func validate(
        _ head: ResponseHead, contentTypes: [String]
    ) throws(BluebonnetError) {
        let acceptable = contentTypes.compactMap(Self.mediaType)
        let type = head.mimeType.flatMap(Self.mediaType)
        guard !acceptable.contains(where: { MediaTypePattern($0).accepts(type) }) else { return }
        throw .unacceptableContentType(
            head.mimeType, acceptable: Set(acceptable), BluebonnetError.Context(head: head))
    }

    /// Returns a media type without its parameters; nil if the text is not one (RFC 9110 section
    /// 8.3.1).
    private static func mediaType(_ text: String) -> String? {
        let type = text.prefix { $0 != ";" }.trimmed
        let halves = type.split(separator: "/", omittingEmptySubsequences: false)
        return halves.count == 2 && halves.allSatisfy { !$0.isEmpty } ? String(type) : nil
    }
}
