import CBluebonnet
import Foundation
import FoundationNetworking
import Glibc

// What became of an exchange, once libcurl or somebody else has ended it.
extension CurlTransfer {
    /// Notes that the exchange is over as far as libcurl is concerned; false while decoding goes on.
    func conclude(result: CURLcode?, failure given: Exchange.Failure?) -> Bool {
        collectMetrics()
        failure = failure ?? given
        let isAnswered =
            failure == nil && !hasHead && earlyResponse != nil && takesEarlyResponse()
        let isComplete = endsWithHead && hasHead || isAnswered
        if failure == nil, let result, result != CURLE_OK, !isComplete {
            failure = libcurlFailure(result)
        }
        if failure == nil, !hasHead {
            failure = .malformed("the connection ended before the response's head was whole")
        }
        if failure == nil, let body {
            if body.isBusy { return false }
            do throws(Exchange.Failure) { try body.finish() } catch { failure = error }
        }
        if let tlsClosure {
            if failure == nil, !tlsClosure.isOrderly { failure = .cutInTLS }
            self.tlsClosure = nil
        }
        measure()
        end.failure = failure
        report.end = Exchange.End(end)
        touch()
        return true
    }

    private func libcurlFailure(_ result: CURLcode) -> Exchange.Failure {
        if let denial, !hadOtherAddress { return denial.failure }
        var failure =
            socketFailure(result) ?? failureOnTheWay(result) ?? certificateFailure(result)
            ?? failureAsReported(result)
        if let denial { failure.message += "; besides, \(denial)" }
        return failure
    }

    /// That the process may have no more sockets, which libcurl does not tell.
    private func socketFailure(_ result: CURLcode) -> Exchange.Failure? {
        let isOutOfSockets = [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(socketErrorNumber)
        guard isOutOfSockets, result == CURLE_COULDNT_CONNECT else { return nil }
        return Exchange.Failure(
            .cannotConnectToHost,
            message: """
                no socket could be opened: \(String(cString: strerror(socketErrorNumber))); raise the \
                process's limit of open files, or lower the number of connections
                """,
            curlCode: Int32(result.rawValue),
            systemErrorNumber: socketErrorNumber
        )
    }

    /// What libcurl says itself.
    private func failureAsReported(_ result: CURLcode) -> Exchange.Failure {
        Exchange.Failure(
            result: result,
            detail: handle?.errorText ?? "",
            systemErrorNumber: Int32(truncatingIfNeeded: handle?.number(CURLINFO_OS_ERRNO) ?? 0),
            isHeadAwaited: attempts > 0 && !hasHead
        )
    }
}
