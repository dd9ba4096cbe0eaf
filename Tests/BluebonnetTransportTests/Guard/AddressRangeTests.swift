import Testing

@testable import BluebonnetTransport

@Suite("Address ranges and host patterns")
struct AddressRangeTests {
    @Test(
        "a range is an address with a prefix length, which is its description",
        arguments: [
            ("10.0.0.0/8", "10.0.0.0/8"), ("127.0.0.1", "127.0.0.1/32"), ("0.0.0.0/0", "0.0.0.0/0"),
            ("::/0", "::/0"), ("FD00::/8", "fd00::/8"), ("::1", "::1/128"),
            ("2001:db8:0:0::/32", "2001:db8::/32"), ("::ffff:10.0.0.0/104", "::ffff:10.0.0.0/104"),
        ]
    )
    func good(text: String, description: String) throws {
        #expect(try AddressRange(text).description == description)
    }

    @Test(
        "an invalid range is refused, and the message repeats it",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08",
            "10.0.0.0/8/8", "10.0.0.1/8", "10/8", "10.0.0/8", "010.0.0.0/8", "0x0a.0.0.0/8",
            "10.0.0.0 /8", " 10.0.0.0/8", "10.0.0.0/8 ", "10.0.0.0\u{0}/8", "10.0.0.0/255.0.0.0",
            "fd00::/129", "fd00::1/8", "[fd00::]/8", "fe80::%25eth0/10", "fe80::%eth0", "::1/0",
            "example.com", "1.2.3.4.5", "256.0.0.0/8", "10.0.0.0/8\u{0}", "10.0.0.0/٨",
        ]
    )
    func bad(text: String) throws {
        let error = try #require(throws: AddressRange.InvalidText.self) { try AddressRange(text) }
        #expect(error.text == text)
        #expect(error.description.contains(text.debugDescription))
    }

    @Test("a range contains addresses with its prefix, and none of the other family")
    func contains() throws {
        func contains(_ range: String, _ address: String) throws -> Bool {
            try AddressRange(range).contains(try #require(IPAddress(address)))
        }
        #expect(try contains("10.0.0.0/8", "10.255.255.255"))
        #expect(try !contains("10.0.0.0/8", "11.0.0.0"))
        #expect(try contains("0.0.0.0/0", "255.255.255.255"))
        #expect(try !contains("0.0.0.0/0", "::"))
        #expect(try contains("::/0", "ffff::"))
        #expect(try !contains("::/0", "0.0.0.0"))
        #expect(try contains("127.0.0.1", "127.0.0.1"))
        #expect(try !contains("127.0.0.1", "127.0.0.0"))
        #expect(try !contains("::10.0.0.0/104", "10.0.0.0"))
    }
}
