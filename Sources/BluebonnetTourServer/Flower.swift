/// A resource of the tour's server.
package struct Flower: Codable, Equatable, Sendable {
    package var name: String
    package var petals: Int

    package init(name: String, petals: Int) {
        self.name = name
        self.petals = petals
    }
}
