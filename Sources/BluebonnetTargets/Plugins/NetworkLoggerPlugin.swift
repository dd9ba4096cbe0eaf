public import BluebonnetChain

/// A plugin that logs requests and responses without their secrets.
///
/// Credentials, cookies, queries and the associated values of targets are left out. Bodies are
/// logged only on request, up to 64 KiB. In header fields and bodies, `<redacted>` replaces what
/// ``/Bluebonnet/SessionTask/cURLDescription(includingSecrets:)`` redacts, and the secrets of the
/// request that the response repeats.
public struct NetworkLoggerPlugin: PluginType {
    /// The content, format and output of the log.
    public let configuration: Configuration

    /// Creates a plugin.
    ///
    /// - Parameter configuration: The content, format and output of the log. By default, methods
    ///   and header fields are printed to standard output.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Logs a request.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        let log = LogEntries(configuration: configuration, target: target)
        guard configuration.logOptions.contains(.formatRequestAsCURL) else {
            return configuration.output(target, log.items(of: request))
        }
        request.cURLDescription { [configuration] text in
            configuration.output(target, [log.entry("Request", text)])
        }
    }

    /// Logs a response or an error.
    public func didReceive(
        _ result: Result<TargetResponse, TargetError>, target: any TargetType
    ) {
        let log = LogEntries(configuration: configuration, target: target)
        configuration.output(target, log.items(of: result))
    }
}

extension NetworkLoggerPlugin {
    /// The content, format and output of a log.
    public struct Configuration: Sendable {
        /// A closure that receives the entries of a request or a response.
        public typealias OutputType =
            @Sendable (_ target: any TargetType, _ items: [String]) -> Void

        /// The format of entries.
        public var formatter: Formatter
        /// Receives the entries.
        public var output: OutputType
        /// The content to log.
        public var logOptions: LogOptions

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - formatter: The format of entries.
        ///   - output: Receives the entries, on the thread that calls the plugin. By default, it
        ///     prints each entry on a line.
        ///   - logOptions: The content to log; by default, methods and header fields.
        public init(
            formatter: Formatter = Formatter(),
            output: @escaping OutputType = Self.defaultOutput,
            logOptions: LogOptions = .default
        ) {
            self.formatter = formatter
            self.output = output
            self.logOptions = logOptions
        }

        /// The content to log.
        public typealias LogOptions = NetworkLoggerPlugin.LogOptions
        /// The format of entries.
        public typealias Formatter = NetworkLoggerPlugin.Formatter

        /// Prints each entry on a line.
        public static func defaultOutput(target: any TargetType, items: [String]) {
            for item in items { print(item) }
        }
    }

    /// The content to log.
    public struct LogOptions: OptionSet, Sendable, Hashable {
        /// The raw bits of the options.
        public let rawValue: Int

        /// Creates options from raw bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The method of a request.
        public static let requestMethod = LogOptions(rawValue: 1 << 0)
        /// The body of a request; a stream is only named, not read.
        public static let requestBody = LogOptions(rawValue: 1 << 1)
        /// The header fields of a request.
        public static let requestHeaders = LogOptions(rawValue: 1 << 2)
        /// The request as a `curl` command, which replaces all other entries of the request.
        public static let formatRequestAsCURL = LogOptions(rawValue: 1 << 3)
        /// The body of a response of a successful call.
        public static let successResponseBody = LogOptions(rawValue: 1 << 4)
        /// The body of a response of a failed call.
        public static let errorResponseBody = LogOptions(rawValue: 1 << 5)

        /// The request as a `curl` command, which replaces all other entries of the request.
        @available(*, deprecated, renamed: "formatRequestAsCURL")
        public static let formatRequestAscURL = formatRequestAsCURL

        /// The method and the header fields.
        public static let `default`: LogOptions = [.requestMethod, .requestHeaders]
        /// All options except ``formatRequestAsCURL``.
        public static let verbose: LogOptions = [
            .requestMethod, .requestHeaders, .requestBody, .successResponseBody, .errorResponseBody,
        ]
    }

    /// The format of entries.
    public struct Formatter: Sendable {
        /// A closure that returns an entry with an identifier and a message.
        public typealias EntryFormatterType =
            @Sendable (
                _ identifier: String, _ message: String, _ target: any TargetType
            ) -> String
        /// A closure that returns the text of a body.
        public typealias DataFormatterType = @Sendable (_ data: Data) -> String

        /// Returns an entry.
        public var entry: EntryFormatterType
        /// Returns the text of a request's body.
        public var requestData: DataFormatterType
        /// Returns the text of a response's body.
        public var responseData: DataFormatterType

        /// Creates a formatter.
        ///
        /// - Parameters:
        ///   - entry: Returns an entry; by default with the date in UTC (RFC 3339).
        ///   - requestData: Returns the text of a request's body; by default, the body is decoded
        ///     as UTF-8. It receives text without its secrets, and other bodies as they are.
        ///   - responseData: Returns the text of a response's body; by default, the body is decoded
        ///     as UTF-8. It receives text without its secrets, and other bodies as they are.
        public init(
            entry: @escaping EntryFormatterType = Self.defaultEntry,
            requestData: @escaping DataFormatterType = Self.defaultText,
            responseData: @escaping DataFormatterType = Self.defaultText
        ) {
            self.entry = entry
            self.requestData = requestData
            self.responseData = responseData
        }

        /// Returns an entry that begins with the date.
        public static func defaultEntry(
            identifier: String, message: String, target: any TargetType
        ) -> String {
            "Moya_Logger: [\(TimestampText.text(of: Date()))] \(identifier): \(message)"
        }

        /// Returns a body decoded as UTF-8, or a fixed text if it is not UTF-8.
        public static func defaultText(of data: Data) -> String {
            String(validating: data, as: UTF8.self) ?? "## Cannot map data to String ##"
        }
    }
}
