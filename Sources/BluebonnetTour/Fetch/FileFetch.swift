import Bluebonnet
import Glibc

/// Downloads a URL to a file, which appears complete or not at all.
struct FileFetch {
    let job: FetchJob
    /// The file, which is replaced if it exists; nil for a new file with the name that the response
    /// suggests.
    let file: URL?

    /// Returns whether it was fetched.
    func run() async -> Bool {
        let former: ReplacedFile?
        do throws(ReplacedFile.Refusal) {
            former = if let file { try ReplacedFile(at: file.path) } else { nil }
        } catch {
            return job.fail(writing: file?.path ?? "", error.error.number)
        }
        // A symbolic link stays, and the file that it leads to is replaced.
        let file = former.map { URL(filePath: $0.path) } ?? file
        let directory =
            file?.deletingLastPathComponent()
            ?? URL(filePath: FileManager.default.currentDirectoryPath)
        let staging: StagingDirectory
        do throws(StagingDirectory.Failure) {
            staging = try StagingDirectory(in: directory)
        } catch {
            return job.fail(writing: file?.path ?? directory.path, error.number)
        }
        defer { staging.remove() }
        let response = await download(to: staging)
        if let error = response.error { return job.fail(error) }
        let name = response.head?.suggestedFilename ?? "download"
        let place = file ?? directory.appending(path: name)
        do throws(StagingDirectory.Failure) {
            try staging.move(to: place, replaces: file != nil, mode: former?.status.mode)
        } catch {
            return job.fail(writing: place.path, error.number)
        }
        end(response, at: place)
        return true
    }

    private func download(to staging: StagingDirectory) async -> Response<URL> {
        let name = file?.lastPathComponent ?? job.name
        let bar = TerminalProgressBar(name, terminal: job.report.errors)
        let job = job
        let response = await job.api.download(
            for: job.request,
            validatedBy: job.serializer,
            destination: { head in
                job.report.head(head, of: job.name)
                return staging.file
            },
            progress: { bar.update($0) })
        if response.error == nil { bar.finish() } else { bar.stop() }
        return response
    }

    private func end(_ response: Response<URL>, at place: URL) {
        job.report.metrics(response.metrics)
        // Otherwise the progress bar has named the file.
        if file == nil || !job.report.errors.isInteractive {
            job.report.note("\(job.name): stored in \(place.lastPathComponent)")
        }
        if let head = response.head, head.statusCode >= 400 {
            let status = HeadText.statusText(of: head)
            job.report.note("\(job.name): the status is \(status); -f makes that a failure")
        }
    }
}
