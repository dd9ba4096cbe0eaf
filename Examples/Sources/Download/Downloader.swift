import Bluebonnet

/// Downloads a URL to a file, and continues where an earlier run stopped.
struct Downloader: Sendable {
    let api: HTTPSessionManager
    var retryLimit: UInt = 5

    /// Downloads to a file that does not exist yet.
    ///
    /// If the download breaks or its Swift task is canceled, the resume file is kept for the next
    /// call.
    func download(
        _ url: URL, to file: URL, progress: @escaping ProgressHandler = { _ in }
    ) async throws {
        let resumeFile = Self.resumeFile(of: file)
        let task: DownloadTask = api.download(
            url.absoluteString,
            headers: ["Accept-Encoding": "identity"],  // A compressed body cannot be resumed.
            resumingWith: try? Data(contentsOf: resumeFile), to: file,
            options: .interceptor(RetryPolicy(retryLimit: retryLimit, maximumRetryAfter: 60))
                .downloadProgress(progress))
        let response = await withTaskCancellationHandler {
            await task.response(serializer: .url)
        } onCancel: {
            task.cancel(byProducingResumeData: { _ in })  // The error below has the data, too.
        }
        if let resumeData = response.resumeData {
            try resumeData.write(to: resumeFile, options: .atomic)
        } else {
            try? FileManager.default.removeItem(at: resumeFile)
        }
        if let error = response.error { throw error }
    }

    static func resumeFile(of file: URL) -> URL {
        file.appendingPathExtension("resume")
    }
}
