/// A name and a password that a server requires.
package struct Credentials: Sendable {
    package var user: String
    package var password: String

    package init(user: String = "bluebonnet", password: String = "alamo fire") {
        self.user = user
        self.password = password
    }
}
