import Bluebonnet
import Testing

@testable import Crawl

@Suite("What a page and a robots.txt say")
struct PageTests {
    @Test("links are found in anchors, however they are written")
    func references() {
        let html = """
            <a href="/a?b=1&amp;c=2">a</a> <A CLASS=x HREF = 'b'>b</A> <a
            href=c>c</a> <abbr href="no"> <link href="no"> <a name="no"> <a data-href="no">
            """
        #expect(Page.references(in: html) == ["/a?b=1&c=2", "b", "c"])
    }

    @Test("a title is one line without control characters")
    func title() {
        let html = "<html><Title>Gärten &amp;\r\n\u{1B}[31mblumen</title><title>no</title>"
        #expect(Page.title(in: html) == "Gärten & [31mblumen")
        #expect(Page.title(in: "<p>none").isEmpty)
    }

    @Test(
        "a link has no fragment, and leads to the web",
        arguments: [
            ("b#c", "http://site.test/a/b"), ("../d", "http://site.test/d"),
            ("//other.test", "http://other.test/"), ("mailto:a@b.test", nil),
            ("javascript:void(0)", nil),
        ])
    func url(reference: String, url: String?) {
        let page = URL(string: "http://site.test/a/")
        #expect(Page.url(reference, from: page)?.absoluteString == url)
    }

    @Test(
        "rules are those for all crawlers",
        arguments: [
            ("/private/a", false), ("/a?print=1", false), ("/a", true), ("/images/a.png", false),
            ("/other", true),
        ])
    func robots(path: String, isAllowed: Bool) throws {
        let robots = Robots(
            """
            user-agent: another # and all
            User-agent: *
            User-agent: one more
            Disallow: /private/
            Disallow: /a?print
            Disallow: /images/*.png$
            Disallow:

            User-agent: other
            Disallow: /other
            """)
        #expect(robots.allows(try #require(URL(string: "http://site.test\(path)"))) == isAllowed)
    }

    @Test("the command takes one URL and options")
    func arguments() {
        let command = CrawlCommand(["--pages", "3", "http://site.test", "--allow-private"])
        #expect(command?.start.absoluteString == "http://site.test/")
        #expect(command?.maximumPages == 3 && command?.allowsPrivateAddresses == true)
        for refused in [[], ["--pages", "0", "http://site.test"], ["file:///etc"], ["--x"]] {
            #expect(CrawlCommand(refused) == nil)
        }
    }
}
