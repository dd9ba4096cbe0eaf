/// A resource of the tour's server.
struct Flower: Codable, Equatable, Sendable {
    var name: String
    var petals: Int
}
