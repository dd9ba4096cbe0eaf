import BluebonnetTestSupport
import BluebonnetTransport
import Foundation

@testable import Bluebonnet
@testable import BluebonnetTargets

/// Calls of one provider that share exchanges.
///
/// Calls start and are canceled at any time, and exchanges end in any way.
final class SharedExchangeModel {
    /// One call and its results.
    private final class Call: Sendable {
        let results = Recorder<String>()
        let isCancelled: Bool

        init(isCancelled: Bool) {
            self.isCancelled = isCancelled
        }
    }

    /// Runs a walk and returns what is wrong with it, or nil.
    func walk(seed: UInt64) async -> String? {
        var random = SeededGenerator(seed: seed)
        let fate = Int.random(in: 0..<4, using: &random)
        let delay = Int.random(in: 0..<30, using: &random)
        let transport = ManualTransport { transfer in
            Task {
                for _ in 0..<delay { await Task.yield() }
                switch fate {
                case 0: transfer.fail(.lost)
                case 1: transfer.replyAtOnce(503, [:], "busy")
                default: transfer.replyAtOnce(200, [:], "x")
                }
            }
        }
        let manager = HTTPSessionManager(transport: transport)
        if Bool.random(using: &random) {
            manager.interceptors = [
                Retrier { request, _, _, completion in
                    completion(request.retryCount < 1 ? .retry : .doNotRetry)
                }
            ]
        }
        let provider = TargetProvider<TestTarget>(session: manager, trackInflights: true)
        let count = Int.random(in: 1...6, using: &random)
        var calls: [Call] = []
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                let (start, stay) = (
                    Int.random(in: 0..<30, using: &random), Int.random(in: 0..<30, using: &random)
                )
                let call = Call(isCancelled: Bool.random(using: &random))
                calls.append(call)
                let target = TestTarget(index % 3 == 2 ? "b" : "a") {
                    $0.validationType = .successCodes
                }
                group.addTask {
                    for _ in 0..<start { await Task.yield() }
                    let made = provider.request(target) {
                        call.results.add(NotingPlugin.text($0))
                    }
                    for _ in 0..<stay { await Task.yield() }
                    if call.isCancelled { made.cancel() }
                }
            }
        }
        for call in calls { await call.results.wait(for: 1) }
        await manager.shutdown(cancelingAfter: .seconds(30))
        for call in calls {
            guard call.results.count == 1 else { return "a call was answered \(call.results.all)" }
            if call.results.all[0] == "cancellation", !call.isCancelled {
                return "a call that was not canceled ended as canceled"
            }
        }
        if transport.exchanges.count > 2 * count {
            return "\(count) calls made \(transport.exchanges.count) exchanges"
        }
        let left = provider.sharedExchangeCount
        return left == 0 ? nil : "\(left) exchanges are left"
    }
}
