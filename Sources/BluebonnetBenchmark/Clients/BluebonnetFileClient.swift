import Bluebonnet
import BluebonnetTestSupport
import Foundation
import FoundationNetworking

/// Downloads repeatedly to the same file, with a progress handler.
func runBluebonnetDownload(
    _ parameters: ClientParameters, with manager: SessionManager = SessionManager(),
    policy: URLRequest.CachePolicy = .useProtocolCachePolicy
) throws -> ClientRun {
    var request = parameters.request
    request.cachePolicy = policy
    let file = parameters.file
    return try ClosedLoop.measure(count: parameters.count, concurrency: 1) { [request] completion in
        manager.downloadTask(
            with: request, destination: { _ in file }, options: .removePreviousFile,
            progress: { _ in }
        ) { response in
            completion(outcome(of: response, size: fileSize(file)))
        }.resume()
    }
}

/// Uploads a file repeatedly, with a progress handler.
func runBluebonnetUpload(_ parameters: ClientParameters) throws -> ClientRun {
    let manager = SessionManager()
    var request = parameters.request
    request.httpMethod = "PUT"
    let file = parameters.file
    return try ClosedLoop.measure(count: parameters.count, concurrency: 1) { [request] completion in
        manager.uploadTask(
            with: request, fromFile: file, serializer: HTTPResponseSerializer(),
            uploadProgress: { _ in }
        ) { response in
            completion(outcome(of: response, size: fileSize(file)))
        }.resume()
    }
}

/// Reports every success as status code 200, because uploads get 201 or 204.
private func outcome<Value>(of response: Response<Value>, size: Int) -> ClosedLoop.Outcome {
    guard response.error == nil else { return .failure("\(response.result)") }
    return .response(status: 200, byteCount: size)
}

private func fileSize(_ file: URL) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? -1
}
