import BluebonnetTourServer
import Foundation
import Glibc
import Testing

@testable import BluebonnetTour

@Suite("The terminal as a program sees it")
struct TerminalTests {
    @Test("only a terminal that can write over a line is interactive")
    func interactive() throws {
        let pseudo = try PseudoTerminal()
        func isInteractive(_ type: String?) -> Bool {
            let environment = type.map { ["TERM": $0] } ?? [:]
            return Terminal(descriptor: pseudo.terminal, environment: environment).isInteractive
        }
        #expect(isInteractive("xterm-256color"))
        #expect(!isInteractive("dumb"))
        #expect(!isInteractive(nil))
        let file = open("/dev/null", O_WRONLY)
        defer { close(file) }
        #expect(!Terminal(descriptor: file, environment: ["TERM": "xterm"]).isInteractive)
    }

    @Test("colors take a terminal that knows them, and no NO_COLOR")
    func colors() throws {
        let pseudo = try PseudoTerminal()
        func styled(_ environment: [String: String], on descriptor: Int32) -> String {
            Terminal(descriptor: descriptor, environment: environment).styled("ok", .green)
        }
        let (plain, green) = ("ok", "\u{1B}[32mok\u{1B}[0m")
        #expect(styled(["TERM": "xterm"], on: pseudo.terminal) == green)
        #expect(styled(["TERM": "xterm", "NO_COLOR": ""], on: pseudo.terminal) == green)
        #expect(styled(["TERM": "xterm", "NO_COLOR": "1"], on: pseudo.terminal) == plain)
        #expect(styled(["TERM": "dumb"], on: pseudo.terminal) == plain)
        let file = open("/dev/null", O_WRONLY)
        defer { close(file) }
        #expect(styled(["TERM": "xterm"], on: file) == plain)
    }

    @Test("a write into a pipe that nobody reads is told of")
    func unread() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        // The error number instead of the signal, as in the program.
        signal(SIGPIPE, SIG_IGN)
        let count = Count()
        let terminal = Terminal(descriptor: ends[1], environment: [:]) { count.increment() }
        terminal.write("text")
        #expect(count.current == 1)
    }
}
