import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

/// Returns a request for a URL that is known to be valid.
func request(_ method: String = "GET", _ url: String = "http://h/p") throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpMethod = method
    return request
}

/// Returns the URL that a serializer creates.
func url(
    _ parameters: Parameters?,
    _ text: String = "http://h/p",
    by serializer: any RequestSerializer = HTTPRequestSerializer()
) throws -> String? {
    try serializer.serialize(request("GET", text), parameters: parameters).url?.absoluteString
}

/// Returns the body that a serializer creates for POST, as text.
func body(
    _ parameters: Parameters?,
    by serializer: any RequestSerializer
) throws -> String? {
    try serializer.serialize(request("POST"), parameters: parameters).httpBody.map {
        String(decoding: $0, as: UTF8.self)
    }
}

/// Returns the error of a serializer for POST.
func failure(
    _ parameters: Parameters,
    by serializer: any RequestSerializer
) throws -> RequestSerializationError? {
    let request = try request("POST")
    return #expect(throws: RequestSerializationError.self) {
        try serializer.serialize(request, parameters: parameters)
    }
}

/// Every serializer.
let everySerializer: [any RequestSerializer] = [
    HTTPRequestSerializer(), JSONRequestSerializer(), PropertyListRequestSerializer(),
    PropertyListRequestSerializer(format: .binary),
]

/// Returns nested arrays.
func nest(_ depth: Int) -> any Sendable {
    var value: any Sendable = 1
    for _ in 0..<depth { value = [value] }
    return value
}

/// A type that no format supports.
struct Unsupported: Sendable {}
