import Foundation

extension HTTPSessionManager {
    /// Sends a request and returns the server-sent events of its response.
    ///
    /// ```swift
    /// for try await event in api.events("feed") { print(event.data) }
    /// ```
    ///
    /// Each loop sends its own request, with `Accept: text/event-stream` unless `headers` has that
    /// field. The loop fails if the status is not 200–299 or the content type is another one, with
    /// the body in the error's context. It ends with the response; an ``EventSource`` connects
    /// again.
    ///
    /// For every form and its errors, see <doc:VerbForms>. For examples, see <doc:Streams>.
    ///
    /// - Parameters:
    ///   - path: The path below ``baseURL``, or a whole URL.
    ///   - method: The method. The default is GET.
    ///   - parameters: The parameters that ``requestSerializer`` puts into the request.
    ///   - headers: The header fields.
    ///   - maximumLength: The maximum length of an event, in bytes; 1 MiB by default.
    ///   - options: Settings for this call alone.
    /// - Returns: The events.
    public func events(
        _ path: String,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        maximumLength: Int = 1_048_576,
        options: RequestOptions = []
    ) -> StreamRecords<ServerSentEvent> {
        StreamRecords(EventValues(maximumLength: maximumLength)) {
            () async throws(BluebonnetError) in
            try await self.stream(
                path, method: method, parameters: parameters, headers: .forEvents(headers),
                validatedBy: HTTPResponseSerializer.events, options: options)
        }
    }

    /// Sends a request with `Encodable` parameters and returns the server-sent events of its
    /// response.
    ///
    /// For every form and its errors, see <doc:VerbForms>. For examples, see <doc:Streams>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - method: The method. The default is GET.
    ///   - parameters: An `Encodable` value that ``requestSerializer`` writes into the query or the
    ///     body; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///     `Accept` is `text/event-stream` unless it is set here.
    ///   - maximumLength: The maximum length of an event, in bytes; 1 MiB by default. A longer one
    ///     is an error.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The events. Each loop over them sends its own request.
    @_disfavoredOverload
    public func events(
        _ path: String,
        method: HTTPMethod = .get,
        parameters: (any Encodable & Sendable)?,
        headers: HTTPHeaders? = nil,
        maximumLength: Int = 1_048_576,
        options: RequestOptions = []
    ) -> StreamRecords<ServerSentEvent> {
        StreamRecords(EventValues(maximumLength: maximumLength)) {
            () async throws(BluebonnetError) in
            try await self.stream(
                path, method: method, parameters: parameters, headers: .forEvents(headers),
                validatedBy: HTTPResponseSerializer.events, options: options)
        }
    }

    /// Returns the server-sent events of a path, which continue after a connection has ended.
    ///
    /// Each connection is a GET of its own, made when the loop asks for an event.
    ///
    /// For every form and its errors, see <doc:VerbForms>. For examples, see <doc:Streams>.
    ///
    /// - Parameters:
    ///   - path: The path below ``baseURL``, or a whole URL.
    ///   - parameters: The parameters that ``requestSerializer`` puts into each request.
    ///   - headers: The header fields of each request.
    ///   - lastEventID: The id after which the events go on, for example that of a former process;
    ///     empty, the default, for none.
    ///   - policy: When and how often it connects again.
    ///   - stateDidChange: Receives each state on the thread that changes it. It must not block.
    ///   - options: Settings for each connection.
    /// - Returns: The events.
    public func eventSource(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        lastEventID: String = "",
        policy: EventSource.Policy = EventSource.Policy(),
        stateDidChange: (@Sendable (EventSource.State) -> Void)? = nil,
        options: RequestOptions = []
    ) -> EventSource {
        EventSource(
            policy: policy, lastEventID: lastEventID, clock: clock,
            stateDidChange: stateDidChange
        ) { lastEventID async throws(BluebonnetError) in
            var fields = HTTPHeaders.forEvents(headers)
            let id = HTTPHeaders.Field(name: "Last-Event-ID", value: lastEventID)
            // An id that no field can have would make every other connection fail.
            if !lastEventID.isEmpty, lastEventID.utf8.count <= 8192,
                (try? id.check()) != nil
            {
                fields["Last-Event-ID"] = lastEventID
            }
            if fields["Cache-Control"] == nil { fields["Cache-Control"] = "no-cache" }
            return try await self.stream(
                path, parameters: parameters, headers: fields,
                validatedBy: HTTPResponseSerializer(
                    acceptableStatusCodes: [200, 204],
                    acceptableContentTypes: [ServerSentEvent.contentType]),
                options: options)
        }
    }

    /// Sends a request and returns the lines of its response as UTF-8 text.
    ///
    /// A line ends with LF, CR LF or CR. Invalid bytes become U+FFFD.
    ///
    /// For every form and its errors, see <doc:VerbForms>. For examples, see <doc:Streams>.
    ///
    /// - Parameters:
    ///   - path: The path below ``baseURL``, or a whole URL.
    ///   - method: The method. The default is GET.
    ///   - parameters: The parameters that ``requestSerializer`` puts into the request.
    ///   - headers: The header fields.
    ///   - maximumLength: The maximum length of a line, in bytes; 1 MiB by default.
    ///   - options: Settings for this call alone.
    /// - Returns: The lines.
    public func lines(
        _ path: String,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        maximumLength: Int = 1_048_576,
        options: RequestOptions = []
    ) -> StreamRecords<String> {
        StreamRecords(SerializedValues(.string, .lines.limited(to: maximumLength))) {
            () async throws(BluebonnetError) in
            try await self.stream(
                path, method: method, parameters: parameters, headers: headers, options: options)
        }
    }

    /// Sends a request and returns the values of its response, one for each line of JSON.
    ///
    /// ```swift
    /// for try await entry in api.jsonLines("log", as: Entry.self) { print(entry) }
    /// ```
    ///
    /// For every form and its errors, see <doc:VerbForms>. For examples, see <doc:Streams>.
    ///
    /// - Parameters:
    ///   - path: The path below ``baseURL``, or a whole URL.
    ///   - type: The type of the values.
    ///   - method: The method. The default is GET.
    ///   - parameters: The parameters that ``requestSerializer`` puts into the request.
    ///   - headers: The header fields.
    ///   - maximumLength: The maximum length of a line, in bytes; 1 MiB by default.
    ///   - options: Settings for this call alone, such as the decoder.
    /// - Returns: The values. One that cannot be decoded is an error.
    public func jsonLines<Value: Decodable & Sendable>(
        _ path: String,
        as type: Value.Type = Value.self,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        maximumLength: Int = 1_048_576,
        options: RequestOptions = []
    ) -> StreamRecords<Value> {
        StreamRecords(
            framing: .jsonLines.limited(to: maximumLength), decoder: streamDecoder(options)
        ) {
            () async throws(BluebonnetError) in
            try await self.stream(
                path, method: method, parameters: parameters, headers: headers, options: options)
        }
    }

    /// Sends a request with `Encodable` parameters and returns the values of its response, one for
    /// each line of JSON.
    ///
    /// For every form and its errors, see <doc:VerbForms>. For examples, see <doc:Streams>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - type: The type of the values.
    ///   - method: The method. The default is GET.
    ///   - parameters: An `Encodable` value that ``requestSerializer`` writes into the query or the
    ///     body; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - maximumLength: The maximum length of a line, in bytes; 1 MiB by default. A longer one is
    ///     an error.
    ///   - options: Settings for this call alone, such as the decoder.
    /// - Returns: The values. One that cannot be decoded is an error.
    @_disfavoredOverload
    public func jsonLines<Value: Decodable & Sendable>(
        _ path: String,
        as type: Value.Type = Value.self,
        method: HTTPMethod = .get,
        parameters: (any Encodable & Sendable)?,
        headers: HTTPHeaders? = nil,
        maximumLength: Int = 1_048_576,
        options: RequestOptions = []
    ) -> StreamRecords<Value> {
        StreamRecords(
            framing: .jsonLines.limited(to: maximumLength), decoder: streamDecoder(options)
        ) {
            () async throws(BluebonnetError) in
            try await self.stream(
                path, method: method, parameters: parameters, headers: headers, options: options)
        }
    }

    private func streamDecoder(_ options: RequestOptions) -> any DataDecoder {
        let defaults = serializerDefaults(TaskOptions(options))
        return defaults.otherDecoder ?? defaults.decoder
    }
}

extension HTTPHeaders {
    /// Returns the fields of a request for an event stream.
    static func forEvents(_ headers: HTTPHeaders?) -> HTTPHeaders {
        var fields = headers ?? [:]
        if fields["Accept"] == nil { fields["Accept"] = ServerSentEvent.contentType }
        return fields
    }
}

extension HTTPResponseSerializer {
    /// Accepts event streams.
    fileprivate static var events: HTTPResponseSerializer {
        HTTPResponseSerializer(acceptableContentTypes: [ServerSentEvent.contentType])
    }
}
