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
        /// Setting it makes the manager send JSON from now on: a serializer of the library's of another kind is
        /// replaced by a ``JSONRequestSerializer`` with the same header fields, timeout and query encoding. A
        /// ``HTTPSessionManager/requestSerializer`` of your own stays, and knows nothing of the encoder. For
        /// one call there is the option `.encoder`.
        public var encoder: JSONBodyEncoder {
            get { manager.requests.value.bodyEncoder }
            nonmutating _modify {
                yield &manager.requests[
                    { $0.bodyEncoder },
                    put: { serializer, encoder in
                        serializer = (try? serializer.sendingJSON(by: encoder)) ?? serializer
                    }]
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
    ///
    /// - Throws: An error where the serializer is not the library's: what else it does would be lost.
    func sendingJSON(
        by encoder: JSONBodyEncoder
    ) throws(RequestSerializationError) -> any RequestSerializer {
        switch self {
        case var json as JSONRequestSerializer:
            json.encoder = encoder
            return json
        case is HTTPRequestSerializer, is PropertyListRequestSerializer:
            return JSONRequestSerializer(encoder: encoder, besides: self)
        default:
            throw RequestSerializationError(
                reason: "\(type(of: self)) does not write JSON by an encoder; leave the option out")
        }
    }
}
