import Testing

@testable import BluebonnetTour

@Suite("What a fetch is called")
struct FetchTargetTests {
    @Test(
        "a URL is named without user, password, query and fragment",
        arguments: [
            ("http://a.test/b", "http://a.test/b"), ("HTTPS://a.test", "HTTPS://a.test"),
            ("http://user:hunter2@a.test/b", "http://…@a.test/b"),
            ("http://user:hun ter2@a.test/", "http://…@a.test/"),
            ("http://user:hun%20ter2@a.test/", "http://…@a.test/"),
            ("https://user@a.test/b?key=hunter2#c", "https://…@a.test/b…"),
        ])
    func names(argument: String, shown: String) {
        let target = FetchTarget(argument, position: 1)
        #expect(target.name == shown)
        #expect(target.url != nil)
    }

    @Test(
        "an argument that is not a URL with a host goes by its position, whatever it holds",
        arguments: [
            "user:hunter2@a.test", "http://user:hunter2@", "http://user:hunter2", "hunter2", "",
            "ter2@a.test/", "//user:hunter2@a.test", "ftp://user:hunter2@a.test/", "http:hunter2",
            "user:hunter2@http://a.test", "http://", " http://user:hunter2@a.test/",
            "http://user:hun/ter2@a.test/", "file:///hunter2",
        ])
    func positions(argument: String) {
        let target = FetchTarget(argument, position: 2)
        #expect(target.name == "argument 2")
        #expect(target.url == nil)
    }
}
