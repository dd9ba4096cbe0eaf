import BluebonnetTransport
import Foundation
import FoundationNetworking

extension TaskRun {
    /// An event in the life of a task, other than a report and what its head turns out to be.
    enum Event {
        // From the caller, on any thread.
        case resume
        case suspend
        case cancel(CancellationCause? = nil)

        // From the callback queue, or from the thread that resumes the task for the first time.
        /// Adapters are preparing the request of an attempt, or another task answers it, and the
        /// result arrives later.
        case adapting
        case prepared(Preparation.Result)
        /// The outcome of another task is also the outcome of this task.
        indirect case answered(TaskOutcome)
        case made(any Transfer, of: URLRequest)

        /// The transport has not reported the end of a canceled exchange in time.
        case endIsMissing(ofExchange: Int)
        /// The time for a body that is not delivered is over.
        case bodyIsLate(ofExchange: Int)
        /// The file of the response has reported something.
        case file(FileEvent, ofExchange: Int)
        /// The file cannot be reopened, so the whole body is requested; by another attempt if there
        /// is no request.
        case restart(URLRequest?)

        /// Another request of the same attempt follows.
        case follow(URLRequest)
        /// No request follows a redirect or a challenge, or the handler allows the response.
        case keepResponse
        case failed(BluebonnetError)
        /// The attempt cannot continue, and is repeated without asking the retriers.
        case startOver(BluebonnetError)
        /// The whole body is in its file, or could not be written.
        case completed(Result<DownloadFile.Whole, FileFailure>, ofExchange: Int)
        case judged(Judged)

        case retry(after: Duration)
        /// No other attempt follows: the task keeps the outcome of this one, or ends with an error.
        case giveUp(BluebonnetError?)
        /// The partial file of the last attempt was kept or removed.
        case kept(Result<PartialFile, FileFailure>?)
        /// The delay before the next attempt is over.
        case due
        /// The deadline of the task has passed, so no retrier is asked.
        case expired(BluebonnetError)
        /// A cancel or the deadline has reached the callback queue while no exchange was in
        /// progress.
        case stopped

        /// The file is about to be moved to its destination, if it has one.
        case commit(to: URL?)
        /// The file of a download was moved, kept or removed; the value is the error if that
        /// failed.
        case settled(BluebonnetError?)
    }

    /// What the judges make of a response.
    enum Judged {
        case accepted
        case refused(BluebonnetError)
        /// Acceptable, but retriers are asked about its status code.
        case doubted(BluebonnetError)
    }

    /// The next step of a task.
    enum Step: ~Copyable {
        case nothing
        case prepare(attempt: Int)
        case send(URLRequest)
        /// Finds out what a head is; the rest of its report waits.
        case find(rest: Arrival.Rest)
        case ask(Reception.Question)
        /// Decides what follows the failure of an exchange.
        case decide(Exchange.Failure)
        case complete(DownloadFile)
        case judge
        case askRetriers(Doubted)
        /// Keeps the partial file for the next attempt, or removes it.
        case keep(DownloadFile, isUsable: Bool)
        case wait(Duration)
        case settle(Outcome)
        case move(DownloadFile, to: URL)
        case finish(Outcome)
    }
}
