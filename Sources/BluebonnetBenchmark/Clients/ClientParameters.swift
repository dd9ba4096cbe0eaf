import Foundation
import FoundationNetworking

/// The parameters of a client process.
struct ClientParameters: Sendable {
    let work: BenchmarkCase.Work
    let url: URL
    let count: Int
    let concurrency: Int
    /// The case's extra argument, or an empty string if it needs none.
    ///
    /// It is the authorities to trust, the file to write or to send, the slow server's URL, or the
    /// time at which the process was started.
    let argument: String

    var authorities: URL? {
        url.scheme == "https" ? URL(fileURLWithPath: argument) : nil
    }

    var file: URL { URL(fileURLWithPath: argument) }

    /// The request of every case that repeats a single request.
    var request: URLRequest {
        var request = URLRequest(url: url)
        if case .post = work {
            request.httpMethod = "POST"
            request.httpBody = PostedDocument.data
            request.setValue(PostedDocument.contentType, forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    /// The number of connections that are open at a time, including those to other hosts.
    var connections: Int {
        switch work {
        case .hosts(let count): max(count, concurrency)
        // One more for the measured requests.
        case .amongHeld: concurrency + 1
        default: concurrency
        }
    }
}
