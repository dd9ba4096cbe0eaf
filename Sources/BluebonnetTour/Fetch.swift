import Bluebonnet

/// Fetches one URL, with a line that shows how far it is; the body is counted and let go.
struct Fetch {
    let manager: SessionManager
    let text: String

    func run() async -> Bool {
        guard let url = URL(string: text) else {
            print("\(text): not a URL")
            return false
        }
        let bar = TerminalProgressBar(text)
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
            print("\(text): \(stream.head.statusCode), \(type), \(count) bytes, \(time) ms")
            return true
        } catch {
            bar.stop()
            print("\(text): \(error)")
            return false
        }
    }
}
