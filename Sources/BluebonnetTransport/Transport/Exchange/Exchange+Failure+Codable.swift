import Foundation
import FoundationNetworking

extension Exchange.Failure: Codable {
    private enum CodingKeys: String, CodingKey {
        case code, message, curlCode, systemErrorNumber, needsNewBodyStream, isResendable
        case isUnprocessed, timeout, limit, malformedPart, proxyStatus, proxyFields, denial
        case certificateFault
    }

    /// Decodes a failure, which requires only the keys `code` and `message`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        guard let code = URLError.Code(rawValue: try values.decode(Int.self, forKey: .code)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .code,
                in: values,
                debugDescription: "the code is not a code of URLError"
            )
        }
        self.init(
            code,
            message: try values.decode(String.self, forKey: .message),
            curlCode: try values.decodeIfPresent(Int32.self, forKey: .curlCode),
            systemErrorNumber: try values.decodeIfPresent(Int32.self, forKey: .systemErrorNumber),
            timeout: try values.decodeIfPresent(Timeout.self, forKey: .timeout),
            limit: try values.decodeIfPresent(Limit.self, forKey: .limit),
            proxyStatus: try values.decodeIfPresent(Int.self, forKey: .proxyStatus)
        )
        needsNewBodyStream =
            try values.decodeIfPresent(Bool.self, forKey: .needsNewBodyStream) ?? false
        isResendable = try values.decodeIfPresent(Bool.self, forKey: .isResendable) ?? false
        isUnprocessed = try values.decodeIfPresent(Bool.self, forKey: .isUnprocessed) ?? false
        malformedPart = try values.decodeIfPresent(MalformedPart.self, forKey: .malformedPart)
        let proxyFields = try values.decodeIfPresent([EncodedField].self, forKey: .proxyFields)
        self.proxyFields = proxyFields?.map(\.field) ?? []
        denial = try values.decodeIfPresent(AddressGuard.Denial.self, forKey: .denial)
        certificateFault = try values.decodeIfPresent(
            CertificateFault.self, forKey: .certificateFault)
    }

    /// Encodes a key for each property that is neither nil nor an empty list, and
    /// `isUnprocessed` only if it is true.
    ///
    /// `code` is the number of the `URLError` code.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(code.rawValue, forKey: .code)
        try values.encode(message, forKey: .message)
        try values.encodeIfPresent(curlCode, forKey: .curlCode)
        try values.encodeIfPresent(systemErrorNumber, forKey: .systemErrorNumber)
        try values.encode(needsNewBodyStream, forKey: .needsNewBodyStream)
        try values.encode(isResendable, forKey: .isResendable)
        if isUnprocessed { try values.encode(true, forKey: .isUnprocessed) }
        try values.encodeIfPresent(timeout, forKey: .timeout)
        try values.encodeIfPresent(limit, forKey: .limit)
        try values.encodeIfPresent(malformedPart, forKey: .malformedPart)
        try values.encodeIfPresent(proxyStatus, forKey: .proxyStatus)
        if !proxyFields.isEmpty {
            try values.encode(proxyFields.map(EncodedField.init), forKey: .proxyFields)
        }
        try values.encodeIfPresent(denial, forKey: .denial)
        try values.encodeIfPresent(certificateFault, forKey: .certificateFault)
    }
}

/// A header field in its encoded form.
private struct EncodedField: Codable {
    let name: String
    let value: String

    init(_ field: Exchange.Field) { (name, value) = (field.name, field.value) }

    var field: Exchange.Field { Exchange.Field(name: name, value: value) }
}

extension Exchange.Failure.CertificateFault: Codable {
    private enum CodingKeys: String, CodingKey {
        case check, host, presentedChain
    }

    /// Decodes a fault that leads to no challenge.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let chain = try values.decodeIfPresent([String].self, forKey: .presentedChain) ?? []
        self.init(
            check: try values.decode(Check.self, forKey: .check),
            host: try values.decode(String.self, forKey: .host),
            presentedChain: try chain.map { text in
                guard let certificate = Data(base64Encoded: text) else {
                    throw DecodingError.dataCorruptedError(
                        forKey: .presentedChain,
                        in: values,
                        debugDescription: "a certificate is not valid base64"
                    )
                }
                return certificate
            }
        )
    }

    /// Encodes the check's name, the host, and the certificates in base64.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(check, forKey: .check)
        try values.encode(host, forKey: .host)
        // As text, so that the form does not depend on the encoder's strategy for data.
        try values.encode(presentedChain.map { $0.base64EncodedString() }, forKey: .presentedChain)
    }
}
