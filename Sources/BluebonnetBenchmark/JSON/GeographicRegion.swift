/// Outlines with many points, like the map of Canada.
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

    /// Returns a region with `count` points.
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

/// A deep tree.
struct Branch: Codable, Sendable {
    let name: String
    let children: [Branch]

    /// Returns trees with `count` branches in total, each a chain of `depth` branches.
    static func text(_ count: Int, depth: Int) -> String {
        let chain = (0..<depth).reduce("[]") { "[{\"name\":\"branch \($1)\",\"children\":\($0)}]" }
        let chains = Array(repeating: chain.dropFirst().dropLast(), count: count / depth)
        return "[\(chains.joined(separator: ","))]"
    }
}
