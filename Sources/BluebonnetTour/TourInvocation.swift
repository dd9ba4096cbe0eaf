/// The mode that the arguments select.
enum TourInvocation: Equatable {
    case tour
    case fetch(FetchOptions)
    /// Port 0 selects any free port.
    case serve(port: UInt16)
    case help

    private static let usualPort: UInt16 = 8080

    /// Parses the arguments that follow the command's name.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        let arguments = Array(arguments)
        switch arguments.first {
        case nil: self = .tour
        case "help": self = .help
        case "--serve": self = try Self.serving(arguments.dropFirst())
        case "fetch": self = try Self.fetching(Array(arguments.dropFirst()))
        default: self = try Self.fetching(arguments)
        }
    }

    private static func fetching(_ arguments: [String]) throws(UsageError) -> TourInvocation {
        guard let options = try FetchParser.options(arguments) else { return .help }
        return .fetch(options)
    }

    private static func serving(_ rest: ArraySlice<String>) throws(UsageError) -> TourInvocation {
        if rest.isEmpty { return .serve(port: usualPort) }
        if rest.contains("-h") || rest.contains("--help") { return .help }
        guard rest.count == 1, let port = rest.first.flatMap({ UInt16($0) }) else {
            throw UsageError("--serve takes a port from 0 to 65535 and nothing else")
        }
        return .serve(port: port)
    }
}
