import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Validations of the chain", .timeLimit(.minutes(1)))
struct ChainValidationTests {
    private struct Refused: Error {}

    private let rig = StubRig()

    /// Returns the error of a request whose response has a status code, a content type and a body.
    private func error(
        _ status: Int = 200, type: String? = nil, body: String = "b", accept: String? = nil,
        _ validate: (DataRequest) -> DataRequest
    ) async -> AFError? {
        let route = rig.stub.on(
            "/**",
            StubResponse(
                status, headers: type.map { ["Content-Type": $0] } ?? [:], body: Data(body.utf8)))
        defer { rig.stub.remove(route) }
        let responses = Recorder<AFDataResponse<Data?>>()
        let headers = accept.map { HTTPHeaders([.accept($0)]) }
        _ = validate(rig.manager.request("a", headers: headers)).response { responses.add($0) }
        return await responses.wait(for: 1)[0].error
    }

    @Test("by default, 200 to 299 and the types in the request's Accept field are accepted")
    func standard() async {
        for (status, isGood) in [
            (200, true), (299, true), (199, false), (300, false), (404, false),
        ] {
            #expect((await error(status) { $0.validate() } == nil) == isGood)
        }
        let accept = "text/html, application/json;q=0.9"
        #expect(await error(type: "application/json", accept: accept) { $0.validate() } == nil)
        let refused = await error(type: "image/png", accept: accept) { $0.validate() }
        #expect(refused?.responseContentType == "image/png")
        #expect(refused?.acceptableContentTypes == ["application/json", "text/html"])
        let both = await error(500, type: "image/png", accept: accept) { $0.validate() }
        #expect(both?.responseCode == 500)
        #expect(await error(type: nil, accept: "*/*") { $0.validate() } == nil)
    }

    @Test("acceptable status codes are any sequence, and an empty one accepts nothing")
    func statuses() async {
        #expect(await error(404) { $0.validate(statusCode: [404]) } == nil)
        #expect(await error(404) { $0.validate(statusCode: 400..<500) } == nil)
        #expect(await error(404) { $0.validate(statusCode: Set([404])) } == nil)
        let refused = await error(200) { $0.validate(statusCode: []) }
        #expect(refused?.isResponseValidationError == true && refused?.responseCode == 200)
        #expect(await error(200) { $0.validate(statusCode: 201...201) }?.responseCode == 200)
    }

    @Test(
        "types are compared without case and parameters, and * matches anything",
        arguments: [
            ("application/json", "application/json", true),
            ("Application/JSON; charset=utf-8", " application/json ;v=1", true),
            ("application/json", "application/*", true), ("application/json", "*/json", true),
            ("application/json", "*/*", true), ("application/json", "text/*", false),
            ("application/json", "json", false), ("application/json", "", false),
            ("application/json", "a/b/c", false), ("nonsense", "*/*", true),
            ("nonsense", "*/nonsense", false), (nil, "*/*", true), (nil, "text/plain", false),
        ] as [(String?, String, Bool)])
    func types(type: String?, acceptable: String, isGood: Bool) async {
        let error = await error(type: type) { $0.validate(contentType: [acceptable]) }
        #expect((error == nil) == isGood)
        #expect(
            await self.error(type: type, body: "") { $0.validate(contentType: [acceptable]) } == nil
        )
    }

    @Test("the acceptable types are evaluated after the response, and sorted in the error")
    func lateTypes() async {
        let count = Locked(0)
        @Sendable func types() -> [String] {
            count.withLock { $0 += 1 }
            return ["b/b", "a/a"]
        }
        let error = await error(type: "c/c") { request in
            let validated = request.validate(contentType: types())
            #expect(count.withLock { $0 } == 0)
            return validated
        }
        #expect(error?.acceptableContentTypes == ["a/a", "b/b"] && count.withLock { $0 } == 1)
    }

    @Test("a closure gets request, response and body, and its error is wrapped")
    func closure() async {
        let seen = Recorder<String>()
        let good = await error(451, body: "why") { request in
            request.validate { request, response, data in
                let text = data.map { String(decoding: $0, as: UTF8.self) } ?? "none"
                seen.add("\(request?.url?.path ?? "") \(response.statusCode) \(text)")
                return .success(())
            }
        }
        #expect(good == nil && seen.all == ["/a 451 why"])
        let refused = await error(body: "") { request in
            request.validate { _, _, data in
                data == nil ? .failure(Refused()) : .success(())
            }
        }
        #expect(refused?.underlyingError is Refused && refused?.isResponseValidationError == true)
        let own = await error { $0.validate { _, _, _ in .failure(AFError.cancelled(.init())) } }
        #expect(own?.isExplicitlyCancelledError == true)
    }

    @Test("validations run in order, up to the first error")
    func order() async {
        let asked = Recorder<Int>()
        func add(_ number: Int, _ result: Request.ValidationResult) -> DataRequest.Validation {
            { _, _, _ in
                asked.add(number)
                return result
            }
        }
        let error = await error(404) { request in
            request.validate(add(1, .success(()))).validate(statusCode: [404])
                .validate(add(2, .failure(Refused()))).validate(add(3, .success(())))
                .validate(statusCode: [200])
        }
        #expect(error?.underlyingError is Refused && asked.all == [1, 2])
        let first = await self.error(404) {
            $0.validate().validate(add(4, .failure(Refused())))
        }
        #expect(first?.responseCode == 404 && asked.count == 2)
    }

    @Test("without a response, no validation runs")
    func noResponse() async {
        let asked = Recorder<Int>()
        rig.stub.on("/**") { _ in throw Exchange.Failure(.cannotConnectToHost, message: "no") }
        let responses = Recorder<AFDataResponse<Data?>>()
        rig.manager.request("a").validate { _, _, _ in
            asked.add(1)
            return .success(())
        }
        .response { responses.add($0) }
        #expect(await responses.wait(for: 1)[0].error?.isSessionTaskError == true)
        #expect(asked.count == 0)
    }

    @Test("a manager can validate all of its requests")
    func byDefault() async {
        rig.manager.validatesByDefault = true
        #expect(await error(404) { $0 }?.responseCode == 404)
        rig.manager.validatesByDefault = false
        #expect(await error(404) { $0 } == nil)
    }
}
