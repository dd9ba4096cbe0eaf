import CBluebonnet
import Foundation
import FoundationNetworking

// What libcurl takes of the request.
extension CurlTransfer {
    /// Counts the times that the request goes out; false when it must not go out again.
    func mayBeSent() -> Bool {
        attempts += 1
        noteConnection()
        guard attempts > 1 else { return true }
        guard mayBeTriedAgain else {
            failure = .refusedAgain
            return false
        }
        // libcurl only goes back itself if it sent any of what it had read of the body.
        return rewindBody()
    }

    /// Whether no attempt has failed on a new connection after another had failed.
    ///
    /// libcurl would try five times with a server of HTTP/2 that refuses every stream. On kept
    /// connections attempts may fail one after the other, because the server closes them all.
    private var mayBeTriedAgain: Bool {
        attempts <= 2 || handle?.number(CURLINFO_NUM_CONNECTS) ?? 0 < 2
    }

    /// Whether the method may be sent again when nobody knows whether it arrived (RFC 9110 section
    /// 9.2.2).
    var isIdempotent: Bool { idempotentMethods.contains(exchange.method) }

    func provideBody(_ place: UnsafeMutableRawBufferPointer) -> Int {
        guard !isSuspended else { return pauseSending() }
        switch requestBody?.fill(place) {
        case nil: return 0
        case .later?: return pauseSending()
        case .failed(let failure)?:
            self.failure = self.failure ?? failure
            return Int(CURL_READFUNC_ABORT)
        case .bytes(let count)?:
            if sentBytes == 0 { loop.isSending(self) }
            lastActivity = loop.now
            sentBytes += Int64(count)
            reportSending(isWhole: count == 0)
            return count
        }
    }

    private func pauseSending() -> Int {
        pausedDirections |= CURLPAUSE_SEND
        return Int(CURL_READFUNC_PAUSE)
    }

    /// Goes back to the body's beginning, to send the request again; false when it must not be.
    ///
    /// Where that is because of the method, another body would be no help.
    func rewindBody() -> Bool {
        do throws(Exchange.Failure) {
            guard attempts == 0 || isIdempotent else { throw .notSentAgain(exchange.method) }
            try requestBody?.rewind()
            sentBytes = 0
            return true
        } catch {
            failure = failure ?? error
            return false
        }
    }

    /// Tells the sink how much was sent, now and then and at the end.
    private func reportSending(isWhole: Bool) {
        guard exchange.reportsSending else { return }
        let isWhole = isWhole || sentBytes == exchange.body?.length
        if !isWhole, let last = lastSendingReport, loop.now.seconds(since: last) < 0.05 { return }
        lastSendingReport = loop.now
        report.sentBodyBytes = sentBytes
        touch()
    }

    /// A small body in memory was sent by libcurl without asking for it.
    func noteCopiedBodySent() {
        guard exchange.reportsSending, sentBytes == 0, let handle else { return }
        let sent = handle.offset(CURLINFO_SIZE_UPLOAD_T)
        guard sent > 0 else { return }
        sentBytes = sent
        report.sentBodyBytes = sent
    }
}

/// Methods whose request may arrive twice and does no more than once (RFC 9110 section 9.2.2).
private let idempotentMethods: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

extension Exchange.Failure {
    fileprivate static func notSentAgain(_ method: String) -> Self {
        Self(
            .networkConnectionLost,
            message: """
                the connection was lost after the request was sent; \(method) is not idempotent, \
                so it was not sent again
                """
        )
    }

    fileprivate static let refusedAgain = Self(
        .networkConnectionLost,
        message: """
            the request was sent twice, and each time the server refused it or the connection was \
            lost; wait before you send it again
            """
    )
}
