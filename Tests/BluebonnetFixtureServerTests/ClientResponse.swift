/// A response, as read by a plain socket client.
struct ClientResponse {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
}

extension ClientSocket {
    func get(_ target: String, headers: String = "") throws -> ClientResponse {
        try send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
        return try readResponse()
    }

    func readResponse(hasBody: Bool = true) throws -> ClientResponse {
        let lines = try read(through: "\r\n\r\n").split(separator: "\r\n")
        let statusText = lines.first?.split(separator: " ").dropFirst().first ?? ""
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        var body: [UInt8] = []
        if hasBody, let length = headers["content-length"].flatMap({ Int($0) }) {
            body = try read(length)
        } else if hasBody, headers["transfer-encoding"] == "chunked" {
            body = try readChunks()
        }
        return ClientResponse(status: Int(statusText) ?? 0, headers: headers, body: body)
    }

    private func readChunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = try read(through: "\r\n")
            let size = Int(line.dropLast(), radix: 16) ?? 0
            body += try read(size)
            _ = try read(2)
            if size == 0 { return body }
        }
    }
}
