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
