import Bluebonnet
import Glibc

/// Fetches one URL to its destination.
enum Fetch {
    /// Returns whether it was fetched.
    static func run(_ job: FetchJob) async -> Bool {
        job.report.begin(job.name)
        job.report.request(job.request)
        switch job.options.destination {
        case .standardOutput:
            let output = job.report.output
            let raw = RawBody(name: "standard output", send: output.send)
            let isShown = output.isTerminal && !job.options.isRaw
            return await BodyFetch(job: job, raw: isShown ? nil : raw).run()
        case .suggestedName:
            return await FileFetch(job: job, file: nil).run()
        case .file(let path):
            return await run(job, to: URL(filePath: path))
        }
    }

    /// Downloads to a regular file, and writes to anything else, such as a device.
    private static func run(_ job: FetchJob, to file: URL) async -> Bool {
        var status = stat()
        let exists = stat(file.path, &status) == 0
        let kind = status.st_mode & S_IFMT
        guard exists, kind != S_IFREG else {
            return await FileFetch(job: job, file: exists ? file.resolvingSymlinksInPath() : file)
                .run()
        }
        let descriptor = open(file.path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return job.fail(writing: file.path, errno) }
        defer { close(descriptor) }
        let raw = RawBody(name: file.path) { FileWriting.write($0, to: descriptor) }
        return await BodyFetch(job: job, raw: raw).run()
    }
}
