/// An option of a fetch.
enum FetchOption: CaseIterable {
    case verbose, include, output, remoteName, data, json, method, header, follow, user, timeout
    case fail, retry, help

    /// Its names, including those that curl has for it.
    var names: [String] {
        switch self {
        case .verbose: ["-v", "--verbose"]
        case .include: ["-i", "--include"]
        case .output: ["-o", "--output"]
        case .remoteName: ["-O", "--remote-name"]
        case .data: ["-d", "--data"]
        case .json: ["--json"]
        case .method: ["-X", "--request"]
        case .header: ["-H", "--header"]
        case .follow: ["-L", "--follow", "--location"]
        case .user: ["-u", "--user"]
        case .timeout: ["--timeout", "-m", "--max-time"]
        case .fail: ["-f", "--fail"]
        case .retry: ["--retry"]
        case .help: ["-h", "--help"]
        }
    }

    /// A description of its value; nil if it takes none.
    var value: String? {
        switch self {
        case .output: "the name of a file"
        case .data: "data such as name=flax, or @FILE, or - for standard input"
        case .json: "JSON, NAME=TEXT, NAME:=JSON, @FILE, or - for standard input"
        case .method: "a method such as PUT"
        case .header: "a header field such as 'Accept: text/plain'"
        case .user: "USER or USER:PASSWORD"
        case .timeout: "a number of seconds above 0"
        case .retry: "a number from 0 to 100"
        case .verbose, .include, .remoteName, .follow, .fail, .help: nil
        }
    }

    /// Finds an option by one of its names.
    init?(named name: String) {
        guard let option = Self.allCases.first(where: { $0.names.contains(name) }) else {
            return nil
        }
        self = option
    }
}
