/// A type that takes whatever JSON there is.
struct AnyJSON: Decodable, Sendable {
    init(from decoder: any Decoder) throws {}
}
