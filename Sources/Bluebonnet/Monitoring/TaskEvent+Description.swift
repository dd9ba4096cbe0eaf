import Foundation

extension TaskEvent: CustomStringConvertible, CustomReflectable {
    /// The task and the event in one line, without values that can be secret.
    public var description: String { "\(task): \(kind)" }

    /// Returns the description, with other words for an error.
    func text(of error: (BluebonnetError) -> String) -> String {
        "\(task): \(kind.text(of: error))"
    }

    /// A mirror with only the description, because requests and responses contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TaskEvent.Kind: CustomStringConvertible, CustomReflectable {
    /// The name of the case, and those of its values that can be shown.
    public var description: String { text { "\($0)" } }

    fileprivate func text(of error: (BluebonnetError) -> String) -> String {
        func text(_ failure: BluebonnetError?) -> String { failure.map { ": \(error($0))" } ?? "" }
        return switch self {
        case .created: "created"
        case .resumed: "resumed"
        case .suspended: "suspended"
        case .cancelled: "cancelled"
        case .started: "started"
        case .preparedRequest(let request): "preparedRequest \(request.summary)"
        case .sentRequest(let request): "sentRequest \(request.summary)"
        case .sentBodyData(_, let total, let expected): "sentBodyData \(total) of \(expected)"
        case .needsNewBodyStream: "needsNewBodyStream"
        case .receivedHead(let head): "receivedHead \(head.statusCode)"
        case .willRedirect(let head, let request):
            "willRedirect \(head.statusCode) to \(request.summary)"
        case .challenged(let challenge): "challenged \(challenge.scheme.name)"
        case .receivedData(let data): "receivedData \(data.count)"
        case .becameDownload: "becameDownload"
        case .resumedDownload(let offset, let expected):
            "resumedDownload \(offset) of \(expected)"
        case .wroteData(_, let total, let expected): "wroteData \(total) of \(expected)"
        case .willCacheResponse(let response): "willCacheResponse \(response.statusCode)"
        case .validated(let head, let failure): "validated \(head.statusCode)" + text(failure)
        case .endedAttempt(let attempt): "endedAttempt" + text(attempt.error)
        case .willRetry(let seconds, let failure): "willRetry after \(seconds) s" + text(failure)
        case .finishedDownloading: "finishedDownloading"
        case .movedFile: "movedFile"
        case .failedToMoveFile(let failure): "failedToMoveFile: \(failure)"
        case .collectedMetrics(let metrics):
            "collectedMetrics of \(metrics.exchanges.count) exchanges"
        case .completed(let failure): "completed" + text(failure)
        case .serialized(_, let failure): "serialized" + text(failure)
        case .delivered: "delivered"
        }
    }

    /// A mirror with only the description, because requests and responses contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
