import Bluebonnet

@main
struct RelayCommand: Equatable {
    var source: URL
    var destination: URL
    var deadline = Duration.seconds(600)

    static func main() async {
        guard let command = RelayCommand(CommandLine.arguments.dropFirst()) else {
            say("usage: relay SOURCE DESTINATION [SECONDS]")
            exit(2)
        }
        do {
            let head = try await Relay().relay(
                from: command.source, to: command.destination, deadline: command.deadline)
            print("\(command.destination): \(head?.statusCode ?? 0)")
        } catch {
            say("relay: \(error)")
            exit(1)
        }
    }

    /// Returns nil unless the arguments are two URLs and, optionally, a number of seconds.
    init?(_ arguments: some Collection<String>) {
        let arguments = Array(arguments)
        guard (2...3).contains(arguments.count), let source = URL(string: arguments[0]),
            let destination = URL(string: arguments[1])
        else { return nil }
        (self.source, self.destination) = (source, destination)
        guard arguments.count == 3 else { return }
        guard let seconds = UInt32(arguments[2]) else { return nil }
        deadline = .seconds(seconds)
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
