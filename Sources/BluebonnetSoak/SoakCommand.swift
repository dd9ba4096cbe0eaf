import BluebonnetTestSupport
import Foundation

@main
struct SoakCommand {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "serve" where arguments.count == 2:
                try SoakServer(certificates: TestCertificates(in: arguments[1])).run()
            default: exit(try SoakRun(SoakOptions(arguments)).run() ? 0 : 1)
            }
        } catch let error as UsageError {
            report("\(error.message); scripts/soak --help tells more")
            exit(64)
        } catch {
            report("\(error)")
            exit(1)
        }
    }

    static func report(_ message: String) {
        FileHandle.standardError.write(Data("soak: \(message)\n".utf8))
    }
}

struct UsageError: Error {
    let message: String
}
