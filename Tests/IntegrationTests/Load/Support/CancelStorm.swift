import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking

/// Keeps a number of tasks of every kind under way, and cancels each at its planned moment.
final class CancelStorm: Sendable {
    struct State {
        var generator: SeededGenerator
        var tally: StormTally
    }

    let servers: StormServers
    let manager: HTTPSessionManager
    let state: Locked<State>
    /// The plans, by number.
    private let plans: [StormPlan]

    init(_ servers: StormServers, _ manager: HTTPSessionManager, count: Int, seed: UInt64) {
        self.servers = servers
        self.manager = manager
        var generator = SeededGenerator(seed: seed)
        plans = (0..<count).map { StormPlan(number: $0, using: &generator) }
        state = Locked(
            State(
                generator: generator,
                tally: StormTally(completions: Array(repeating: 0, count: count))
            )
        )
    }

    func run(concurrency: Int) async throws -> StormTally {
        installHooks()
        let loop = ClosedLoop(count: plans.count, concurrency: concurrency) { [self] number, done in
            start(plans[number]) { done(.response(status: 200, byteCount: 0)) }
        }
        try await loop.run()
        return state.withLock { $0.tally }
    }

    /// Whether the handlers of `cancel(byProducingResumeData:)` have all been called.
    var isSettled: Bool {
        state.withLock { $0.tally.resumeDataCalls == $0.tally.resumeDataAnswers }
    }

    var tally: StormTally { state.withLock { $0.tally } }

    // MARK: Tasks

    private func request(for plan: StormPlan) -> URLRequest {
        let isUpload = plan.kind == .uploadFile || plan.kind == .uploadStream
        let text = servers.url(plan.target, isUpload: isUpload)
        var request = URLRequest(url: URL(string: text) ?? servers.uploadFile)
        if isUpload { request.httpMethod = "PUT" }
        request.setValue("\(plan.number)", forHTTPHeaderField: "X-Number")
        return request
    }

    private func start(_ plan: StormPlan, _ done: @escaping @Sendable () -> Void) {
        let request = request(for: plan)
        let expected = servers.body(of: plan.target, isUpload: request.httpMethod == "PUT")
        let serializer = HTTPResponseSerializer()
        let handler: @Sendable (Response<Data>) -> Void = { [self] response in
            completed(plan, response.error, isRight: response.value == expected)
            done()
        }
        let task: SessionTask
        switch plan.kind {
        case .data:
            task = manager.dataTask(
                with: request, serializer: serializer, completionHandler: handler)
        case .uploadFile:
            task = manager.uploadTask(
                with: request, fromFile: servers.uploadFile, serializer: serializer,
                completionHandler: handler)
        case .uploadStream:
            task = manager.uploadTask(
                withStreamedRequest: request,
                body: { [weak self] in
                    self?.reached(.onOpeningStream, plan.number)
                    return InputStream(data: StormServers.small)
                }, serializer: serializer, completionHandler: handler)
        case .download:
            task = downloadTask(request, plan, expected, done)
        case .stream:
            return stream(request, plan, expected, done)
        }
        begin(task, plan)
    }

    private func downloadTask(
        _ request: URLRequest, _ plan: StormPlan, _ expected: Data?,
        _ done: @escaping @Sendable () -> Void
    ) -> DownloadTask {
        let place = servers.results.appendingPathComponent("\(plan.number)")
        return manager.downloadTask(
            with: request,
            destination: { [weak self] _ in
                self?.reached(.onDestination, plan.number)
                return place
            },
            completionHandler: { [self] response in
                let bytes = response.value.flatMap { try? Data(contentsOf: $0) }
                completed(plan, response.error, isRight: bytes == expected)
                done()
            })
    }

    private func stream(
        _ request: URLRequest, _ plan: StormPlan, _ expected: Data?,
        _ done: @escaping @Sendable () -> Void
    ) {
        let reading = Task { [self] in
            // A cancel from outside can come when the stream is already running.
            if plan.moment == .beforeResume { withUnsafeCurrentTask { $0?.cancel() } }
            var bytes = Data()
            do throws(BluebonnetError) {
                for try await piece in try await manager.stream(for: request) {
                    bytes += piece
                    // A pause of the consumer, which a cancel ends.
                    try? await Task.sleep(for: .microseconds(plan.delay))
                }
                completed(plan, nil, isRight: bytes == expected)
            } catch {
                completed(plan, error, isRight: false)
            }
            done()
        }
        switch plan.moment {
        case .beforeResume: break
        case .atOnce: DispatchQueue.global().async { reading.cancel() }
        case .later: after(plan.delay) { reading.cancel() }
        default: if !plan.target.ends { after(60_000) { reading.cancel() } }
        }
    }

    private func begin(_ task: SessionTask, _ plan: StormPlan) {
        keep(task, plan.number)
        switch plan.moment {
        case .neverResumed:
            // Half are canceled, and half are released.
            if plan.delay % 2 == 0 { cancel(task, plan) }
            return keep(nil, plan.number)
        case .beforeResume: cancel(task, plan)
        default: break
        }
        task.resume()
        switch plan.moment {
        case .atOnce: cancel(task, plan)
        case .later: after(plan.delay) { [self] in cancel(task, plan) }
        case .whileSuspended:
            after(plan.delay) { [self] in
                task.suspend()
                after(plan.delay) { [self] in cancel(task, plan) }
            }
        case .afterSuspended:
            after(plan.delay) { [self] in
                task.suspend()
                task.resume()
                task.suspend()
                after(plan.delay) { [self] in
                    task.resume()
                    cancel(task, plan)
                }
            }
        default: if !plan.target.ends { after(60_000) { [self] in cancel(task, plan) } }
        }
    }

    private func after(_ microseconds: Int, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .microseconds(microseconds), execute: body)
    }

    // MARK: Cancels and ends

    private let kept = Locked([Int: SessionTask]())

    private func keep(_ task: SessionTask?, _ number: Int) {
        // Released outside the lock, because that can end the former task.
        let former = kept.withLock { kept in
            let former = kept[number]
            kept[number] = task
            return former
        }
        withExtendedLifetime(former) {}
    }

    private func cancel(_ task: SessionTask, _ plan: StormPlan) {
        guard plan.producesResumeData, let task = task as? DownloadTask else {
            task.cancel()
            return
        }
        state.withLock { $0.tally.resumeDataCalls += 1 }
        task.cancel(byProducingResumeData: { [state] data in
            struct Record: Decodable { let path: String }
            let record = data.flatMap { try? JSONDecoder().decode(Record.self, from: $0) }
            state.withLock { state in
                state.tally.resumeDataAnswers += 1
                if let record { state.tally.partialFiles.insert(record.path) }
            }
        })
    }

    /// Cancels the task if its plan has this moment.
    func reached(_ moment: StormPlan.Moment, _ number: Int, _ task: SessionTask? = nil) {
        guard plans[number].moment == moment else { return }
        guard let task = task ?? kept.withLock({ $0[number] }) else { return }
        cancel(task, plans[number])
    }

    private func completed(_ plan: StormPlan, _ error: BluebonnetError?, isRight: Bool) {
        reached(.afterEnd, plan.number)
        keep(nil, plan.number)
        state.withLock { $0.tally.add(plan, error, isRight: isRight) }
    }
}
