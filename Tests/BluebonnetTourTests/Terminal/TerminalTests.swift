import Foundation
import Glibc
import Testing

@testable import BluebonnetTour

@Suite("The terminal as a program sees it")
struct TerminalTests {
    private let utf8 = ["TERM": "xterm", "LANG": "C.UTF-8"]

    @Test("on a real terminal, the bar follows its width and ends with a new line")
    func pseudoTerminal() throws {
        let pseudo = try PseudoTerminal(columns: 40)
        let clock = ManualClock()
        let terminal = Terminal(descriptor: pseudo.terminal, environment: utf8)
        let bar = TerminalProgressBar("file", terminal: terminal, clock: clock)
        bar.update(completed: 1, total: 2)
        bar.flush()
        #expect(pseudo.read() == "\rfile   50%  ██████░░░░░░        1 B/2 B\u{1B}[K")
        pseudo.resize(columns: 20)
        clock.advance(by: .seconds(1))
        bar.update(completed: 2, total: 2)
        bar.flush()
        #expect(pseudo.read() == "\rfile  100%\u{1B}[K")
        bar.finish()
        #expect(pseudo.read() == "\rfile  100%\u{1B}[K\r\n")
    }

    @Test("only a terminal that can write over a line is interactive")
    func interactive() throws {
        let pseudo = try PseudoTerminal(columns: 40)
        func isInteractive(_ type: String?) -> Bool {
            let environment = type.map { ["TERM": $0] } ?? [:]
            return Terminal(descriptor: pseudo.terminal, environment: environment).isInteractive
        }
        #expect(isInteractive("xterm-256color"))
        #expect(!isInteractive("dumb"))
        #expect(!isInteractive(nil))
        let file = open("/dev/null", O_WRONLY)
        defer { close(file) }
        #expect(!Terminal(descriptor: file, environment: utf8).isInteractive)
    }

    @Test("colors take a terminal that knows them, and no NO_COLOR")
    func colors() throws {
        let pseudo = try PseudoTerminal(columns: 40)
        func styled(_ environment: [String: String], on descriptor: Int32) -> String {
            Terminal(descriptor: descriptor, environment: environment).styled("ok", .green)
        }
        let (plain, green) = ("ok", "\u{1B}[32mok\u{1B}[0m")
        #expect(styled(utf8, on: pseudo.terminal) == green)
        #expect(styled(["TERM": "xterm", "NO_COLOR": ""], on: pseudo.terminal) == green)
        #expect(styled(["TERM": "xterm", "NO_COLOR": "1"], on: pseudo.terminal) == plain)
        #expect(styled(["TERM": "dumb"], on: pseudo.terminal) == plain)
        let file = open("/dev/null", O_WRONLY)
        defer { close(file) }
        #expect(styled(utf8, on: file) == plain)
    }

    @Test("text from anywhere is made fit for a line of a terminal, and left alone in a file")
    func oneLine() {
        let text = "a…\u{1B}[2J–b\n"
        let recorded = RecordedTerminal()
        #expect(recorded.terminal(isInteractive: false).oneLine(text) == text)
        #expect(recorded.terminal(usesUTF8: true).oneLine(text) == "a…?[2J–b?")
        #expect(recorded.terminal().oneLine(text) == "a...?[2J-b?")
    }

    @Test("a dumb terminal is still one that a person looks at, and a file is not")
    func dumb() throws {
        let pseudo = try PseudoTerminal(columns: 40)
        let file = open("/dev/null", O_WRONLY)
        defer { close(file) }
        #expect(Terminal(descriptor: pseudo.terminal, environment: ["TERM": "dumb"]).isTerminal)
        #expect(!Terminal(descriptor: file, environment: utf8).isTerminal)
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
        #expect(terminal.send(Data("text".utf8)) == EPIPE)
        #expect(count.current == 1)
    }

    @Test("COLUMNS counts where the terminal does not tell its width, and 80 without it")
    func width() throws {
        let unknown = try PseudoTerminal(columns: 0)
        func width(_ columns: String?) -> Int {
            let environment = columns.map { ["COLUMNS": $0] } ?? [:]
            return Terminal(descriptor: unknown.terminal, environment: environment).width()
        }
        #expect(width("132") == 132)
        #expect(width(nil) == 80)
        #expect(width("wide") == 80)
        #expect(width("-3") == 80)
        let known = try PseudoTerminal(columns: 33)
        let terminal = Terminal(descriptor: known.terminal, environment: ["COLUMNS": "132"])
        #expect(terminal.width() == 33)
    }

    @Test("the first locale variable that is set decides between UTF-8 and ASCII")
    func encoding() {
        func usesUTF8(_ environment: [String: String]) -> Bool {
            Terminal(descriptor: -1, environment: environment).usesUTF8
        }
        #expect(usesUTF8(["LANG": "de_DE.UTF-8"]))
        #expect(usesUTF8(["LANG": "C.utf8"]))
        #expect(!usesUTF8(["LANG": "de_DE.ISO-8859-1"]))
        #expect(!usesUTF8(["LANG": "de_DE.UTF-8", "LC_ALL": "C"]))
        #expect(usesUTF8(["LANG": "C", "LC_ALL": "en_US.UTF-8"]))
        #expect(usesUTF8(["LANG": "C", "LC_CTYPE": "en_US.UTF-8", "LC_ALL": ""]))
        #expect(!usesUTF8([:]))
    }
}
