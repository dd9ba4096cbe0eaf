/// The clients that are compared, in the order of the tables.
enum Client: String, CaseIterable, Sendable {
    case bluebonnet
    case urlSession = "urlsession"
    case c
}
