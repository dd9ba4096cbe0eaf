import Bluebonnet
import Foundation

/// What must come of a fault.
indirect enum FaultOutcome: Sendable {
    /// A response with this status and, unless it is nil, this body.
    case response(_ status: Int, body: String? = nil)
    /// An error of this kind; what had come of the body, unless it is nil, is in it.
    case failure(FaultClass, partial: String? = nil)
    /// One of these: it depends on what the kernel hands over first.
    case either(FaultOutcome, FaultOutcome)

    /// What a good answer is.
    static let good = FaultOutcome.response(200, body: "good")

    /// What is wrong with a response; nil for nothing.
    func objection(to response: Response<Data>) -> String? {
        switch self {
        case .response(let status, let body):
            if let error = response.error { return "failed: \(error)" }
            guard response.head?.statusCode == status else {
                return "has status \(response.head?.statusCode ?? 0)"
            }
            return Self.objection(to: response.value, body)
        case .failure(let kind, let partial):
            guard let error = response.error else {
                return "succeeded with \(response.head?.statusCode ?? 0), \(text(response.value))"
            }
            guard FaultClass(error) == kind else {
                return "is of another class, \(FaultClass(error).name): \(error)"
            }
            let isIdempotent = ["GET", "HEAD", "PUT"].contains(response.request?.httpMethod ?? "")
            if kind.retry == .anyMethod || isIdempotent, !error.isSafeToRetry {
                return "is not said to be safe to retry: \(error)"
            }
            if kind.retry == .idempotent, !isIdempotent, error.isSafeToRetry {
                return "is said to be safe to retry: \(error)"
            }
            return Self.objection(to: response.data, partial)
        case .either(let one, let other):
            guard let objection = one.objection(to: response) else { return nil }
            return other.objection(to: response).map { "\(objection), or \($0)" }
        }
    }

    /// Whether the idle timeout may be what ends it.
    var mayBeIdle: Bool {
        switch self {
        case .response: false
        case .failure(let kind, _): kind == .timeout(.idle)
        case .either(let one, let other): one.mayBeIdle || other.mayBeIdle
        }
    }

    private static func objection(to data: Data?, _ body: String?) -> String? {
        guard let body, data != Data(body.utf8) else { return nil }
        return
            "has another body: \(data.map { "\($0.prefix(80).count) of \($0.count) bytes" } ?? "none")"
    }

    private func text(_ data: Data?) -> String {
        String(decoding: (data ?? Data()).prefix(80), as: UTF8.self).debugDescription
    }

    /// The name of the kind of error, for the table.
    var className: String {
        switch self {
        case .response: "–"
        case .failure(let kind, _): kind.name
        case .either(let one, let other):
            one.className == other.className
                ? one.className : "\(one.className) or \(other.className)"
        }
    }

    /// Whether the request may be sent again.
    var retry: RetrySafety {
        switch self {
        case .response: .notNeeded
        case .failure(let kind, _): kind.retry
        case .either(.response, let other): other.retry
        case .either(let one, _): one.retry
        }
    }
}

/// Who may send a request again that has failed.
enum RetrySafety: String, Sendable {
    case notNeeded = "–"
    /// Nothing was sent or processed, so nothing can happen twice.
    case anyMethod = "yes"
    /// The server may have acted on it (RFC 9110 section 9.2.2).
    case idempotent = "if idempotent"
    /// It would come to the same.
    case useless = "no"
}
