import Bluebonnet

/// Compares a request with that of an interaction.
struct RequestComparison {
    struct Difference {
        /// The extent to which the difference suggests that another interaction was meant.
        let weight: Int
        let text: String
    }

    let actual: RecordedRequest
    let recorded: RecordedRequest
    let matching: CassetteMatching

    /// Whether the interaction can answer the request.
    var isMatch: Bool { checks.allSatisfy { $0().isEmpty } }

    /// The differences, the greatest first.
    var differences: [Difference] { checks.flatMap { $0() } }

    /// The comparisons, the cheapest first.
    private var checks: [() -> [Difference]] {
        let actualURL = RequestURL(actual.url)
        let recordedURL = RequestURL(recorded.url)
        return [
            { compare("the path", actualURL?.path, recordedURL?.path, weight: 16) },
            { compare("the method", actual.method, recorded.method, weight: 8) },
            {
                matching.comparesOrigin
                    ? compare("the origin", actualURL?.origin, recordedURL?.origin, weight: 8) : []
            },
            {
                matching.comparesQuery
                    ? compare(actualURL?.items ?? [], recordedURL?.items ?? []) : []
            },
            { matching.headers.flatMap(compareFields) },
            { matching.comparesBody ? compareBodies() : [] },
        ]
    }

    private func compare(
        _ what: String, _ actual: String?, _ recorded: String?, weight: Int
    ) -> [Difference] {
        let (actual, recorded) = (actual ?? "", recorded ?? "")
        if PlaceholderPattern(recorded).matches(actual) { return [] }
        return [Difference(weight: weight, text: "\(what) is \(actual), recorded \(recorded)")]
    }

    // MARK: The query

    private func compare(_ actual: [RequestURL.Item], _ recorded: [RequestURL.Item]) -> [Difference]
    {
        var differences: [Difference] = []
        let names = Set((actual + recorded).map(\.name)).sorted()
        for name in names {
            let (values, wanted) = (
                actual.filter { $0.name == name }.map(\.value),
                recorded.filter { $0.name == name }.map(\.value)
            )
            let isEqual =
                values.count == wanted.count
                && zip(values, wanted).allSatisfy { value, wanted in
                    (value == nil) == (wanted == nil)
                        && PlaceholderPattern(wanted ?? "").matches(value ?? "")
                }
            guard !isEqual else { continue }
            let text = "the query has \(shown(name, values)), recorded \(shown(name, wanted))"
            differences.append(Difference(weight: 2, text: text))
        }
        return differences
    }

    private func shown(_ name: String, _ values: [String?]) -> String {
        guard !values.isEmpty else { return "no \(name)" }
        return values.map { value in value.map { "\(name)=\($0)" } ?? name }
            .joined(separator: "&").excerpt
    }

    // MARK: Fields

    private func compareFields(_ name: String) -> [Difference] {
        let values = HTTPHeaders(actual.fields).values(of: name)
        let wanted = HTTPHeaders(recorded.fields).values(of: name)
        let isEqual =
            values.count == wanted.count
            && zip(values, wanted).allSatisfy { PlaceholderPattern($1).matches($0) }
        guard !isEqual else { return [] }
        let text = "the header field \(name) is \(shown(values)), recorded \(shown(wanted))"
        return [Difference(weight: 2, text: text)]
    }

    private func shown(_ values: [String]) -> String {
        values.isEmpty ? "missing" : values.joined(separator: ", ").excerpt
    }

    // MARK: The body

    private func compareBodies() -> [Difference] {
        guard let actual = actual.body, let recorded = recorded.body else { return [] }
        return actual.difference(from: recorded)
            .map { [Difference(weight: 1, text: "the body \($0)")] } ?? []
    }
}

extension String {
    /// At most 60 characters of the string, for errors.
    var excerpt: String { count > 60 ? "\(prefix(60))…" : self }
}
