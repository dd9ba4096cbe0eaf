import Bluebonnet

/// Parses the arguments of a fetch.
struct FetchParser {
    private var options = FetchOptions()
    /// The name of the option that set the destination.
    private var destinationName: String?

    /// Returns the options; nil if the arguments ask for help.
    static func options(_ arguments: [String]) throws(UsageError) -> FetchOptions? {
        var parser = FetchParser()
        var reader = ArgumentReader(arguments)
        while let item = try reader.next() {
            switch item {
            case .word(let word): parser.options.urls.append(word)
            case .option(.help, _, _): return nil
            case .option(let option, let name, let value):
                try parser.set(option, name, to: value)
            }
        }
        try parser.check()
        return parser.options
    }

    private mutating func set(
        _ option: FetchOption, _ name: String, to value: String
    ) throws(UsageError) {
        switch option {
        case .verbose: options.isVerbose = true
        case .include: options.includesHead = true
        case .follow: options.followsRedirects = true
        case .fail: options.failsAtErrors = true
        case .output: try setDestination(value == "-" ? .standardOutput : .file(value), name)
        case .remoteName: try setDestination(.suggestedName, name)
        case .data: try add(.form([FetchBody.Source(value)]))
        case .json: try add(.json([JSONItem(value)]))
        case .method: options.method = try Self.method(value, name)
        case .header: options.fields.append(try Self.field(value, name))
        case .user: options.login = try Self.login(value, name)
        case .timeout: options.timeout = try Self.seconds(value, name)
        case .retry: options.retryLimit = try Self.count(value, name)
        case .help: break
        }
        if option == .output, value.isEmpty { throw Self.refusal(of: option, name) }
    }

    private mutating func setDestination(
        _ destination: FetchOptions.Destination, _ name: String
    ) throws(UsageError) {
        if let other = destinationName {
            throw UsageError("\(other) and \(name) are two places for one body; give one of them")
        }
        destinationName = name
        options.destination = destination
        options.isRaw = destination == .standardOutput
    }

    private mutating func add(_ body: FetchBody) throws(UsageError) {
        switch (options.body, body) {
        case (nil, _): options.body = body
        case (.form(let first), .form(let second)): options.body = .form(first + second)
        case (.json(let first), .json(let second)): options.body = .json(first + second)
        default: throw UsageError("-d and --json are two bodies for one request; give one of them")
        }
    }

    private func check() throws(UsageError) {
        guard !options.urls.isEmpty else { throw UsageError("there is no URL to fetch") }
        for (index, argument) in options.urls.enumerated() {
            guard FetchTarget(argument) != nil else {
                throw UsageError(
                    "URL \(index + 1) does not begin with http:// or https://, or has no host")
            }
        }
        if case .file = options.destination, options.urls.count > 1 {
            throw UsageError("-o takes one URL, and here are \(options.urls.count); use -O")
        }
        try options.body?.check()
    }
}

// The values of options. An error never repeats a value, which may be secret.
extension FetchParser {
    private static func refusal(of option: FetchOption, _ name: String) -> UsageError {
        UsageError("\(name) takes \(option.value ?? "nothing")")
    }

    private static func method(_ value: String, _ name: String) throws(UsageError) -> String {
        guard value.isToken else { throw refusal(of: .method, name) }
        return value
    }

    private static func field(
        _ value: String, _ name: String
    ) throws(UsageError) -> HTTPHeaders.Field {
        let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, String(parts[0]).isToken,
            parts[1].utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) })
        else { throw refusal(of: .header, name) }
        return HTTPHeaders.Field(
            name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
    }

    private static func login(
        _ value: String, _ name: String
    ) throws(UsageError) -> FetchOptions.Login {
        let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = parts.first, !user.isEmpty else { throw refusal(of: .user, name) }
        return FetchOptions.Login(
            user: String(user), password: parts.count == 2 ? String(parts[1]) : nil)
    }

    private static func seconds(_ value: String, _ name: String) throws(UsageError) -> Double {
        guard let seconds = Double(value), seconds > 0, seconds.isFinite else {
            throw refusal(of: .timeout, name)
        }
        return seconds
    }

    private static func count(_ value: String, _ name: String) throws(UsageError) -> Int {
        guard let count = Int(value), (0...100).contains(count) else {
            throw refusal(of: .retry, name)
        }
        return count
    }
}

extension String {
    /// Whether it is a token of RFC 9110 section 5.6.2.
    fileprivate var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
