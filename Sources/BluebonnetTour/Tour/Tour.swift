import Bluebonnet

/// Runs the steps of the tour.
struct Tour {
    static let steps: [any TourStep.Type] = [
        TypedJSON.self, CompletionHandler.self, OtherFormats.self, FormParameters.self,
        JSONParameters.self, FailedRequest.self, ManyAtOnce.self, CancelledRequest.self,
        RetriedRequest.self, ChainedCalls.self, TypedEndpoint.self, DownloadedFile.self,
        UploadedFile.self, ResumedDownload.self, StreamedBody.self, ServerSentEvents.self,
        AnsweredChallenge.self, KeptCookie.self, CachedResponses.self, LoggedRequest.self,
        ObservedTasks.self,
    ]

    let stage: TourStage
    private(set) var failures = 0

    init(stage: TourStage) {
        self.stage = stage
    }

    private var report: TourReport { TourReport(output: stage.output) }

    /// Runs all steps; canceling the Swift task ends the current step and skips the others.
    mutating func run() async {
        let observer = ObservedTasks.observe(stage)
        defer { NotificationCenter.default.removeObserver(observer) }
        let start = ContinuousClock.now
        report.begin(count: Self.steps.count, url: stage.url)
        let api = stage.api
        await withTaskCancellationHandler {
            for step in Self.steps where !Task.isCancelled { await take(step) }
        } onCancel: {
            // Ends calls with completion handlers, which canceling the Swift task does not.
            api.invalidate(cancelingTasks: true, resetSession: false)
        }
        guard !Task.isCancelled else { return }
        report.end(
            count: Self.steps.count, failures: failures, requests: api.started.current,
            time: ContinuousClock.now - start)
    }

    private mutating func take(_ step: any TourStep.Type) async {
        report.beginStep()
        let start = ContinuousClock.now
        var outcome: StepOutcome
        do {
            outcome = try await step.take(stage)
        } catch {
            outcome = StepOutcome(held: false, text: "\(error)")
        }
        // A canceled step is not a failure.
        guard !Task.isCancelled else { return }
        if !outcome.held { failures += 1 }
        report.endStep(step, outcome, time: ContinuousClock.now - start)
    }
}
