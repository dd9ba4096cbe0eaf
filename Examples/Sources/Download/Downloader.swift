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
        do {
            try await api.download(
                url.absoluteString,
                headers: ["Accept-Encoding": "identity"],  // A compressed body cannot be resumed.
                resumingWith: try? Data(contentsOf: resumeFile), to: file,
                options: [
                    .interceptor(RetryPolicy(retryLimit: retryLimit, maximumRetryAfter: 60)),
                    .file(.keepsPartialFile), .downloadProgress(progress),
                ])
            try? FileManager.default.removeItem(at: resumeFile)
        } catch {
            keep(error.resumeData, in: resumeFile)
            throw error
        }
    }

    private func keep(_ resumeData: Data?, in resumeFile: URL) {
        guard let resumeData else {
            try? FileManager.default.removeItem(at: resumeFile)
            return
        }
        do {
            try resumeData.write(to: resumeFile, options: .atomic)
        } catch {
            // The partial file might be what fills the disk. Older resume data still fits it.
            guard !FileManager.default.fileExists(atPath: resumeFile.path) else { return }
            try? DownloadTask.discard(resumeData: resumeData)
        }
    }

    static func resumeFile(of file: URL) -> URL {
        file.appendingPathExtension("resume")
    }
}
