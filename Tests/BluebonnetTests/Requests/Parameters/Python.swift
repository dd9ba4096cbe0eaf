import BluebonnetTestSupport
import Foundation
import Testing

/// Runs Python, whose readers are independent of the library.
enum Python {
    /// The comment of tests that are skipped without Python.
    static let comment: Comment = "needs python3: run scripts/setup --dev, which installs it"

    /// Whether the tests that need Python can run.
    static var isInstalled: Bool { PythonScript.isInstalled }

    /// Returns the output of a script.
    static func run(_ script: String, input: String) throws -> Data {
        try PythonScript.output(script, input: input)
    }
}
