import Foundation

extension RequestSerializer {
    /// Sends user name and password with every request that the serializer makes, as Basic
    /// authentication in UTF-8.
    ///
    /// They are readable by whoever can read the request. A user name must not contain a colon,
    /// which would be taken for the end of it (RFC 7617).
    public mutating func setAuthorization(username: String, password: String) {
        let credentials = Data("\(username):\(password)".utf8).base64EncodedString()
        headers["Authorization"] = "Basic \(credentials)"
    }

    /// Sends a bearer token with every request that the serializer makes (RFC 6750).
    public mutating func setAuthorization(bearerToken: String) {
        headers["Authorization"] = "Bearer \(bearerToken)"
    }

    /// Sends no Authorization of the serializer's any more, in whatever case it was set.
    public mutating func clearAuthorization() {
        headers["Authorization"] = nil
    }
}
