import CBluebonnet
import Foundation

// What became of an exchange, once libcurl, a timeout or a cancel has ended it.
extension CurlTransfer {
    /// Notes that the exchange is over as far as libcurl is concerned; false while decoding goes on.
    func conclude(result: CURLcode?, failure given: Exchange.Failure?) -> Bool {
        if let handle, handle.hasBegun {
            end.metrics.collect(
                from: handle, for: exchange, request: request, connection: connection, times: times)
        }
        let isResendable = result.map(isResendable) ?? false
        failure = failure ?? given
        let isAnswered =
            failure == nil && !response.hasHead && earlyResponse.take()?.replay(into: self) == true
        let isComplete =
            endsWithHead && response.hasHead || isAnswered || response.hasWholeChunks
            // The frames of another request could not be sent, on a connection that the server has ended.
            || result == CURLE_SEND_ERROR && response.isWholeInOpenStream
        if failure == nil, let result, result != CURLE_OK, !isComplete {
            failure =
                wasCutInTLS(result) ? .cutInTLS : FailureDiagnosis(result, of: self).failure
            failure?.isResendable = isResendable
        }
        if failure == nil, !response.hasHead {
            failure = .malformed(
                .head, "the connection ended before the response's head was whole")
        }
        // libcurl would have said so, if it saw the same.
        if failure == nil, response.lacksChunks { failure = .cutInChunks }
        if failure == nil, let body = response.body {
            if body.isBusy { return false }
            do throws(Exchange.Failure) { try body.finish() } catch { failure = error }
        }
        if let closure = connection.tlsClosure.take(), failure == nil, !closure.isOrderly {
            failure = .cutInTLS
        }
        end.metrics.complete(with: times, response)
        end.failure = failure
        end.wasSent = request.attemptCount > 0
        if failure == nil { report.trailers = response.trailers }
        report.end = Exchange.End(end)
        touch()
        return true
    }
}
