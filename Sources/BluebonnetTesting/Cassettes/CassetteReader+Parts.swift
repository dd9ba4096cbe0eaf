import Bluebonnet

extension CassetteReader {
    static func fields(
        _ object: inout CassetteObject, _ key: String
    ) throws(Fault) -> [Exchange.Field] {
        var fields: [Exchange.Field] = []
        for value in try object.list(key) ?? [] { fields.append(try field(value, key)) }
        return fields
    }

    private static func field(_ value: JSONValue, _ key: String) throws(Fault) -> Exchange.Field {
        guard let text = value.text else {
            throw value.fault("an element of \"\(key)\" is \(value.kind), but must be a string")
        }
        guard let colon = text.firstIndex(of: ":") else {
            throw value.fault("a header field has no colon; write it as \"Name: value\"")
        }
        let name = String(text[..<colon])
        guard name.isToken else {
            throw value.fault("the text before the colon is not a valid header field name")
        }
        let content = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        guard content.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw value.fault("the header field \(name) has a control character in its value")
        }
        return Exchange.Field(name: name, value: content)
    }

    static func failure(_ value: JSONValue) throws(Fault) -> Exchange.Failure {
        var object = try CassetteObject(value, "a failure")
        let proxyFields = try fields(&object, "proxyHeaders")
        let data = Data(object.rest.compactText.utf8)
        for key in failureKeys { _ = object.take(key) }
        try object.finish()
        do {
            var failure = try JSONDecoder().decode(Exchange.Failure.self, from: data)
            failure.proxyFields = proxyFields
            return failure
        } catch {
            throw value.fault(
                "a failure cannot be read: \((error as? DecodingError)?.reason ?? "\(error)")")
        }
    }

    /// The keys that `Exchange.Failure` encodes, except `proxyFields`.
    private static let failureKeys = [
        "code", "message", "curlCode", "systemErrorNumber", "needsNewBodyStream", "isResendable",
        "isUnprocessed", "timeout", "limit", "malformedPart", "proxyStatus", "denial",
        "certificateFault",
    ]
}

extension DecodingError {
    /// The problem, with the path of keys that leads to it.
    fileprivate var reason: String {
        let context: Context
        switch self {
        case .keyNotFound(let key, _): return "it has no \"\(key.stringValue)\""
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
            context = found
        @unknown default: return "\(self)"
        }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\"\(path)\": \(context.debugDescription)"
    }
}

extension String {
    /// Whether the string can be a method or the name of a field (RFC 9110 section 5.6.2).
    var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}
