import CBluebonnet
import Foundation

// The outcome of an exchange that libcurl, a timeout, or a cancel has ended.
extension CurlTransfer {
    /// Records the outcome of an exchange that libcurl no longer needs, and returns false if
    /// decoding continues.
    func conclude(result: CURLcode?, failure given: Exchange.Failure?) -> Bool {
        if let handle, handle.hasBegun {
            end.metrics.collect(
                from: handle, for: exchange, request: request, connection: connection, times: times)
        }
        noteEndOfAttempt(with: result)
        let isResendable = result.map(isResendable) ?? false
        failure = failure ?? given
        let isAnswered =
            failure == nil && !response.hasHead && earlyResponse.take()?.replay(into: self) == true
        let isComplete =
            endsWithHead && response.hasHead || isAnswered || response.hasWholeChunks
            // The server ended the connection, and only the frames of another request could not be
            // sent.
            || result == CURLE_SEND_ERROR && response.isWholeInOpenStream
        if failure == nil, let result, result != CURLE_OK, !isComplete {
            failure =
                wasCutInTLS(result) ? .cutInTLS : FailureDiagnosis(result, of: self).failure
            failure?.isResendable = isResendable
        }
        if failure == nil, !response.hasHead {
            failure = .malformed(
                .head, "the connection ended before the response's head was complete")
        }
        // libcurl would have reported this if it had read the chunks in the same way.
        if failure == nil, response.lacksChunks { failure = .cutInChunks }
        if failure == nil, let body = response.body {
            if body.isBusy { return false }
            do throws(Exchange.Failure) { try body.finish() } catch { failure = error }
        }
        if let closure = connection.tlsClosure.take(), failure == nil, !closure.isOrderly {
            failure = .cutInTLS
        }
        if request.attemptCount > 0, request.isUnprocessed { failure?.isUnprocessed = true }
        end.metrics.complete(with: times, response)
        end.failure = failure
        end.wasSent = request.attemptCount > 0
        if failure == nil { report.trailers = response.trailers }
        report.end = Exchange.End(end)
        touch()
        return true
    }
}
