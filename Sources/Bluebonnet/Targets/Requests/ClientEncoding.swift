import Foundation
import FoundationNetworking

/// Encodes the parameters of a client's requests as the verbs of its session do.
struct ClientEncoding {
    let session: Session
    /// Encodes bodies in place of the session's encoder.
    let encoder: JSONEncoder?

    func adding(
        body: some Encodable & Sendable, to request: URLRequest
    ) throws(TargetError) -> URLRequest {
        do {
            if let encoder {
                return try JSONParameterEncoder(encoder: encoder).encode(body, into: request)
            }
            guard let data = try session.json.encoder.presentData(encoding: body) else {
                return request
            }
            var request = request
            request.setBody(data, contentType: "application/json")
            return request
        } catch {
            throw .encodableMapping(error)
        }
    }

    func adding(
        query: some Encodable & Sendable, to request: URLRequest
    ) throws(TargetError) -> URLRequest {
        do {
            guard let parameters = try Parameters.encoded(query) else { return request }
            return try session.requestSerializer.querySerializer
                .adding(query: parameters, to: request)
        } catch {
            throw .encodableMapping(error)
        }
    }
}
