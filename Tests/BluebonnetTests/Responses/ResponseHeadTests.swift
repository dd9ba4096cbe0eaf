import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("A response's head")
struct ResponseHeadTests {
    @Test(
        "it converts to Foundation's type for any content",
        arguments: [Int.min, -1, 0, 99, 200, 1000, .max])
    func foundationsType(statusCode: Int) throws {
        let values = [
            "", " ", ";", ";;;=", "\"", "\"\\", "=", ",", "-1", "99999999999999999999999", "0x10",
            "é\u{301}", "\u{0}", "a/b; charset=", "a/b; charset=\"", "attachment; filename=",
            "attachment; filename=\"", "attachment; filename*=UTF-8''%", "attachment; filename=/",
        ]
        let names = [
            "Content-Type", "content-length", "Content-Disposition", "Content-Encoding", "X", "",
            "é",
        ]
        for address in ["http://a.test/", "a:", "/", "http://[::1%25x]/?#", "data:,"] {
            let url = try #require(URL(string: address))
            for value in values {
                var headers = HTTPHeaders()
                for name in names {
                    headers.add(name, value)
                    headers.add(name, value)
                }
                let response = ResponseHead(statusCode: statusCode, headers: headers, url: url)
                    .httpURLResponse
                #expect(response.statusCode == statusCode)
                #expect(response.url == url)
                _ = (response.suggestedFilename, response.expectedContentLength, response.mimeType)
            }
        }
    }
}
