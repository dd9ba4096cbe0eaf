public import Foundation

extension HTTPSessionManager {
    /// The manager's settings for writing and reading JSON.
    ///
    /// ```swift
    /// api.json.encoder.keys = .snakeCase
    /// api.json.decoder.keyDecodingStrategy = .convertFromSnakeCase
    /// ```
    public var json: JSON { JSON(manager: self) }

    /// A manager's settings for JSON; every member can be used on any thread.
    public struct JSON: Sendable {
        let manager: HTTPSessionManager

        /// The encoder of the manager's ``JSONRequestSerializer``, which writes parameters as JSON.
        ///
        /// With another request serializer, it is an encoder with default settings. Setting it
        /// makes the manager send JSON from now on: a ``JSONRequestSerializer`` with the same
        /// header fields, timeout and query encoding replaces any other serializer of the library.
        /// A custom ``HTTPSessionManager/requestSerializer`` is kept, and does not use the encoder.
        /// For a single call, use the option `.encoder`.
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

        /// The decoder for the responses of `as:` and of the `async` forms that return a
        /// `Decodable` type.
        ///
        /// It is also the decoder of a ``DecodableResponseSerializer`` that was created without
        /// one. It is an object, so changes to it apply at once, even to running tasks. For a
        /// single call, use the option `.decoder`.
        public var decoder: JSONDecoder {
            get { manager.decoder.value }
            nonmutating set { manager.decoder.value = newValue }
        }
    }
}

extension RequestSerializer {
    /// The serializer's JSON encoder, or an encoder with default settings if it does not write
    /// JSON.
    var bodyEncoder: JSONBodyEncoder {
        (self as? JSONRequestSerializer)?.encoder ?? JSONBodyEncoder()
    }

    /// Returns a serializer with the same settings that writes JSON with an encoder.
    ///
    /// - Throws: An error if the serializer is not one of the library's, because its other effects
    ///   would be lost.
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
                reason: "\(type(of: self)) does not take a JSON encoder; omit the encoder option")
        }
    }
}
