public import Bluebonnet

extension SessionConfiguration {
    /// Alamofire's configurations.
    public enum Alamofire {
        /// The default configuration of a manager.
        public static var `default`: SessionConfiguration { .default }
    }

    /// Alamofire's configurations, for `Session(configuration: .af.default)`.
    public static var af: Alamofire.Type { Alamofire.self }

    /// Alamofire's name for ``/Bluebonnet/SessionConfiguration/additionalHeaders``.
    public var headers: HTTPHeaders {
        get { additionalHeaders }
        set { additionalHeaders = newValue }
    }
}

extension SessionManager {
    /// Alamofire's name for ``/Bluebonnet/SessionManager/configuration``.
    public var sessionConfiguration: SessionConfiguration { configuration }
}

extension HTTPSessionManager {
    /// The manager itself, in place of the `URLSession` of an Alamofire session.
    ///
    /// `session.configuration.headers` has the same meaning for both.
    public var session: HTTPSessionManager { self }
}
