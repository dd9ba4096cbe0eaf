public import Foundation
import FoundationNetworking

/// Logs requests and responses, without secrets.
///
/// Credentials, cookies, queries and what a target carries are left out. Bodies, where they are logged, are as they were
/// sent, up to 64 KiB.
public struct NetworkLoggerPlugin: PluginType {
    /// What is logged, how, and where to.
    public let configuration: Configuration

    /// Makes a plugin.
    ///
    /// - Parameter configuration: What is logged; by default methods and header fields, to standard output.
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

    /// Logs a response, or an error.
    public func didReceive(
        _ result: Result<TargetResponse, TargetError>, target: any TargetType
    ) {
        let log = LogEntries(configuration: configuration, target: target)
        configuration.output(target, log.items(of: result))
    }
}

extension NetworkLoggerPlugin {
    /// What is logged, how, and where to.
    public struct Configuration: Sendable {
        /// Takes the entries of a request or a response.
        public typealias OutputType =
            @Sendable (_ target: any TargetType, _ items: [String]) -> Void

        /// How entries look.
        public var formatter: Formatter
        /// Takes the entries.
        public var output: OutputType
        /// What is logged.
        public var logOptions: LogOptions

        /// Makes a configuration.
        ///
        /// - Parameters:
        ///   - formatter: How entries look.
        ///   - output: Takes the entries, on the thread of the plugin; by default it prints each on a line.
        ///   - logOptions: What is logged; by default methods and header fields.
        public init(
            formatter: Formatter = Formatter(),
            output: @escaping OutputType = Self.defaultOutput,
            logOptions: LogOptions = .default
        ) {
            self.formatter = formatter
            self.output = output
            self.logOptions = logOptions
        }

        /// What is logged.
        public typealias LogOptions = NetworkLoggerPlugin.LogOptions
        /// How entries look.
        public typealias Formatter = NetworkLoggerPlugin.Formatter

        /// Prints each entry on a line.
        public static func defaultOutput(target: any TargetType, items: [String]) {
            for item in items { print(item) }
        }
    }

    /// What is logged.
    public struct LogOptions: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: Int

        /// Makes a set of bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The method.
        public static let requestMethod = LogOptions(rawValue: 1 << 0)
        /// The body of a request, as far as it is in memory.
        public static let requestBody = LogOptions(rawValue: 1 << 1)
        /// The header fields of a request.
        public static let requestHeaders = LogOptions(rawValue: 1 << 2)
        /// The request as a command line for `curl`, and nothing else of it.
        public static let formatRequestAsCURL = LogOptions(rawValue: 1 << 3)
        /// The body of a response.
        public static let successResponseBody = LogOptions(rawValue: 1 << 4)
        /// The body of a response that is refused.
        public static let errorResponseBody = LogOptions(rawValue: 1 << 5)

        /// The request as a command line for `curl`, and nothing else of it.
        @available(*, deprecated, renamed: "formatRequestAsCURL")
        public static let formatRequestAscURL = formatRequestAsCURL

        /// The method and the header fields.
        public static let `default`: LogOptions = [.requestMethod, .requestHeaders]
        /// Everything but the command line.
        public static let verbose: LogOptions = [
            .requestMethod, .requestHeaders, .requestBody, .successResponseBody, .errorResponseBody,
        ]
    }

    /// How entries look.
    public struct Formatter: Sendable {
        /// Makes an entry of what it is about and a text.
        public typealias EntryFormatterType =
            @Sendable (
                _ identifier: String, _ message: String, _ target: any TargetType
            ) -> String
        /// Makes a text of a body.
        public typealias DataFormatterType = @Sendable (_ data: Data) -> String

        /// Makes the entries.
        public var entry: EntryFormatterType
        /// Makes texts of the bodies of requests.
        public var requestData: DataFormatterType
        /// Makes texts of the bodies of responses.
        public var responseData: DataFormatterType

        /// Makes a formatter.
        ///
        /// - Parameters:
        ///   - entry: Makes the entries; by default with the date in UTC (RFC 3339).
        ///   - requestData: Makes texts of the bodies of requests; by default of those in UTF-8.
        ///   - responseData: Makes texts of the bodies of responses; by default of those in UTF-8.
        public init(
            entry: @escaping EntryFormatterType = Self.defaultEntry,
            requestData: @escaping DataFormatterType = Self.defaultText,
            responseData: @escaping DataFormatterType = Self.defaultText
        ) {
            self.entry = entry
            self.requestData = requestData
            self.responseData = responseData
        }

        /// An entry with the date.
        public static func defaultEntry(
            identifier: String, message: String, target: any TargetType
        ) -> String {
            "Moya_Logger: [\(TimestampText.text(of: Date()))] \(identifier): \(message)"
        }

        /// A body as a text.
        public static func defaultText(of data: Data) -> String {
            String(validating: data, as: UTF8.self) ?? "## Cannot map data to String ##"
        }
    }
}

/// The entries of a call.
private struct LogEntries {
    let configuration: NetworkLoggerPlugin.Configuration
    let target: any TargetType

    private static let longestBody = 64 * 1024

    /// The type of the target, and the case of an enum, without the values in it, which may be secret.
    private var name: String {
        if let request = (target as? APIRequestTarget)?.request { return "\(type(of: request))" }
        let target = (target as? MultiTarget)?.target ?? target
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum else { return "\(type(of: target))" }
        return "\(type(of: target)).\(mirror.children.first?.label ?? "\(target)")"
    }

    func entry(_ identifier: String, _ message: String) -> String {
        configuration.formatter.entry(identifier, message, target)
    }

    func items(of type: any RequestType) -> [String] {
        guard let request = type.request else { return [entry("Request", "(invalid request)")] }
        let options = configuration.logOptions
        var items = [entry("Request", request.url?.withoutSecrets ?? "(no URL)")]
        if options.contains(.requestHeaders) {
            var headers = HTTPHeaders(type.sessionHeaders)
            for (name, value) in request.allHTTPHeaderFields ?? [:] {
                headers.update(name: name, value: value)
            }
            items.append(entry("Request Headers", headers.sorted().description))
        }
        if options.contains(.requestBody) {
            if let stream = request.httpBodyStream {
                items.append(entry("Request Body Stream", stream.description))
            }
            if let body = request.httpBody {
                items.append(
                    entry("Request Body", text(of: body, configuration.formatter.requestData)))
            }
        }
        if options.contains(.requestMethod), let method = request.httpMethod {
            items.append(entry("HTTP Request Method", method))
        }
        return items
    }

    func items(of result: Result<TargetResponse, TargetError>) -> [String] {
        let options = configuration.logOptions
        switch result {
        case .success(let response):
            return items(of: response, withBody: options.contains(.successResponseBody))
        case .failure(let error):
            guard let response = error.response else {
                return [entry("Error", "Error calling \(name) : \(error)")]
            }
            return items(
                of: response,
                withBody: !options.isDisjoint(with: [.successResponseBody, .errorResponseBody]))
        }
    }

    private func items(of response: TargetResponse, withBody: Bool) -> [String] {
        guard let head = response.head else {
            return [entry("Response", "Received empty network response for \(name).")]
        }
        let text = "\(head.statusCode) \(head.url.withoutSecrets) \(head.headers)"
        var items = [entry("Response", text)]
        if withBody {
            items.append(
                entry(
                    "Response Body",
                    self.text(of: response.data, configuration.formatter.responseData)))
        }
        return items
    }

    private func text(of body: Data, _ format: NetworkLoggerPlugin.Formatter.DataFormatterType)
        -> String
    {
        guard body.count > Self.longestBody else { return format(body) }
        return format(Self.cut(body)) + "… (\(body.count) bytes)"
    }

    /// The beginning of a body, not in the middle of a character of UTF-8.
    private static func cut(_ body: Data) -> Data {
        var end = body.startIndex + longestBody
        while end > body.startIndex, body[end] & 0xC0 == 0x80 { end -= 1 }
        return body[..<end]
    }
}
