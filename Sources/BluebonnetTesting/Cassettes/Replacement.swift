import Bluebonnet

/// Bytes that replace a range of others.
struct Replacement {
    let range: Range<Int>
    let bytes: Data
}

extension Data {
    /// Returns the data with replacements, which must be in order and must not overlap.
    ///
    /// The indexes of the result begin at 0.
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
    /// Returns the body with replacements, in pieces that end at the same places.
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
                    // A replacement that crosses the end of a piece belongs to that piece.
                    $0 + $1.bytes.count - (min($1.range.upperBound, former) - $1.range.lowerBound)
                }
            return Piece(delay: piece.delay, count: end - start)
        }
        return body
    }
}
