/// What the arguments ask for.
enum TourInvocation: Equatable {
    case tour
    case fetch([String])
    /// Port 0 stands for a free one.
    case serve(port: UInt16)
    /// What follows `--serve` is not a port alone.
    case invalidServe
    case help
    /// An option that does not exist, as it may be shown.
    case unknownOption(String)

    /// The same text as in `scripts/tour`, except for the name of the command.
    static let usage = """
        usage: bluebonnet-tour [URL…]
               bluebonnet-tour --serve [PORT]

        Without a URL, takes a tour of the library against a server of its own. With URLs, fetches
        them one after the other, and prints the status, type, size and time of each.

          --serve     start the tour's server alone, at http://127.0.0.1:8080/ or at another port,
                      until Ctrl-C; 0 is any free port
          -h, --help  print this text

        exit status: 0 all steps held or all URLs were fetched, 1 not all, 2 usage, 130 interrupted
        by Ctrl-C, 143 terminated
        """

    private static let usualPort: UInt16 = 8080

    /// Reads the arguments without the command's name; the first option decides.
    init(_ arguments: some Sequence<String>) {
        let arguments = Array(arguments)
        switch arguments.first(where: { $0.hasPrefix("-") }) {
        case nil: self = arguments.isEmpty ? .tour : .fetch(arguments)
        case "-h", "--help": self = .help
        case "--serve": self = Self.serving(arguments)
        case let option?: self = .unknownOption(Self.withoutValue(option))
        }
    }

    private static func serving(_ arguments: [String]) -> TourInvocation {
        if arguments == ["--serve"] { return .serve(port: usualPort) }
        guard arguments.count == 2, arguments[0] == "--serve", let port = UInt16(arguments[1])
        else { return .invalidServe }
        return .serve(port: port)
    }

    /// The option's name alone: `--user=name:password` and `-uname:password` hold secrets.
    private static func withoutValue(_ option: String) -> String {
        String(option.hasPrefix("--") ? option.prefix { $0 != "=" } : option.prefix(2))
    }
}
