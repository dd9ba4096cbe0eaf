public import Foundation
public import FoundationNetworking

/// Something that happened to a task.
///
/// Hooks, notifications and ``TaskEventMonitor``s are all driven by events. The events of one task come in
/// the order in which they were decided; <doc:LifeOfATask> shows that order.
public struct TaskEvent: Sendable {
    /// What happened.
    public let kind: Kind
    /// The task; one that goes on as a download is the download from then on.
    ///
    /// The event holds it, so a task that was never resumed is not let go before its events are.
    public let task: SessionTask
    /// The number of the attempt, from 1; 0 before the first.
    public let attempt: Int
    /// When it happened, by the configuration's clock.
    public let date: Date

    // Not indirect, which would take an allocation for each event, but for what is large and rare.
    /// What can happen to a task.
    @nonexhaustive
    public enum Kind: Sendable {
        /// The task was made.
        case created
        /// The task was resumed.
        case resumed
        /// The task was suspended.
        case suspended
        /// The task was told to cancel.
        case cancelled
        /// The task was resumed for the first time, and nothing is sent yet.
        ///
        /// The hook is ``SessionManager/willStart(_:)``.
        case started
        /// The request of an attempt was made, and adapted.
        case preparedRequest(URLRequest)
        /// An exchange began with a request: the attempt's, or one behind a redirect or a challenge.
        case sentRequest(URLRequest)
        /// Bytes of the request's body were sent.
        ///
        /// The hook is
        /// ``SessionManager/taskDidSendBodyData(_:bytesSent:totalBytesSent:totalBytesExpectedToSend:)``.
        case sentBodyData(count: Int64, total: Int64, expectedTotal: Int64)
        /// The stream of the request's body has to be made anew.
        ///
        /// The hook is ``SessionManager/taskNeedsNewBodyStream(_:)``.
        case needsNewBodyStream
        /// The head of a response came, also that of a redirect or a challenge.
        case receivedHead(ResponseHead)
        /// A redirect is to be followed by a request, unless the hook says otherwise.
        ///
        /// The hook is ``SessionManager/taskWillPerformHTTPRedirection(_:head:newRequest:)``.
        case willRedirect(ResponseHead, to: URLRequest)
        /// A credential, or the trust in a server, is asked for.
        ///
        /// The hook is ``SessionManager/didReceiveChallenge(_:challenge:)``.
        indirect case challenged(AuthenticationChallenge)
        /// A piece of the body came, of the response that a data task was made for.
        ///
        /// The hook is ``SessionManager/dataTaskDidReceiveData(_:data:)``.
        case receivedData(Data)
        /// A data task goes on as a download.
        ///
        /// The hook is ``SessionManager/dataTaskDidBecomeDownloadTask(_:downloadTask:)``.
        case becameDownload(from: DataTask)
        /// The server goes on with a download behind what an earlier one left.
        ///
        /// The hook is ``SessionManager/downloadTaskDidResume(_:fileOffset:expectedTotalBytes:)``.
        case resumedDownload(offset: Int64, expectedTotal: Int64)
        /// Bytes of a download were written to its file.
        ///
        /// The hook is
        /// ``SessionManager/downloadTaskDidWriteData(_:bytesWritten:totalBytesWritten:totalBytesExpectedToWrite:)``.
        case wroteData(count: Int64, total: Int64, expectedTotal: Int64)
        /// A validator of the task has judged a response; its error, if it refuses that.
        case validated(ResponseHead, BluebonnetError?)
        /// An attempt ended: with the response that is the task's, or with an error.
        case endedAttempt(BluebonnetError?)
        /// Another attempt begins after so many seconds; the failure of the one before.
        case willRetry(after: TimeInterval, BluebonnetError)
        /// The file of a download is complete, and about to be moved from there.
        ///
        /// The hook is ``SessionManager/downloadTaskDidFinishDownloading(_:location:)``.
        case finishedDownloading(URL)
        /// A download's file is at its destination.
        case movedFile(URL)
        /// A download's file could not be moved.
        case failedToMoveFile(FileFailure)
        /// What was measured of the task is complete; not told of a task that sent nothing.
        ///
        /// The hook is ``SessionManager/taskDidFinishCollectingMetrics(_:metrics:)``.
        indirect case collectedMetrics(TaskMetrics)
        /// The task completed, with an error or without.
        ///
        /// The hook is ``SessionManager/taskDidComplete(_:error:)``.
        case completed(BluebonnetError?)
        /// A handler's response was made, and is on its way: a ``Response``, and its error.
        indirect case serialized(any Sendable, BluebonnetError?)
        /// The handlers that were there when the task completed have returned.
        case delivered
    }

    /// Kinds of events.
    public struct Interests: OptionSet, Sendable, Hashable {
        /// A bit for each kind, which may be others in later versions.
        public let rawValue: UInt32

        /// Makes them of bits.
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
        /// Events of the kind ``Kind/receivedData(_:)``, each of which copies its piece.
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

        /// Every kind, also those of later versions.
        public static let all = Self(rawValue: .max)
    }
}

extension TaskEvent.Kind {
    /// The interest in events of this kind.
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
