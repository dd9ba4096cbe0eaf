import Bluebonnet

/// Fetches a URL, and writes its body while it arrives.
struct BodyFetch {
    let job: FetchJob
    /// The destination of the bytes; nil to show the body on the terminal.
    let raw: RawBody?

    /// Returns whether it was fetched.
    func run() async -> Bool {
        do throws(BluebonnetError) {
            let stream = try await job.api.stream(
                for: job.request, validatedBy: job.serializer, options: job.redirects)
            job.report.head(stream.head, of: job.name)
            return try await pass(on: stream)
        } catch {
            return job.fail(error)
        }
    }

    private func pass(on stream: ResponseStream) async throws(BluebonnetError) -> Bool {
        var body = FetchedBody(raw, stream.head, job.report.output)
        do throws(BluebonnetError) {
            for try await piece in stream {
                guard body.add(piece) else { break }
            }
        } catch {
            body.finish(isWhole: false)
            throw error
        }
        body.finish(isWhole: true)
        job.report.metrics(stream.task.metrics)
        guard let (name, number) = body.failure else { return true }
        return job.fail(writing: name, number)
    }
}
