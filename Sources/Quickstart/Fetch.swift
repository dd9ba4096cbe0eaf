import Bluebonnet

/// Fetches one URL, with a line that shows how far it is.
struct Fetch {
    let manager: SessionManager
    let text: String

    func run() async -> Bool {
        guard let url = URL(string: text) else {
            print("\(text): not a URL")
            return false
        }
        let line = ProgressLine(label: text)
        let response = await withCheckedContinuation { continuation in
            manager.dataTask(
                with: URLRequest(url: url),
                serializer: HTTPResponseSerializer(),
                downloadProgress: { line.show($0) },
                completionHandler: { continuation.resume(returning: $0) }
            ).resume()
        }
        line.end()
        switch response.result {
        case .success(let data):
            let type = response.head?.mimeType ?? "no content type"
            let time = response.metrics.map { Int($0.taskInterval.duration * 1000) } ?? 0
            print(
                "\(text): \(response.head?.statusCode ?? 0), \(type), \(data.count) bytes, \(time) ms"
            )
            return true
        case .failure(let error):
            print("\(text): \(error)")
            return false
        }
    }
}

/// One line of a terminal, written over again and again; silent where output is no terminal.
struct ProgressLine: Sendable {
    let label: String
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(label: String) {
        self.label = label
    }

    func show(_ progress: Progress) {
        guard isTerminal else { return }
        let done = progress.completedUnitCount
        let total = progress.totalUnitCount
        let share = total > 0 ? "\(done * 100 / total) % of \(total)" : "\(done)"
        write("\r\u{1B}[K\(label.prefix(40)): \(share) bytes")
    }

    func end() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
