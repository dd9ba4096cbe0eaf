/// A type that accepts any JSON.
struct AnyJSON: Decodable, Sendable {
    init(from decoder: any Decoder) throws {}
}
