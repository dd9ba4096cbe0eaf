import Bluebonnet

/// Bytes in the place of others.
struct Replacement {
    let range: Range<Int>
    let bytes: Data
}

extension Data {
    /// The data with replacements, which are in order and do not overlap; its indices begin at 0.
    func replacing(_ replacements: [Replacement]) -> Data {
        var (result, place) = (Data(), 0)
        for replacement in replacements {
            result += self[place..<replacement.range.lowerBound] + replacement.bytes
            place = replacement.range.upperBound
        }
        return result + self[place...]
    }
}

extension RecordedBody {
    /// The body with replacements, in pieces that end at the same places.
    func replacing(_ replacements: [Replacement]) -> Self {
        guard !replacements.isEmpty else { return self }
        var body = self
        body.data = Data(data).replacing(replacements)
        guard let pieces else { return body }
        var (former, end) = (0, 0)
        body.pieces = pieces.map { piece in
            former += piece.count
            let start = end
            end =
                former
                + replacements.filter { $0.range.lowerBound < former }.reduce(0) {
                    // Of one that a piece ends in, all is in that piece.
                    $0 + $1.bytes.count - (min($1.range.upperBound, former) - $1.range.lowerBound)
                }
            return Piece(delay: piece.delay, count: end - start)
        }
        return body
    }
}
