import Bluebonnet
import Foundation

/// The results of a storm's tasks.
struct StormTally {
    /// How often each task completed.
    var completions: [Int]
    /// The canceled tasks by target, kind and moment, and the files of successful downloads.
    var cancelledTargets: [StormPlan.Target: Int] = [:]
    var cancelledKinds: [StormPlan.Kind: Int] = [:]
    var cancelledMoments: [StormPlan.Moment: Int] = [:]
    var files: Set<String> = []
    var succeeded = 0
    var complaints: [String] = []
    var resumeDataCalls = 0
    var resumeDataAnswers = 0
    var resumed = 0
    /// The files of resume data.
    ///
    /// Two requests for it return the same file.
    var partialFiles: Set<String> = []

    var cancelled: Int { cancelledTargets.values.reduce(0, +) }

    mutating func add(_ plan: StormPlan, _ error: BluebonnetError?, isRight: Bool) {
        completions[plan.number] += 1
        if error?.isCancelled == true {
            cancelledTargets[plan.target, default: 0] += 1
            cancelledKinds[plan.kind, default: 0] += 1
            cancelledMoments[plan.moment, default: 0] += 1
            if plan.mustNotBeCancelled { complaints.append("canceled: \(plan)") }
            return
        }
        if plan.mustBeCancelled { complaints.append("not canceled: \(plan) \(text(error))") }
        if let error {
            let isExpected =
                plan.target.isLookUpFailure && error.urlError.code == .cannotFindHost
            if !isExpected { complaints.append("failed: \(plan) \(error)") }
        } else {
            succeeded += 1
            if !isRight { complaints.append("wrong bytes: \(plan)") }
            if plan.kind == .download { files.insert("\(plan.number)") }
        }
    }

    mutating func add(_ other: StormTally) {
        cancelledTargets.merge(other.cancelledTargets, uniquingKeysWith: +)
        cancelledKinds.merge(other.cancelledKinds, uniquingKeysWith: +)
        cancelledMoments.merge(other.cancelledMoments, uniquingKeysWith: +)
        succeeded += other.succeeded
        partialFiles.formUnion(other.partialFiles)
    }

    private func text(_ error: BluebonnetError?) -> String { error.map { "\($0)" } ?? "success" }
}
