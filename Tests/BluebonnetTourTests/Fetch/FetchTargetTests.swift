import Foundation
import Testing

@testable import BluebonnetTour

@Suite("A URL to fetch")
struct FetchTargetTests {
    @Test(
        "it is named without user, password, query and fragment",
        arguments: [
            ("http://a.test/b", "http://a.test/b"), ("HTTPS://a.test", "HTTPS://a.test"),
            ("http://user:hunter2@a.test/b", "http://…@a.test/b"),
            ("http://user:hun ter2@a.test/", "http://…@a.test/"),
            ("http://user:hun%20ter2@a.test/", "http://…@a.test/"),
            ("https://user@a.test/b?key=hunter2#c", "https://…@a.test/b…"),
        ])
    func names(argument: String, shown: String) throws {
        #expect(try #require(FetchTarget(argument)).name == shown)
    }

    @Test("the login in it is taken out, and no part of what is sent as a URL")
    func login() throws {
        let target = try #require(FetchTarget("http://us%40er:hun%20ter2@a.test:81/b?c=d"))
        #expect(target.url.absoluteString == "http://a.test:81/b?c=d")
        #expect(target.login == FetchOptions.Login(user: "us@er", password: "hun ter2"))
        #expect(try #require(FetchTarget("http://a.test/b")).login == nil)
        #expect(
            try #require(FetchTarget("http://user@a.test/b")).login
                == FetchOptions.Login(user: "user", password: ""))
    }

    @Test(
        "what is not an absolute HTTP URL with a host is none",
        arguments: [
            "user:hunter2@a.test", "http://user:hunter2@", "http://user:hunter2", "hunter2", "",
            "ter2@a.test/", "//user:hunter2@a.test", "ftp://user:hunter2@a.test/", "http:hunter2",
            "user:hunter2@http://a.test", "http://", " http://user:hunter2@a.test/",
            "http://user:hun/ter2@a.test/", "file:///hunter2",
        ])
    func none(argument: String) {
        #expect(FetchTarget(argument) == nil)
    }
}
