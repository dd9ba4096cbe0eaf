import Foundation
import FoundationNetworking

/// The request of one exchange as it is sent: its attempts, its body, and the bytes sent so far.
///
/// Used only on the loop thread.
struct RequestSender {
    /// The minimum number of seconds between two reports of progress.
    private static let reportInterval: TimeInterval = 0.05

    private let method: String
    private let bodyLength: Int64?
    private let reportsProgress: Bool
    /// Whether the request may be sent again if it is unknown whether it has arrived.
    let isIdempotent: Bool
    /// The rest of the body to read, or nil if there is no body.
    var body: (any OutgoingBody)?
    /// The number of times that the request was about to be sent.
    private(set) var attemptCount = 0
    /// Whether the last attempt was sent and its end has not been recorded.
    private var isUnderWay = false
    /// Whether the server has refused each attempt that has ended, without processing it.
    private(set) var isUnprocessed = true
    /// The bytes of the body that libcurl has taken in this attempt.
    private(set) var sentBytes: Int64 = 0
    private var lastReport: MonotonicInstant?
    /// The bytes of the body that libcurl had sent at the last sample.
    private var sampledUpload: Int64 = 0

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

    /// Records how the last attempt ended, if that has not been recorded yet.
    mutating func noteEndOfAttempt(wasRefused: Bool) {
        if isUnderWay, !wasRefused { isUnprocessed = false }
        isUnderWay = false
    }

    /// Whether sending the request again cannot make the server process it twice with an effect.
    var maySendAgain: Bool { attemptCount == 0 || isIdempotent || isUnprocessed }

    /// Prepares for the attempt that was just counted, or throws if the request must not be sent
    /// again.
    ///
    /// libcurl would try five times with an HTTP/2 server that refuses every stream. Attempts on
    /// reused connections are not limited, because they can fail one after another if the server
    /// has closed all connections. But from the third attempt on, this throws if two connections
    /// were opened for the exchange.
    mutating func prepareAttempt(newConnectionCount: Int) throws(Exchange.Failure) {
        if attemptCount > 1 {
            guard attemptCount == 2 || newConnectionCount < 2 else { throw refusedAgain }
            // libcurl rewinds by itself only if it has sent some of the body that it had read.
            try rewind()
        }
        isUnderWay = true
    }

    /// Rewinds the body, or throws if the request must not be sent again.
    mutating func rewind() throws(Exchange.Failure) {
        // First, because a rewound body would be of no use.
        guard maySendAgain else { throw notSentAgain() }
        try body?.rewind()
        sentBytes = 0
        sampledUpload = 0
    }

    /// Returns the failure of a request that may have arrived and must not be sent twice.
    func notSentAgain(curlCode: Int32? = nil) -> Exchange.Failure {
        Exchange.Failure(
            .networkConnectionLost,
            message: """
                the connection was lost after the request was sent; \(method) is not idempotent, \
                so it was not sent again; add an Idempotency-Key if the server supports it
                """,
            curlCode: curlCode
        )
    }

    /// The failure of a request that was sent twice in vain.
    private var refusedAgain: Exchange.Failure {
        Exchange.Failure(
            .networkConnectionLost,
            message: isUnprocessed
                ? "the server refused the request twice; wait before you send it again"
                : """
                the request was sent twice, and each time the server refused it or the connection \
                was lost; wait before you send it again
                """
        )
    }

    /// Copies the next bytes of the body into a buffer.
    mutating func fill(_ place: UnsafeMutableRawBufferPointer) -> OutgoingBodyFill {
        guard let fill = body?.fill(place) else { return .bytes(0) }
        if case .bytes(let count) = fill { sentBytes += Int64(count) }
        return fill
    }

    /// Returns the number of sent bytes to report, after bytes were taken or at the body's end, or
    /// nil for none.
    mutating func progress(isAtEnd: Bool, at now: MonotonicInstant) -> Int64? {
        guard reportsProgress else { return nil }
        let isWhole = isAtEnd || sentBytes == bodyLength
        if !isWhole, let lastReport, now.seconds(since: lastReport) < Self.reportInterval {
            return nil
        }
        lastReport = now
        return sentBytes
    }

    /// Returns the number of sent bytes to report of a body that libcurl got whole, or nil for
    /// none.
    mutating func progressOfCopiedBody(uploadedCount: () -> Int64) -> Int64? {
        guard reportsProgress, sentBytes == 0 else { return nil }
        let count = uploadedCount()
        guard count > 0 else { return nil }
        sentBytes = count
        return count
    }

    /// Returns whether libcurl has sent more of the body since the last sample.
    mutating func hasSentMore(_ uploadedCount: Int64) -> Bool {
        defer { sampledUpload = uploadedCount }
        return uploadedCount != sampledUpload
    }

    /// Whether, at the last sample, libcurl still had some of the body to send.
    var isBodyLeaving: Bool { body != nil && sampledUpload != bodyLength }

    /// Whether libcurl has taken the whole body, or false if its length is unknown.
    var isBodyTaken: Bool { bodyLength.map { sentBytes == $0 } ?? false }
}
