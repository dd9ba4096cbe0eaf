/// What the arguments ask for.
enum TourInvocation: Equatable {
    case tour
    case fetch([String])
    case help
    /// An option that does not exist, as it may be shown.
    case unknownOption(String)

    /// The same text as in `scripts/tour`, except for the name of the command.
    static let usage = """
        usage: bluebonnet-tour [URL…]

        Without a URL, takes a tour of the library against a server of its own. With URLs, fetches
        them one after the other, and prints the status, type, size and time of each.

          -h, --help  print this text

        exit status: 0 all steps held or all URLs were fetched, 1 not all, 2 usage, 130 interrupted
        by Ctrl-C, 143 terminated
        """

    /// Reads the arguments without the command's name; the first option decides.
    init(_ arguments: some Sequence<String>) {
        let arguments = Array(arguments)
        if let option = arguments.first(where: { $0.hasPrefix("-") }) {
            self =
                ["-h", "--help"].contains(option)
                ? .help : .unknownOption(Self.withoutValue(option))
        } else {
            self = arguments.isEmpty ? .tour : .fetch(arguments)
        }
    }

    /// The option's name alone: `--user=name:password` and `-uname:password` hold secrets.
    private static func withoutValue(_ option: String) -> String {
        String(option.hasPrefix("--") ? option.prefix { $0 != "=" } : option.prefix(2))
    }
}
