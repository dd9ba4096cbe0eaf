extension SessionConfiguration {
    /// Alamofire's configurations.
    public enum Alamofire {
        /// The configuration that every manager has by default.
        public static var `default`: SessionConfiguration { .default }
    }

    /// Alamofire's configurations, for `Session(configuration: .af.default)`.
    public static var af: Alamofire.Type { Alamofire.self }
}
