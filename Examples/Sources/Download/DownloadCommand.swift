import Bluebonnet

@main
struct DownloadCommand: Equatable {
    private static let eraseLine = "\r\u{1B}[K"

    var url: URL
    var file: URL

    static func main() async {
        guard let command = DownloadCommand(CommandLine.arguments.dropFirst()) else {
            say("usage: download URL [FILE]\n")
            exit(2)
        }
        exit(await command.run())
    }

    /// Returns nil unless the arguments are a URL and, optionally, a file.
    init?(_ arguments: some Collection<String>) {
        let arguments = Array(arguments)
        guard (1...2).contains(arguments.count), let url = URL(string: arguments[0]),
            ["http", "https"].contains(url.scheme)
        else { return nil }
        self.url = url
        // A safe name, even if the URL ends in `..%2Fname`.
        let name = ResponseHead(statusCode: 200, url: url).suggestedFilename
        file = URL(filePath: arguments.count == 2 ? arguments[1] : name)
    }

    /// Returns the exit status.
    private func run() async -> Int32 {
        let isTerminal = isatty(STDERR_FILENO) == 1
        let download = Task {
            try await Downloader(api: HTTPSessionManager()).download(url, to: file) { progress in
                if isTerminal { Self.say(Self.eraseLine + Self.text(of: progress)) }
            }
        }
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT)
        interrupt.setEventHandler { download.cancel() }
        interrupt.resume()
        signal(SIGINT, SIG_IGN)  // Leaves the signal to the source.

        let result = await download.result
        if isTerminal { Self.say(Self.eraseLine) }
        guard case .failure(let error) = result else { return 0 }
        let isInterrupted = (error as? BluebonnetError)?.isCancelled == true
        Self.say("download: \(isInterrupted ? "interrupted" : "\(error)")\n")
        if FileManager.default.fileExists(atPath: Downloader.resumeFile(of: file).path) {
            Self.say("download: run the same command again to continue\n")
        }
        return isInterrupted ? 130 : 1
    }

    static func text(of progress: Progress) -> String {
        let (count, total) = (progress.completedUnitCount, progress.totalUnitCount)
        let size = max(count, total).formatted(.byteCount(style: .file))
        return total > 0 ? "\(Int(progress.fractionCompleted * 100))% of \(size)" : size
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
