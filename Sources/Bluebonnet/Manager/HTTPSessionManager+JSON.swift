public import Foundation

extension HTTPSessionManager {
    /// How the manager writes and reads JSON.
    ///
    /// ```swift
    /// api.json.encoder.keys = .snakeCase
    /// api.json.decoder.keyDecodingStrategy = .convertFromSnakeCase
    /// ```
    public var json: JSON { JSON(manager: self) }

    /// How a manager writes and reads JSON; every member may be used on any thread.
    public struct JSON: Sendable {
        let manager: HTTPSessionManager

        /// How parameters become the JSON of a body; that of a ``JSONRequestSerializer``.
        ///
        /// Setting it makes the manager send JSON from now on: a
        /// ``HTTPSessionManager/requestSerializer`` of another kind is replaced by one of JSON with the same
        /// header fields, timeout and query encoding. For one call there is
        /// the option `.encoder`.
        public var encoder: JSONBodyEncoder {
            get { manager.requests.value.bodyEncoder }
            nonmutating _modify {
                yield &manager.requests[{ $0.bodyEncoder }, put: { $0 = $0.sendingJSON(by: $1) }]
            }
        }

        /// Decodes the responses of `as:` and of the `async` forms that give a `Decodable` type, and those of
        /// a ``DecodableResponseSerializer`` that was made without a decoder.
        ///
        /// It is an object: what is changed in it counts at once, also for tasks under way. For one call
        /// there is the option `.decoder`.
        public var decoder: JSONDecoder {
            get { manager.decoder.value }
            nonmutating set { manager.decoder.value = newValue }
        }
    }
}

extension RequestSerializer {
    /// How it makes JSON of parameters; with the defaults where it makes something else of them.
    var bodyEncoder: JSONBodyEncoder {
        (self as? JSONRequestSerializer)?.encoder ?? JSONBodyEncoder()
    }

    /// The same, but for JSON by that encoder.
    func sendingJSON(by encoder: JSONBodyEncoder) -> any RequestSerializer {
        guard var json = self as? JSONRequestSerializer else {
            return JSONRequestSerializer(encoder: encoder, besides: self)
        }
        json.encoder = encoder
        return json
    }
}
