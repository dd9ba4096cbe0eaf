import Foundation
import FoundationNetworking

/// The request of one exchange on its way to libcurl: its attempts, its body, and what was sent of it.
///
/// It lives on the loop thread.
struct RequestSender {
    /// Seconds between two reports of progress.
    private static let reportInterval: TimeInterval = 0.05

    private let method: String
    private let bodyLength: Int64?
    private let reportsProgress: Bool
    /// Whether the request may be sent again when it is not known whether it arrived.
    let isIdempotent: Bool
    /// What is left to be read of the body; nil where there is none.
    var body: (any RequestBody)?
    /// How often the request was about to be sent.
    private(set) var attemptCount = 0
    /// Whether the last attempt was on a connection that may carry other requests.
    var isMultiplexed = false
    /// Bytes of the body that libcurl has taken in this attempt.
    private(set) var sentBytes: Int64 = 0
    private var lastReport: MonotonicInstant?
    private var uploadedAtLastLook: Int64 = 0

    init(of exchange: borrowing Exchange) {
        method = exchange.method
        bodyLength = exchange.body?.length
        reportsProgress = exchange.reportsSending
        isIdempotent = Exchange.isIdempotent(method: exchange.method, fields: exchange.fields)
    }

    /// Counts an attempt to send the request.
    mutating func countAttempt() {
        attemptCount += 1
    }

    /// Prepares for the attempt that was just counted; throws if the request must not be sent again.
    ///
    /// libcurl would try five times with a server of HTTP/2 that refuses every stream. On kept
    /// connections attempts may fail one after the other, because the server has closed them all, so
    /// those are not limited: the connections that were made for the exchange are.
    mutating func prepareAttempt(newConnectionCount: Int) throws(Exchange.Failure) {
        guard attemptCount > 1 else { return }
        guard attemptCount == 2 || newConnectionCount < 2 else { throw .refusedAgain }
        // libcurl goes back itself only if it has sent some of what it had read of the body.
        try rewind()
    }

    /// Goes back to the body's beginning; throws if the request must not be sent again.
    mutating func rewind() throws(Exchange.Failure) {
        // First, since another body would be no help then.
        guard attemptCount == 0 || isIdempotent else { throw notSentAgain() }
        try body?.rewind()
        sentBytes = 0
    }

    /// The failure of a request that may have arrived, and must not twice.
    func notSentAgain(curlCode: Int32? = nil) -> Exchange.Failure {
        let limit = """
            , or raise the number of requests after which the server ends a connection of HTTP/2, if it was \
            that
            """
        return Exchange.Failure(
            .networkConnectionLost,
            message: """
                the connection was lost after the request was sent; \(method) is not idempotent, \
                so it was not sent again; give it an Idempotency-Key if the server goes by that\
                \(isMultiplexed ? limit : "")
                """,
            curlCode: curlCode
        )
    }

    /// Puts the next bytes of the body into a place.
    mutating func fill(_ place: UnsafeMutableRawBufferPointer) -> RequestBodyFill {
        guard let fill = body?.fill(place) else { return .bytes(0) }
        if case .bytes(let count) = fill { sentBytes += Int64(count) }
        return fill
    }

    /// The number of bytes to report now, after some were taken or at the body's end; nil for none.
    mutating func progress(isAtEnd: Bool, at now: MonotonicInstant) -> Int64? {
        guard reportsProgress else { return nil }
        let isWhole = isAtEnd || sentBytes == bodyLength
        if !isWhole, let lastReport, now.seconds(since: lastReport) < Self.reportInterval {
            return nil
        }
        lastReport = now
        return sentBytes
    }

    /// The number of bytes to report of a body that libcurl was given whole; nil for none.
    mutating func progressOfCopiedBody(uploadedCount: () -> Int64) -> Int64? {
        guard reportsProgress, sentBytes == 0 else { return nil }
        let count = uploadedCount()
        guard count > 0 else { return nil }
        sentBytes = count
        return count
    }

    /// Whether libcurl has sent more of the body since the last look.
    mutating func hasSentMore(_ uploadedCount: Int64) -> Bool {
        defer { uploadedAtLastLook = uploadedCount }
        return uploadedCount != uploadedAtLastLook
    }

    /// Whether libcurl was given the whole body; false where its length is not known.
    var isBodyTaken: Bool { bodyLength.map { sentBytes == $0 } ?? false }
}

extension Exchange.Failure {
    fileprivate static let refusedAgain = Self(
        .networkConnectionLost,
        message: """
            the request was sent twice, and each time the server refused it or the connection was \
            lost; wait before you send it again
            """
    )
}
