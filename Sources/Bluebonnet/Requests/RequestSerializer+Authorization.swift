import Foundation

extension RequestSerializer {
    /// Adds Basic authentication, in UTF-8, to every request of the serializer.
    ///
    /// Anyone who can read the request can read the credentials. A user name must not contain a
    /// colon, because the colon separates it from the password (RFC 7617).
    ///
    /// - Parameters:
    ///   - username: The user name, without a colon.
    ///   - password: The password.
    public mutating func setAuthorization(username: String, password: String) {
        let credentials = Data("\(username):\(password)".utf8).base64EncodedString()
        headers["Authorization"] = "Basic \(credentials)"
    }

    /// Adds a bearer token to every request of the serializer (RFC 6750).
    ///
    /// - Parameter bearerToken: The token, without the word `Bearer`.
    public mutating func setAuthorization(bearerToken: String) {
        headers["Authorization"] = "Bearer \(bearerToken)"
    }

    /// Removes the serializer's Authorization field, ignoring the case of its name.
    public mutating func clearAuthorization() {
        headers["Authorization"] = nil
    }
}
