import BluebonnetTestSupport
import Foundation

/// The largest number of mutexes that a call may lock.
struct LockBudget {
    static let all = [
        LockBudget(of: .data, all: 55, ofTask: 15),
        LockBudget(of: .typed, all: 67, ofTask: 18),
        LockBudget(of: .chain, all: 60, ofTask: 19),
        LockBudget(of: .retrier, all: 89, ofTask: 19),
        LockBudget(of: .download, all: 88, ofTask: 20),
    ]

    private static let callCount = 500
    private static let runCount = 3

    let call: LockedCall
    let all: Double
    let ofTask: Double

    init(of call: LockedCall, all: Double, ofTask: Double) {
        (self.call, self.all, self.ofTask) = (call, all, ofTask)
    }

    /// Prints the locks of a call and returns whether they are within the budget.
    func isKept(in workspace: Workspace) throws -> Bool {
        // The least, because a mutex that takes the place of a released one in memory counts as the
        // same.
        let costs = try (0..<Self.runCount).map { _ in try cost(in: workspace) }
        let (least, leastOfTask) = (costs.map(\.all).min() ?? 0, costs.map(\.ofTask).min() ?? 0)
        let keepsAll = Budget.isKept(
            "locks of a call inside the process", [least], most: all, call.rawValue)
        let keepsOwn = Budget.isKept(
            "locks of its task", [leastOfTask], most: ofTask, call.rawValue)
        return keepsAll && keepsOwn
    }

    private func cost(in workspace: Workspace) throws -> LockCost {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let library = URL(fileURLWithPath: program).deletingLastPathComponent()
            .appendingPathComponent(LockCounter.libraryName)
        var command = SystemCommand(program, ["locks", call.rawValue, "\(Self.callCount)"])
        command.environment = ["LD_PRELOAD": library.path]
        return try JSONDecoder().decode(
            LockCost.self, from: Data(try workspace.run(command).utf8))
    }
}
