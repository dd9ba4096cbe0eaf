import BluebonnetTestSupport
import Foundation
import Testing

/// Runs Python, whose readers are not ours.
enum Python {
    /// What a test that is skipped without it says.
    static let comment: Comment = "needs python3: run scripts/setup --dev, which installs it"

    /// Whether the tests that need it can run.
    static var isInstalled: Bool { PythonScript.isInstalled }

    /// The output of a script.
    static func run(_ script: String, input: String) throws -> Data {
        try PythonScript.output(script, input: input)
    }
}
