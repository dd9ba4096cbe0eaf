import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetTargets

@Suite("Responses of targets")
struct TargetResponseTests {
    private func response(_ text: String, _ status: Int = 200) -> TargetResponse {
        TargetResponse(statusCode: status, data: Data(text.utf8))
    }

    /// Returns the case of an error as a word.
    private func fault(_ body: () throws -> some Any) -> String {
        do {
            return "\(try body())"
        } catch let error as TargetError {
            switch error {
            case .jsonMapping: return "json"
            case .stringMapping: return "string"
            case .objectMapping: return "object"
            case .statusCode: return "status"
            default: return "other"
            }
        } catch {
            return "foreign \(error)"
        }
    }

    @Test("a response has status code, body and head, and is equal by them")
    func members() throws {
        #expect("\(response("hello"))" == "Status Code: 200, Data Length: 5")
        #expect(response("a") == response("a") && response("a") != response("b"))
        #expect(response("a") != response("a", 201))
        let url = try #require(URL(string: "https://h/a"))
        func head(_ value: String) throws -> HTTPURLResponse {
            try #require(
                HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil, headerFields: ["X-A": value]))
        }
        let first = TargetResponse(statusCode: 200, data: Data(), response: try head("1"))
        let second = TargetResponse(statusCode: 200, data: Data(), response: try head("2"))
        #expect(first != second && first.head?.headers["X-A"] == "1")
        #expect(first.response?.statusCode == 200 && response("a").response == nil)
        #expect(first == TargetResponse(statusCode: 200, data: Data(), response: try head("1")))
    }

    @Test("filters accept status codes in their ranges")
    func filters() {
        #expect(fault { try response("", -1).filter(statusCodes: 0...9) } == "status")
        #expect(fault { try response("", 10).filter(statusCodes: 0...9) } == "status")
        #expect(fault { try response("", 10).filter(statusCodes: 0..<10) } == "status")
        #expect(throws: Never.self) { try response("", 9).filter(statusCodes: 0...9) }
        #expect(throws: Never.self) { try response("", 500).filter(statusCodes: 400...) }
        #expect(throws: Never.self) { try response("", 201).filter(statusCode: 201) }
        #expect(fault { try response("", 200).filter(statusCode: 201) } == "status")
        for status in [200, 299] {
            #expect(throws: Never.self) { try response("", status).filterSuccessfulStatusCodes() }
        }
        for status in [199, 300] {
            #expect(fault { try response("", status).filterSuccessfulStatusCodes() } == "status")
        }
        for (status, isGood) in [(199, false), (200, true), (399, true), (400, false)] {
            let result = fault {
                try response("", status).filterSuccessfulStatusAndRedirectCodes()
            }
            #expect((result != "status") == isGood)
        }
    }

    @Test("JSON becomes plain values, also fragments")
    func json() throws {
        #expect(try response("4").mapJSON() as? Int == 4)
        #expect(try response(#"{"a":[1]}"#).mapJSON() as? [String: [Int]] == ["a": [1]])
        #expect(fault { try response("").mapJSON() } == "json")
        #expect(fault { try response("{").mapJSON() } == "json")
        #expect(try response("").mapJSON(failsOnEmptyData: false) is NSNull)
    }

    @Test("a string is the UTF-8 body, or the value at a key path of an object")
    func string() throws {
        #expect(try response("é").mapString() == "é")
        #expect(try response("").mapString() == "")
        let latin = TargetResponse(statusCode: 200, data: Data([0xE9]))
        #expect(fault { try latin.mapString() } == "string")
        let body = response(#"{"a":{"b":["x",4]},"c":"top"}"#)
        #expect(try body.mapString(atKeyPath: "c") == "top")
        #expect(try body.mapString(atKeyPath: "a.b.0") == "x")
        for path in ["a", "a.b.1", "a.b.2", "d", "", "a..b"] {
            #expect(fault { try body.mapString(atKeyPath: path) } == "string", "\(path)")
        }
        #expect(fault { try response(#"["x"]"#).mapString(atKeyPath: "0") } == "string")
        #expect(fault { try response("x").mapString(atKeyPath: "a") } == "string")
    }

    private struct User: Codable, Equatable { var name: String }
    private struct Lenient: Decodable, Equatable { var name: String? }

    @Test("a type, also a scalar, is decoded from the body or from the value at a key path")
    func object() throws {
        #expect(try response(#"{"name":"x"}"#).map(User.self) == User(name: "x"))
        let body = response(
            #"{"u":{"name":"x"},"n":12345678901234567890,"b":true,"s":"t","url":"https://h/","z":null}"#
        )
        #expect(try body.map(User.self, atKeyPath: "u") == User(name: "x"))
        #expect(try body.map(UInt64.self, atKeyPath: "n") == 12_345_678_901_234_567_890)
        #expect(try body.map(Bool.self, atKeyPath: "b"))
        #expect(try body.map(String.self, atKeyPath: "s") == "t")
        #expect(try body.map(URL.self, atKeyPath: "url").host == "h")
        #expect(try body.map(Int?.self, atKeyPath: "z") == nil)
        #expect(fault { try body.map(Bool.self, atKeyPath: "n") } == "object")
        #expect(fault { try body.map(String.self, atKeyPath: "b") } == "object")
        #expect(fault { try body.map([Bool].self, atKeyPath: "b") } == "object")
        #expect(fault { try body.map(Int.self, atKeyPath: "z") } == "object")
        #expect(fault { try body.map(User.self, atKeyPath: "u.v") } == "json")
        #expect(fault { try response("[1]").map(Int.self, atKeyPath: "0") } == "json")
        #expect(fault { try response("{").map(User.self) } == "object")
        #expect(fault { try response("{").map(User.self, atKeyPath: "a") } == "json")
    }

    @Test("an empty body can stand for an empty object, or for an array of one")
    func emptyBody() throws {
        let empty = response("")
        #expect(fault { try empty.map(Lenient.self) } == "object")
        #expect(try empty.map(Lenient.self, failsOnEmptyData: false) == Lenient())
        #expect(try empty.map([Lenient].self, failsOnEmptyData: false) == [Lenient()])
        #expect(fault { try empty.map(User.self, failsOnEmptyData: false) } == "object")
        #expect(try empty.map(Lenient.self, atKeyPath: "a", failsOnEmptyData: false) == Lenient())
        #expect(
            fault { try response("{}").map(Lenient.self, atKeyPath: "a", failsOnEmptyData: false) }
                == "json")
    }

    @Test("the decoder's strategies apply to the value at a key path, not to the path")
    func strategies() throws {
        struct Item: Decodable { var fullName: String }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = response(#"{"the_item":{"full_name":"x"}}"#)
        #expect(try body.map(Item.self, atKeyPath: "the_item", using: decoder).fullName == "x")
    }

    @Test(
        "a key with dots is tried whole, digits index arrays, and the first equal key counts"
    )
    func keyPaths() throws {
        let body = response(
            #" { "a.b" : 1 , "a":{"b":2,"c.d":{"e":3}}, "l":[[],{"x":[4,5]}],"\u0061\"":6,"a":7, "t\\":{"u":8}} "#
        )
        #expect(try body.map(Int.self, atKeyPath: "a.b") == 1)
        #expect(try body.map(Int.self, atKeyPath: "a.c.d.e") == 3)
        #expect(try body.map(Int.self, atKeyPath: "l.1.x.1") == 5)
        #expect(try body.map(Int.self, atKeyPath: "a\"") == 6)
        #expect(try body.map(Int.self, atKeyPath: "t\\.u") == 8)
        for path in ["l.2", "l.-1", "l.x", "a.b.c", "l.1.x.2"] {
            #expect(fault { try body.map(Int.self, atKeyPath: path) } == "json", "\(path)")
        }
        #expect(throws: Never.self) {
            try response(#"{"":{"":1}}"#).map(Int.self, atKeyPath: ".")
        }
    }

    @Test("an error has its response, a description and the underlying error")
    func errors() throws {
        let response = response("x", 500)
        let bad = URLError(.timedOut)
        let all: [(TargetError, Bool, Bool)] = [
            (.jsonMapping(response), true, false), (.stringMapping(response), true, false),
            (.objectMapping(bad, response), true, true), (.statusCode(response), true, false),
            (.encodableMapping(bad), false, true), (.underlying(bad, response), true, true),
            (.underlying(bad, nil), false, true), (.requestMapping("u"), false, false),
            (.parameterEncoding(bad), false, true),
        ]
        for (error, hasResponse, hasUnderlying) in all {
            #expect((error.response != nil) == hasResponse)
            #expect((error.underlyingError != nil) == hasUnderlying)
            #expect(error.errorDescription?.isEmpty == false)
            let info = (error as NSError).userInfo
            #expect((info[NSUnderlyingErrorKey] != nil) == hasUnderlying)
            #expect(info[NSLocalizedDescriptionKey] as? String == error.errorDescription)
        }
        let inner = BluebonnetError.cancelled(.init())
        #expect(MoyaError.underlying(inner, nil).bluebonnetError?.isCancelled == true)
        #expect(MoyaError.underlying(inner, nil).errorDescription == inner.description)
        #expect(!"\(TargetError.requestMapping("https://u:pw@h/#?k=s"))".contains("pw"))
    }
}
