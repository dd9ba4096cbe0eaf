import Bluebonnet

/// Fetches one URL, with a line that shows how far it is; the body is counted and let go.
struct Fetch {
    let manager: SessionManager
    let target: FetchTarget
    let output: Terminal

    /// Returns whether it was fetched; prints nothing after its bar if the Swift task is cancelled.
    func run() async -> Bool {
        guard let url = target.url else {
            output.print(
                "\(target.name): not a URL that begins with http:// or https:// and has a host")
            return false
        }
        let bar = TerminalProgressBar(target.name, terminal: output)
        do {
            // Piece by piece, so that a body of any size needs little memory.
            let stream = try await manager.stream(for: URLRequest(url: url))
            var count = 0
            for try await piece in stream {
                count += piece.count
                bar.update(stream.task.progress)
            }
            bar.finish()
            let type = stream.head.mimeType ?? "no content type"
            let time = stream.task.metrics.map { Int($0.taskInterval.duration * 1000) } ?? 0
            output.print(
                "\(target.name): \(stream.head.statusCode), \(type), \(count) bytes, \(time) ms")
            return true
        } catch {
            bar.stop()
            if !Task.isCancelled { output.print("\(target.name): \(error)") }
            return false
        }
    }
}
