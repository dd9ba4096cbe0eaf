import BluebonnetTransport
import FoundationNetworking

/// What an attempt needs to know about its task before its request is made.
struct Preparation {
    let attempt: Int
    let manager: SessionManager?
    /// The interceptors that were added to the task.
    let addedInterceptors: TaskInterceptors?
    let upload: UploadBody?
    /// The closure that creates the streams of the request's body for later attempts.
    let bodyFactory: BodyStreamFactory?
    /// The file of a download, whose missing bytes are requested.
    let download: KnownDownload?
    /// The context in which interceptors and sequences run; nil for tasks that have neither.
    var context: CallerContext?

    /// The request of an attempt, and its body.
    struct Result {
        let request: URLRequest
        /// The request as it was made, without the range of a partial file.
        let madeRequest: URLRequest
        /// Whether the attempt begins with this request; with interceptors, it began before.
        let beginsAttempt: Bool
        var body: Exchange.Body?
        /// The object in which the body's source records why it could not be read; nil if the
        /// request's own data is sent.
        var bodyFault: BodyFault?
    }
}

extension TaskState {
    func preparation(ofAttempt number: Int) -> Preparation {
        guard !isRareInitial else {
            return Preparation(
                attempt: number, manager: held?.manager, addedInterceptors: nil, upload: upload,
                bodyFactory: nil, download: nil, context: held?.context)
        }
        return Preparation(
            attempt: number, manager: held?.manager, addedInterceptors: rare.addedInterceptors,
            upload: upload, bodyFactory: rare.bodyFactory,
            download: rare.download.map(KnownDownload.init), context: held?.context)
    }
}
