import Bluebonnet

/// A step of the tour: a few calls of the library, with the expected result.
protocol TourStep: Sendable {
    /// The title, of at most 19 columns.
    static var title: String { get }

    /// The calls as a user writes them, of at most 74 columns.
    ///
    /// A test checks that ``take(_:)`` has the same lines in the same order.
    static var code: String { get }

    /// Makes the calls, and checks their result.
    ///
    /// It returns or throws soon after the Swift task is canceled.
    static func take(_ stage: TourStage) async throws -> StepOutcome
}

/// The result of a step.
struct StepOutcome: Sendable {
    /// Whether the result is the expected one.
    var held: Bool
    /// A summary, of at most 41 columns if the step held.
    var text: String
    /// A longer text, in a line of its own.
    var detail: String?
}
