import BluebonnetTestSupport
import Foundation

/// Passes bytes to the standard input of a shell command and returns its output.
func output(of line: String, input: [UInt8]) throws -> [UInt8] {
    var command = SystemCommand(shell: line)
    command.input = Data(input)
    return [UInt8](try command.output())
}
