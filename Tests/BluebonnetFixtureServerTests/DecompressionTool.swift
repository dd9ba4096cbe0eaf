import BluebonnetTestSupport
import Foundation

/// Gives bytes to the standard input of a shell command; returns its output.
func output(of line: String, input: [UInt8]) throws -> [UInt8] {
    var command = SystemCommand(shell: line)
    command.input = Data(input)
    return [UInt8](try command.output())
}
