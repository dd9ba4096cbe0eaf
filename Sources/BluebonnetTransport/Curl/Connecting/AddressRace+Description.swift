import Glibc

extension AddressRace {
    /// The maximum number of addresses that a message lists by name.
    ///
    /// The message gives only a count of the rest.
    private static let namedCount = 8

    /// The addresses that were tried and the outcome of each, as text for an error message.
    var attempts: String {
        let named = (0..<min(startedCount, Self.namedCount)).map { place in
            "\(addresses[place]) (\(failures[place]?.description ?? "no answer"))"
        }
        let rest = startedCount - named.count
        return "tried " + named.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

extension AddressRace.Failure: CustomStringConvertible {
    var description: String {
        let text = String(cString: strerror(errorNumber))
        return isOfSource ? "the route's source cannot be used: \(text)" : text
    }
}
