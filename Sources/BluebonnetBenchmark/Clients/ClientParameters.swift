import Foundation
import FoundationNetworking

/// What a client process is told to do.
struct ClientParameters: Sendable {
    let work: BenchmarkCase.Work
    let url: URL
    let count: Int
    let concurrency: Int
    /// The authorities to trust, the file to write or to send, the slow server's URL, or the time at
    /// which the process was started; empty where none is needed.
    let argument: String

    var authorities: URL? {
        url.scheme == "https" ? URL(fileURLWithPath: argument) : nil
    }

    var file: URL { URL(fileURLWithPath: argument) }

    /// The request of every case that has but one.
    var request: URLRequest {
        var request = URLRequest(url: url)
        if case .post = work {
            request.httpMethod = "POST"
            request.httpBody = PostedDocument.data
            request.setValue(PostedDocument.contentType, forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    /// Connections that are open at a time, those to other hosts included.
    var connections: Int {
        switch work {
        case .hosts(let count): max(count, concurrency)
        // One for the requests that are measured.
        case .amongHeld: concurrency + 1
        default: concurrency
        }
    }
}
