import Bluebonnet
import Dispatch

/// Runs both services until SIGTERM or Ctrl-C.
@main
struct KioskCommand: Equatable {
    var port: UInt16 = 8080

    static func main() async {
        guard let command = KioskCommand(CommandLine.arguments.dropFirst()) else {
            say("usage: kiosk [PORT]")
            exit(2)
        }
        do {
            let prices = try Prices(output: .standardError)
            let shop = try Shop(
                port: command.port, prices: prices.url, output: .standardError)
            print("\(shop.url)bouquets/rose\n\(shop.url)metrics")
            fflush(nil)
            await termination()
            await shop.stop()
            prices.stop()
        } catch {
            say("kiosk: \(error)")
            exit(1)
        }
    }

    /// Returns nil unless the argument, if there is one, is a port.
    init?(_ arguments: some Collection<String>) {
        guard let argument = arguments.first else { return }
        guard arguments.count == 1, let port = UInt16(argument) else { return nil }
        self.port = port
    }

    /// Waits for SIGTERM or SIGINT.
    private static func termination() async {
        let sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        let arrivals = AsyncStream<Void> { arrivals in
            for source in sources {
                source.setEventHandler { arrivals.yield() }
                source.resume()
            }
        }
        for await _ in arrivals { break }
        for source in sources { source.cancel() }
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
