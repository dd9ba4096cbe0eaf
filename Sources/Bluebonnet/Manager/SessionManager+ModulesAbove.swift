import BluebonnetTransport
import Dispatch
import Foundation

// What the modules that are built on this one need of a manager.
extension SessionManager {
    /// Reads or changes the settings of a module that is built on this one, nil until it sets them,
    /// under the manager's lock.
    package func withLayerSettings<Value>(
        _ body: (inout (any Sendable)?) -> Value
    ) -> Value {
        settings.withLock { body(&$0.layerSettings) }
    }

    /// Where the body of a response goes.
    package enum BodyDestination {
        case memory
        case file(Download)
        case stream(endsOnFailure: Bool)
    }

    /// Creates a task whose response is judged only by validators that are added to it.
    ///
    /// The task starts when its first responder is added, if `startsByItself` is true. Until then
    /// it holds its manager. The totals of its progress are 0 as long as no length is known.
    package func makeUnjudgedTask<Task: SessionTask>(
        _ source: RequestSource, startsByItself: Bool, validators: [ResponseValidator],
        upload: UploadBody? = nil, to destination: BodyDestination = .memory
    ) -> Task {
        var (responder, flow, endsOnFailure) = (nil as (any TaskResponder)?, BodyFlow.memory, false)
        switch destination {
        case .memory: break
        case .file(let download): flow = .file(download)
        case .stream(let ends):
            let channel = ResponseChannel()
            (responder, flow, endsOnFailure) = (StreamEnd(channel), .stream(channel), ends)
        }
        let task: Task = makeTask(source, responder, isJudged: false, upload: upload, flow: flow)
        task.delegate.state.withLock { state in
            state.resumesAutomatically = startsByItself
            state.rare.managerUntilStart = self
            if !validators.isEmpty { state.rare.validators += validators }
            if endsOnFailure { state.rare.streams.endsOnFailure = true }
            state.sending.useZeroWhileUnknown()
            state.receiving.useZeroWhileUnknown()
        }
        return task
    }

    /// Calls a closure on a queue, or else on the callback queue after everything that is there.
    package func call(on queue: DispatchQueue?, _ closure: @escaping @Sendable () -> Void) {
        let session = settings.withLock { $0.session }
        let job = session.work.counting(closure)
        guard let queue, !ProcessFork.hasLostThreads else { return session.callbacks.async(job) }
        queue.async(execute: job)
    }

    /// Adds a monitor; without a queue of its own it is called on the callback queue.
    package func addMonitor(
        interests: TaskEvent.Interests,
        currentInterests: (@Sendable () -> TaskEvent.Interests)? = nil,
        on queue: DispatchQueue?,
        members: [TaskEventSubscription] = [],
        handler: @escaping @Sendable ([TaskEvent]) -> Void
    ) -> TaskEventSubscription {
        audience.add(
            interests: interests, currentInterests: currentInterests,
            queue: queue ?? callbacks.dispatchQueue, handler: handler, members: members)
    }
}
