import Foundation

/// The median of several rounds, with the smallest and the largest value.
struct Statistic {
    let median: Double
    let smallest: Double
    let largest: Double

    /// Creates a statistic, or returns nil without values.
    init?(_ values: some Sequence<Double>) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let middle = sorted.count / 2
        median =
            sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2
            : sorted[middle]
        smallest = first
        largest = last
    }

    /// Returns text such as "31.2 (30.8–33.0)", or the median alone if all values are equal.
    func text(digits: Int) -> String {
        func number(_ value: Double) -> String { String(format: "%.\(digits)f", value) }
        guard smallest < largest else { return number(median) }
        return "\(number(median)) (\(number(smallest))–\(number(largest)))"
    }
}
