import Foundation

/// A reader of queries that shares no code with the encoder; names and values are bytes.
enum QueryReader {
    struct Pair {
        let name: [UInt8]
        /// Nil for a name without `=`.
        let value: [UInt8]?
    }

    static func pairs(of query: String) throws(FuzzViolation) -> [Pair] {
        guard !query.isEmpty else { return [] }
        var pairs: [Pair] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        {
            let halves = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try decoded(Array(halves[0]))
            let value = halves.count == 2 ? try decoded(Array(halves[1])) : nil
            pairs.append(Pair(name: name, value: value))
        }
        return pairs
    }

    private static func decoded(_ bytes: [UInt8]) throws(FuzzViolation) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "%") {
                let digits = String(decoding: bytes[(place + 1)...].prefix(2), as: UTF8.self)
                let isPlain = digits.utf8.count == 2 && digits == digits.uppercased()
                guard isPlain, !"+-".contains(digits.prefix(1)),
                    let value = UInt8(digits, radix: 16)
                else { throw FuzzViolation(description: "bad escape %\(digits)") }
                result.append(value)
                place += 3
            } else {
                let isKept =
                    Character(Unicode.Scalar(byte)).isASCII
                    && (Character(Unicode.Scalar(byte)).isLetter
                        || Character(Unicode.Scalar(byte)).isNumber
                        || "-._~/?+".utf8.contains(byte))
                try require(isKept, "byte \(byte) is not escaped")
                result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                place += 1
            }
        }
        return result
    }
}

extension QueryReader {
    /// The tree that the brackets in names describe: members by their keys, elements by their
    /// index.
    indirect enum Node {
        case leaf([UInt8]?)
        case branch([[UInt8]: Node])
    }

    static func tree(of pairs: [Pair]) throws(FuzzViolation) -> Node {
        var root = Node.branch([:])
        for pair in pairs {
            try insert(pair.value, at: path(of: pair.name)[...], into: &root)
        }
        return root
    }

    /// Returns `a[b][0]` as `a`, `b` and `0`.
    private static func path(of name: [UInt8]) throws(FuzzViolation) -> [[UInt8]] {
        let parts = name.split(separator: UInt8(ascii: "["), omittingEmptySubsequences: false)
        var path = [Array(parts[0])]
        for part in parts.dropFirst() {
            try require(part.last == UInt8(ascii: "]"), "a bracket is not closed")
            path.append(Array(part.dropLast()))
        }
        return path
    }

    private static func insert(
        _ value: [UInt8]?, at path: ArraySlice<[UInt8]>, into node: inout Node
    ) throws(FuzzViolation) {
        guard case .branch(var members) = node, let step = path.first else {
            throw FuzzViolation(description: "a name has a value and members")
        }
        if path.count == 1 {
            try require(members[step] == nil, "a name repeats")
            members[step] = .leaf(value)
        } else {
            var member = members[step] ?? .branch([:])
            try insert(value, at: path.dropFirst(), into: &member)
            members[step] = member
        }
        node = .branch(members)
    }
}
