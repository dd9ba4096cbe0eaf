/// Outlines of many points, as in the map of Canada.
struct Region: Codable, Sendable {
    struct Feature: Codable, Sendable {
        struct Geometry: Codable, Sendable {
            let type: String
            let coordinates: [[[Double]]]
        }
        let type: String
        let properties: [String: String]
        let geometry: Geometry
    }

    let type: String
    let features: [Feature]

    /// A region of so many points.
    static func text(_ count: Int) -> String {
        let rings = stride(from: 0, to: count, by: 50).map { start in
            let points = (start..<min(start + 50, count)).map { number in
                let angle = Double(number) * 0.731
                return "[\(-65.613616999999977 - angle),\(43.420273000000009 + angle / 7)]"
            }
            return "[\(points.joined(separator: ","))]"
        }
        return """
            {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Canada"},\
            "geometry":{"type":"Polygon","coordinates":[\(rings.joined(separator: ","))]}}]}
            """
    }
}

/// A tree that is mostly deep.
struct Branch: Codable, Sendable {
    let name: String
    let children: [Branch]

    /// So many in all, each chain of which is so deep.
    static func text(_ count: Int, depth: Int) -> String {
        let chain = (0..<depth).reduce("[]") { "[{\"name\":\"branch \($1)\",\"children\":\($0)}]" }
        let chains = Array(repeating: chain.dropFirst().dropLast(), count: count / depth)
        return "[\(chains.joined(separator: ","))]"
    }
}
