extension SessionConfiguration {
    /// Alamofire's configurations.
    public enum Alamofire {
        /// The default configuration of a manager.
        public static var `default`: SessionConfiguration { .default }
    }

    /// Alamofire's configurations, for `Session(configuration: .af.default)`.
    public static var af: Alamofire.Type { Alamofire.self }
}
