import Bluebonnet

// Bodies that go from and to files, or come piece by piece.
extension Tour {
    mutating func downloadAndUpload() async {
        let file = directory.appendingPathComponent("big.bin")
        let download = await download("big.bin", to: file)
        let content = TourRoutes.content(TourRoutes.bigCount)
        report("download", download, (try? Data(contentsOf: file)) == content) {
            "\(ByteCountText.text(Int64(content.count))) in \($0.lastPathComponent)"
        }
        let upload = await upload(file, to: "upload")
        let answer = upload.object as? [String: Any]
        let held = answer?["bytes"] as? Int == content.count && answer?["same"] as? Bool == true
        report("upload", upload, held) { _ in
            held ? "the server read the same" : "the server read \(answer ?? [:])"
        }
    }

    /// Breaks a download off in its middle, and goes on with it.
    mutating func resumeDownload() async {
        guard let data = await breakOff("interrupted") else {
            return line("resume a download", false, "there is no resume data", nil)
        }
        let file = directory.appendingPathComponent("resumed.bin")
        let bar = TerminalProgressBar("resumed.bin", terminal: output)
        let response = await withCheckedContinuation { continuation in
            manager.downloadTask(
                withResumeData: data,
                destination: { _ in file },
                progress: { bar.update($0) },
                completionHandler: { continuation.resume(returning: $0) }
            ).resume()
        }
        end(bar, response.error)
        let content = TourRoutes.content(TourRoutes.interruptedCount)
        let rest = response.head?.headers["Content-Range"] ?? "all of it"
        let held = response.head?.statusCode == 206 && (try? Data(contentsOf: file)) == content
        report("resume a download", response, held) { _ in "the server sent \(rest)" }
    }

    mutating func readStream() async {
        let count = 1_000_000
        do {
            let stream = try await manager.stream(for: request("chunked/\(count)"))
            var pieces = 0
            var body = Data()
            for try await piece in stream {
                pieces += 1
                body += piece
            }
            let held = body == TourRoutes.content(count)
            line("stream", held, "\(body.count) bytes in \(pieces) pieces", stream.task.metrics)
        } catch {
            line("stream", false, "\(error)", nil)
        }
    }

    private func download(_ path: String, to file: URL) async -> Response<URL> {
        let bar = TerminalProgressBar(path, terminal: output)
        let response = await withCheckedContinuation { continuation in
            manager.downloadTask(
                with: request(path),
                destination: { _ in file },
                progress: { bar.update($0) },
                completionHandler: { continuation.resume(returning: $0) }
            ).resume()
        }
        end(bar, response.error)
        return response
    }

    private func upload(_ file: URL, to path: String) async -> Response<any Sendable> {
        let bar = TerminalProgressBar(file.lastPathComponent, terminal: output)
        let response = await withCheckedContinuation { continuation in
            manager.uploadTask(
                with: request(path, method: "PUT"),
                fromFile: file,
                progress: { bar.update($0) },
                completionHandler: { continuation.resume(returning: $0) }
            ).resume()
        }
        end(bar, response.error)
        return response
    }

    private func end(_ bar: TerminalProgressBar, _ error: BluebonnetError?) {
        if error == nil { bar.finish() } else { bar.stop() }
    }

    /// Cancels a download of which a quarter is there; what it takes to go on with it.
    private func breakOff(_ path: String) async -> Data? {
        let file = directory.appendingPathComponent("broken-off.bin")
        let (counts, feed) = AsyncStream.makeStream(of: Int64.self)
        let task = manager.downloadTask(
            with: request(path),
            destination: { _ in file },
            progress: { feed.yield($0.completedUnitCount) },
            completionHandler: { _ in feed.finish() }
        )
        task.resume()
        for await count in counts where count >= TourRoutes.interruptedCount / 4 { break }
        return await withCheckedContinuation { continuation in
            task.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
        }
    }
}
