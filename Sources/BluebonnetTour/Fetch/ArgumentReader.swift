/// Splits arguments into options, their values, and other words.
struct ArgumentReader {
    /// An option or another word.
    enum Item: Equatable {
        case word(String)
        /// An option, the name that was used for it, and its value, which is empty if it takes none.
        case option(FetchOption, name: String, value: String)
    }

    private var arguments: ArraySlice<String>
    /// The rest of an argument such as `-vL`.
    private var letters: Substring = ""
    private var hasOptions = true

    init(_ arguments: [String]) {
        self.arguments = arguments[...]
    }

    /// Returns the next item; nil at the end.
    mutating func next() throws(UsageError) -> Item? {
        if !letters.isEmpty { return try nextLetter() }
        guard let argument = arguments.popFirst() else { return nil }
        guard hasOptions, argument.hasPrefix("-"), argument != "-" else { return .word(argument) }
        if argument == "--" {
            hasOptions = false
            return try next()
        }
        if argument.hasPrefix("--") { return try long(argument) }
        letters = argument.dropFirst()
        return try nextLetter()
    }

    /// `--name`, `--name value` or `--name=value`.
    private mutating func long(_ argument: String) throws(UsageError) -> Item {
        let name = String(argument.prefix { $0 != "=" })
        let given = argument.dropFirst(name.count + 1)
        let hasValue = argument.contains("=")
        let option = try Self.option(named: name)
        guard option.value != nil else {
            guard !hasValue else { throw UsageError("\(name) takes no value") }
            return .option(option, name: name, value: "")
        }
        let value = try hasValue ? String(given) : nextValue(of: option, name)
        return .option(option, name: name, value: value)
    }

    /// `-v`, `-o FILE` or `-oFILE`, with other letters before it.
    private mutating func nextLetter() throws(UsageError) -> Item {
        let name = "-\(letters.removeFirst())"
        let option = try Self.option(named: name)
        guard option.value != nil else { return .option(option, name: name, value: "") }
        let joined = String(letters)
        letters = ""
        let value = try joined.isEmpty ? nextValue(of: option, name) : joined
        return .option(option, name: name, value: value)
    }

    private mutating func nextValue(
        of option: FetchOption, _ name: String
    ) throws(UsageError) -> String {
        guard let value = arguments.popFirst() else {
            throw UsageError("\(name) takes \(option.value ?? "a value")")
        }
        return value
    }

    /// The error has no value, which may be a password.
    private static func option(named name: String) throws(UsageError) -> FetchOption {
        if name == "--serve" {
            throw UsageError("--serve stands alone: scripts/tour --serve [PORT]")
        }
        guard let option = FetchOption(named: name) else {
            throw UsageError("unknown option \(TerminalText(name, usesUTF8: false).text)")
        }
        return option
    }
}
