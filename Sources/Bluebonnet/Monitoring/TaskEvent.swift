public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// An event in the life of a task.
///
/// Events drive hooks, notifications and ``TaskEventMonitor``s. The events of one task are
/// delivered in the order in which they were decided, which <doc:LifeOfATask> describes.
public struct TaskEvent: Sendable {
    /// The kind of event, with its values.
    public let kind: Kind
    /// The task that the event belongs to.
    ///
    /// After a task has become a download, this is the download task. The event retains the task,
    /// so a task that was never resumed is released only after its events.
    public let task: SessionTask
    /// The number of the attempt, from 1, or 0 before the first attempt.
    public let attempt: Int
    /// The date of the event, by the configuration's clock.
    public let date: Date
    /// Whether a validator of the attempt had judged before.
    package let isAfterValidation: Bool
    /// Whether the receiver also wants what concerns only exchanges.
    package var concernsExchange = true

    // Only large and rare cases are indirect, because that costs an allocation per event.
    /// The kinds of events.
    @nonexhaustive
    public enum Kind: Sendable {
        /// The task was created.
        case created
        /// The task was resumed.
        case resumed
        /// The task was suspended.
        case suspended
        /// Cancellation of the task was requested.
        case cancelled
        /// The task was resumed for the first time, and nothing has been sent yet.
        ///
        /// The hook is ``SessionManager/willStart(_:)``.
        case started
        /// The request of an attempt was created and adapted.
        case preparedRequest(URLRequest)
        /// An exchange began with the attempt's request, or with one after a redirect or a
        /// challenge.
        case sentRequest(URLRequest)
        /// Bytes of the request's body were sent.
        ///
        /// The hook is
        /// ``SessionManager/taskDidSendBodyData(_:bytesSent:totalBytesSent:totalBytesExpectedToSend:)``.
        case sentBodyData(count: Int64, total: Int64, expectedTotal: Int64)
        /// The stream of the request's body must be created again.
        ///
        /// The hook is ``SessionManager/taskNeedsNewBodyStream(_:)``.
        case needsNewBodyStream
        /// The head of a response was received, including that of a redirect or a challenge.
        case receivedHead(ResponseHead)
        /// A redirect is about to be followed, unless the hook decides otherwise.
        ///
        /// The hook is ``SessionManager/taskWillPerformHTTPRedirection(_:head:newRequest:)``.
        case willRedirect(ResponseHead, to: URLRequest)
        /// A challenge asks for a credential, or for a decision about whether to trust a server.
        ///
        /// The hook is ``SessionManager/didReceiveChallenge(_:challenge:)``.
        indirect case challenged(AuthenticationChallenge)
        /// A piece of the body of a data, upload or stream task's response was received.
        ///
        /// The hook is ``SessionManager/dataTaskDidReceiveData(_:data:)``.
        case receivedData(Data)
        /// A data task continues as a download.
        ///
        /// The hook is ``SessionManager/dataTaskDidBecomeDownloadTask(_:downloadTask:)``.
        case becameDownload(from: DataTask)
        /// The server resumed a download after the bytes that an earlier download left.
        ///
        /// The hook is ``SessionManager/downloadTaskDidResume(_:fileOffset:expectedTotalBytes:)``.
        case resumedDownload(offset: Int64, expectedTotal: Int64)
        /// Bytes of a download were written to its file.
        ///
        /// The hook is
        /// ``SessionManager/downloadTaskDidWriteData(_:bytesWritten:totalBytesWritten:totalBytesExpectedToWrite:)``.
        case wroteData(count: Int64, total: Int64, expectedTotal: Int64)
        /// A cache is about to store a response, unless the hook decides otherwise.
        ///
        /// The cache does not wait for the task: the event can follow any other, even ``delivered``.
        /// Without a hook, it is left out if the task has been released.
        ///
        /// The hook is ``SessionManager/dataTaskWillCacheResponse(_:proposedResponse:)``.
        indirect case willCacheResponse(CachedResponse)
        /// A validator of the task judged a response, with an error if it rejected the response.
        case validated(ResponseHead, BluebonnetError?)
        /// An attempt ended, with the task's response or with an error.
        case endedAttempt(AttemptSummary)
        /// An attempt failed with an error, and another begins after a delay in seconds.
        case willRetry(after: TimeInterval, BluebonnetError)
        /// The file of a download is complete, and is about to be moved from this location.
        ///
        /// The hook is ``SessionManager/downloadTaskDidFinishDownloading(_:location:)``.
        case finishedDownloading(URL)
        /// The file of a download was moved to its destination.
        case movedFile(URL)
        /// The file of a download could not be moved.
        case failedToMoveFile(FileFailure)
        /// The metrics of the task are complete, which does not occur for a task that sent nothing.
        ///
        /// The hook is ``SessionManager/taskDidFinishCollectingMetrics(_:metrics:)``.
        indirect case collectedMetrics(TaskMetrics)
        /// The task completed, successfully or with an error.
        ///
        /// The hook is ``SessionManager/taskDidComplete(_:error:)``.
        case completed(BluebonnetError?)
        /// A handler's ``Response`` was created, with its error, and is about to be delivered.
        indirect case serialized(any Sendable, BluebonnetError?)
        /// The handlers that existed when the task completed have returned.
        case delivered
    }

    /// A set of kinds of events.
    public struct Interests: OptionSet, Sendable, Hashable {
        /// The bits, one for each kind, which can change in later versions.
        public let rawValue: UInt32

        /// Creates a set from bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Events of the kind ``Kind/created``.
        public static let created = Self(rawValue: 1 << 0)
        /// Events of the kind ``Kind/resumed``.
        public static let resumed = Self(rawValue: 1 << 1)
        /// Events of the kind ``Kind/suspended``.
        public static let suspended = Self(rawValue: 1 << 2)
        /// Events of the kind ``Kind/cancelled``.
        public static let cancelled = Self(rawValue: 1 << 3)
        /// Events of the kind ``Kind/started``.
        public static let started = Self(rawValue: 1 << 4)
        /// Events of the kind ``Kind/preparedRequest(_:)``.
        public static let preparedRequest = Self(rawValue: 1 << 5)
        /// Events of the kind ``Kind/sentRequest(_:)``.
        public static let sentRequest = Self(rawValue: 1 << 6)
        /// Events of the kind ``Kind/sentBodyData(count:total:expectedTotal:)``.
        public static let sentBodyData = Self(rawValue: 1 << 7)
        /// Events of the kind ``Kind/needsNewBodyStream``.
        public static let needsNewBodyStream = Self(rawValue: 1 << 8)
        /// Events of the kind ``Kind/receivedHead(_:)``.
        public static let receivedHead = Self(rawValue: 1 << 9)
        /// Events of the kind ``Kind/willRedirect(_:to:)``.
        public static let willRedirect = Self(rawValue: 1 << 10)
        /// Events of the kind ``Kind/challenged(_:)``.
        public static let challenged = Self(rawValue: 1 << 11)
        /// Events of the kind ``Kind/receivedData(_:)``, each with a copy of its piece of data.
        public static let receivedData = Self(rawValue: 1 << 12)
        /// Events of the kind ``Kind/becameDownload(from:)``.
        public static let becameDownload = Self(rawValue: 1 << 13)
        /// Events of the kind ``Kind/resumedDownload(offset:expectedTotal:)``.
        public static let resumedDownload = Self(rawValue: 1 << 14)
        /// Events of the kind ``Kind/wroteData(count:total:expectedTotal:)``.
        public static let wroteData = Self(rawValue: 1 << 15)
        /// Events of the kind ``Kind/endedAttempt(_:)``.
        public static let endedAttempt = Self(rawValue: 1 << 16)
        /// Events of the kind ``Kind/finishedDownloading(_:)``.
        public static let finishedDownloading = Self(rawValue: 1 << 17)
        /// Events of the kind ``Kind/movedFile(_:)``.
        public static let movedFile = Self(rawValue: 1 << 18)
        /// Events of the kind ``Kind/failedToMoveFile(_:)``.
        public static let failedToMoveFile = Self(rawValue: 1 << 19)
        /// Events of the kind ``Kind/collectedMetrics(_:)``.
        public static let collectedMetrics = Self(rawValue: 1 << 20)
        /// Events of the kind ``Kind/completed(_:)``.
        public static let completed = Self(rawValue: 1 << 21)
        /// Events of the kind ``Kind/serialized(_:_:)``.
        public static let serialized = Self(rawValue: 1 << 22)
        /// Events of the kind ``Kind/delivered``.
        public static let delivered = Self(rawValue: 1 << 23)

        /// Events of the kind ``Kind/willRetry(after:_:)``.
        public static let willRetry = Self(rawValue: 1 << 24)

        /// Events of the kind ``Kind/validated(_:_:)``.
        public static let validated = Self(rawValue: 1 << 25)

        /// Events of the kind ``Kind/willCacheResponse(_:)``.
        public static let willCacheResponse = Self(rawValue: 1 << 26)

        /// Events of every kind, including those of later versions.
        public static let all = Self(rawValue: .max)
    }
}

extension TaskEvent.Kind {
    /// The set that contains only events of this kind.
    public var interest: TaskEvent.Interests {
        switch self {
        case .created: .created
        case .resumed: .resumed
        case .suspended: .suspended
        case .cancelled: .cancelled
        case .started: .started
        case .preparedRequest: .preparedRequest
        case .sentRequest: .sentRequest
        case .sentBodyData: .sentBodyData
        case .needsNewBodyStream: .needsNewBodyStream
        case .receivedHead: .receivedHead
        case .willRedirect: .willRedirect
        case .challenged: .challenged
        case .receivedData: .receivedData
        case .becameDownload: .becameDownload
        case .resumedDownload: .resumedDownload
        case .wroteData: .wroteData
        case .willCacheResponse: .willCacheResponse
        case .validated: .validated
        case .endedAttempt: .endedAttempt
        case .willRetry: .willRetry
        case .finishedDownloading: .finishedDownloading
        case .movedFile: .movedFile
        case .failedToMoveFile: .failedToMoveFile
        case .collectedMetrics: .collectedMetrics
        case .completed: .completed
        case .serialized: .serialized
        case .delivered: .delivered
        }
    }
}
