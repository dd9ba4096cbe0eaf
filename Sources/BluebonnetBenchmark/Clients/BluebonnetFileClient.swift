import Bluebonnet
import BluebonnetTestSupport

/// Downloads to a file, over and over the same one, with somebody to tell how far it is.
func runBluebonnetDownload(_ parameters: ClientParameters) throws -> ClientRun {
    let manager = SessionManager()
    let request = parameters.request
    let file = parameters.file
    return try ClosedLoop.measure(count: parameters.count, concurrency: 1) { completion in
        manager.downloadTask(
            with: request, destination: { _ in file }, options: .removePreviousFile,
            progress: { _ in }
        ) { response in
            completion(outcome(of: response, size: fileSize(file)))
        }.resume()
    }
}

/// Sends a file, with somebody to tell how far it is.
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

/// Created and replaced are as good as found.
private func outcome<Value>(of response: Response<Value>, size: Int) -> ClosedLoop.Outcome {
    guard response.error == nil else { return .failure("\(response.result)") }
    return .response(status: 200, byteCount: size)
}

private func fileSize(_ file: URL) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? -1
}
