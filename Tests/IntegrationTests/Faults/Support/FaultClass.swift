import Bluebonnet
import Foundation

/// The kind of an error, as far as a caller decides by it.
enum FaultClass: Sendable, Hashable {
    /// No usable response: `URLError.badServerResponse` and no limit.
    case badResponse
    case connectionLost
    /// A lost connection whose server has said that it did not process the request.
    case refused
    case cannotConnect
    case cannotFindHost
    case limit(Exchange.Failure.Limit)
    case timeout(Exchange.Failure.Timeout)
    case undecodable
    case handshake
    case certificate(Exchange.Failure.CertificateFault.Check)
    case clientCertificateRequired
    case clientCertificateRejected
    case proxyRefused(Int)
    case loginRefused
    /// The challenges of a server or proxy came to no end that anybody could log in by.
    case authentication
    case sessionInvalidated
    case requestBody
    case unreadableBody
    case file
    /// The transport itself could not go on: its loop, libcurl, or the system.
    case unknown
    case addressDenied
    case bodyUsedUp
    case redirect
    case invalidRequest
    case unacceptableStatus
    /// The error of an interceptor that could not adapt a request.
    case adaptation
    case badURL
    case securityPolicy
    case cancelled
    case other(String)

    init(_ error: BluebonnetError) {
        switch error {
        case .redirect: self = .redirect
        case .invalidRequest: self = .invalidRequest
        case .unacceptableStatus: self = .unacceptableStatus
        case .adaptation: self = .adaptation
        case .securityPolicy: self = .securityPolicy
        case .cancelled: self = .cancelled
        case .authentication: self = .authentication
        case .sessionInvalidated: self = .sessionInvalidated
        case .requestBody: self = .requestBody
        case .unreadableBody: self = .unreadableBody
        case .file: self = .file
        case .transport(let failure, _): self.init(failure)
        default: self = .other("\(error)")
        }
    }

    private init(_ failure: Exchange.Failure) {
        if let limit = failure.limit {
            self = .limit(limit)
        } else if let timeout = failure.timeout {
            self = .timeout(timeout)
        } else if let fault = failure.certificateFault {
            self = .certificate(fault.check)
        } else if failure.denial != nil {
            self = .addressDenied
        } else if let status = failure.proxyStatus {
            self = .proxyRefused(status)
        } else if failure.isUnprocessed {
            self = .refused
        } else {
            self = Self.codes[failure.code] ?? .other("\(failure.code) \(failure)")
        }
    }

    private static let codes: [URLError.Code: FaultClass] = [
        .badServerResponse: .badResponse, .networkConnectionLost: .connectionLost,
        .cannotConnectToHost: .cannotConnect, .cannotFindHost: .cannotFindHost,
        .cannotDecodeContentData: .undecodable, .secureConnectionFailed: .handshake,
        .clientCertificateRequired: .clientCertificateRequired,
        .clientCertificateRejected: .clientCertificateRejected,
        .userAuthenticationRequired: .loginRefused, .cancelled: .cancelled,
        .requestBodyStreamExhausted: .bodyUsedUp, .unknown: .unknown,
        .badURL: .badURL,
    ]

    /// How a caller recognizes it, for the table.
    var name: String {
        switch self {
        case .badResponse: "`.transport`, `badServerResponse`"
        case .connectionLost, .refused: "`.transport`, `networkConnectionLost`"
        case .cannotConnect: "`.transport`, `cannotConnectToHost`"
        case .cannotFindHost: "`.transport`, `cannotFindHost`"
        case .limit(let limit): "`.transport`, limit `\(limit.rawValue)`"
        case .timeout(let timeout): "`.transport`, timeout `\(timeout.rawValue)`"
        case .undecodable: "`.transport`, `cannotDecodeContentData`"
        case .handshake: "`.transport`, `secureConnectionFailed`"
        case .certificate(let check): "`.transport`, certificate `\(check.rawValue)`"
        case .clientCertificateRequired: "`.transport`, `clientCertificateRequired`"
        case .clientCertificateRejected: "`.transport`, `clientCertificateRejected`"
        case .proxyRefused(let status): "`.transport`, `proxyStatus` \(status)"
        case .loginRefused: "`.transport`, `userAuthenticationRequired`"
        case .authentication: "`.authentication`"
        case .sessionInvalidated: "`.sessionInvalidated`"
        case .requestBody: "`.requestBody`"
        case .unreadableBody: "`.unreadableBody`"
        case .file: "`.file`"
        case .unknown: "`.transport`, `unknown`"
        case .bodyUsedUp: "`.transport`, `requestBodyStreamExhausted`"
        case .addressDenied: "`.transport`, `addressDenial`"
        case .redirect: "`.redirect`"
        case .invalidRequest: "`.invalidRequest`"
        case .unacceptableStatus: "`.unacceptableStatus`"
        case .adaptation: "`.adaptation`"
        case .badURL: "`.transport`, `badURL`"
        case .securityPolicy: "`.securityPolicy`"
        case .cancelled: "`.cancelled`"
        case .other(let text): text
        }
    }

    var retry: RetrySafety {
        switch self {
        case .unacceptableStatus, .connectionLost, .badResponse, .undecodable, .timeout(.idle),
            .timeout(.head),
            .timeout(.whole), .unknown, .clientCertificateRejected, .clientCertificateRequired:
            .idempotent
        case .refused, .cannotConnect, .cannotFindHost, .handshake, .timeout(.connect),
            .timeout(.queue), .adaptation,
            .timeout(.challenge), .sessionInvalidated:
            .anyMethod
        default: .useless
        }
    }
}
