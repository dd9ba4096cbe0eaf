/// Reads options and their values one after another.
struct OptionReader {
    private var arguments: ArraySlice<String>
    private var option = ""

    init(_ arguments: some Sequence<String>) {
        self.arguments = Array(arguments)[...]
    }

    mutating func next() -> String? {
        guard let next = arguments.popFirst() else { return nil }
        option = next
        return next
    }

    mutating func value() throws -> String {
        guard let value = arguments.popFirst() else {
            throw UsageError(message: "\(option) needs a value")
        }
        return value
    }

    mutating func positiveNumber() throws -> Int {
        guard let number = Int(try value()), number > 0 else {
            throw UsageError(message: "\(option) needs a positive number")
        }
        return number
    }

    /// Returns the value of `--rounds`, the only option, or nil if it is missing.
    static func rounds(in arguments: some Sequence<String>) throws -> Int? {
        var reader = OptionReader(arguments)
        var rounds: Int?
        while let option = reader.next() {
            guard option == "--rounds" else {
                throw UsageError(message: "unknown option \(option)")
            }
            rounds = try reader.positiveNumber()
        }
        return rounds
    }
}
