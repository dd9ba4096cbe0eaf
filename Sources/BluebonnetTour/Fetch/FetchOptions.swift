import Bluebonnet

/// The options of a fetch.
struct FetchOptions: Equatable {
    /// The destination of the bodies.
    enum Destination: Equatable {
        case standardOutput
        case file(String)
        /// A file in the working directory, with the name that the response suggests.
        case suggestedName
    }

    /// A user, with a password once it is known.
    struct Login: Equatable {
        var user: String
        /// Nil if the user is asked for it.
        var password: String?
    }

    var urls: [String] = []
    var isVerbose = false
    var includesHead = false
    var destination = Destination.standardOutput
    /// Whether standard output gets the bytes unchanged even if it is a terminal.
    var isRaw = false
    var body: FetchBody?
    /// Nil for GET, or POST with a body.
    var method: String?
    var fields: [HTTPHeaders.Field] = []
    var followsRedirects = false
    var login: Login?
    /// In seconds.
    var timeout: Double?
    var failsAtErrors = false
    var retryLimit = 0
}
