/// A name and a password that a server asks for.
struct Credentials: Sendable {
    var user = "bluebonnet"
    var password = "alamo fire"
}
