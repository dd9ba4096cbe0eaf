import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("Loading a client identity", .timeLimit(.minutes(5)))
struct ClientIdentityTests {
    private let made: TestIdentities

    init() async throws {
        made = try await TestIdentities.shared()
    }

    private func failure(
        _ certificate: Data, _ key: Data? = nil, _ passphrase: String? = nil
    ) -> String {
        failure { try ClientIdentity(certificate: certificate, key: key, passphrase: passphrase) }
    }

    /// Returns the name of the error's case.
    private func failure(_ load: () throws -> ClientIdentity) -> String {
        do {
            return "loaded \(try load())"
        } catch let error as ClientIdentityError {
            switch error {
            case .wrongPassphrase: return "wrongPassphrase"
            case .passphraseMissing: return "passphraseMissing"
            case .keyMismatch: return "keyMismatch"
            case .noPrivateKey: return "noPrivateKey"
            case .noCertificate: return "noCertificate"
            default: return Mirror(reflecting: error).children.first?.label ?? ""
            }
        } catch {
            return "\(error)"
        }
    }

    @Test("every key format is read, and gives the same identity (3.8)")
    func formats() throws {
        let (certificate, pass) = (made.data("one.pem"), TestIdentities.passphrase)
        let one = try made.identity("one")
        #expect(one.subject == "CN=one,O=Bluebonnet")
        for name in ["one.pkcs8.der", "one.sec1.key", "one.sec1.der", "one.parameters.key"] {
            let identity = try ClientIdentity(certificate: certificate, key: made.data(name))
            #expect(identity == one, "\(name)")
            #expect(identity.hashValue == one.hashValue)
        }
        for name in ["one.encrypted.key", "one.encrypted.der", "one.key"] {
            let key = made.data(name)
            let identity = try ClientIdentity(
                certificate: made.data("one.der"), key: key, passphrase: pass)
            #expect(identity == one, "\(name)")
        }
        let rsa = try made.identity("rsa")
        #expect(rsa != one)
        for name in ["rsa.pkcs1.key", "rsa.pkcs1.der", "rsa.encrypted.key"] {
            let identity = try ClientIdentity(
                certificate: made.data("rsa.pem"), key: made.data(name), passphrase: pass)
            #expect(identity == rsa, "\(name)")
        }
        #expect(try made.identity("two") != one)
    }

    @Test("the chain is sorted from the key's certificate on, without unrelated ones")
    func chain() throws {
        let expected = [made.data("deep.der"), made.data("middle.der")]
        let pile = made.data("two.pem", "middle.pem", "deep.key", "deep.pem", "b.pem")
        #expect(try ClientIdentity(certificate: pile).certificates == expected)
        let inDER = try ClientIdentity(
            certificate: made.data("middle.der", "deep.der"), key: made.data("deep.key"))
        #expect(inDER.certificates == expected)
    }

    @Test("PKCS#12 is read with its passphrase, or without one if it has none")
    func containers() throws {
        let pass = TestIdentities.passphrase
        let deep = try ClientIdentity(
            certificate: made.data("deep.pem", "middle.pem"), key: made.data("deep.key"))
        #expect(try ClientIdentity(pkcs12: made.data("deep.p12"), passphrase: pass) == deep)
        #expect(try ClientIdentity(pkcs12File: made.file("deep.p12"), passphrase: pass) == deep)
        #expect(try ClientIdentity(pkcs12: made.data("deep.open.p12")) == deep)
        #expect(try ClientIdentity(pkcs12: made.data("deep.open.p12"), passphrase: "") == deep)
        for (name, passphrase, error) in [
            ("deep.p12", "wrong", "wrongPassphrase"), ("deep.p12", nil, "passphraseMissing"),
            ("deep.p12", "", "passphraseMissing"), ("deep.open.p12", "wrong", "wrongPassphrase"),
            ("deep.p12", "\(pass)\0", "wrongPassphrase"),
            ("certificate.p12", pass, "noPrivateKey"), ("one.pem", pass, "malformedPKCS12"),
            ("deep.legacy.p12", pass, "malformedPKCS12"), ("none", nil, "malformedPKCS12"),
        ] as [(String, String?, String)] {
            let result = failure {
                try ClientIdentity(pkcs12: made.data(name), passphrase: passphrase)
            }
            #expect(result == error, "\(name) \(error)")
        }
    }

    @Test("data that is not an identity fails with the reason")
    func faults() {
        let (one, key) = (made.data("one.pem"), made.data("one.key"))
        #expect(failure(one, made.data("two.key")) == "keyMismatch")
        #expect(failure(one, made.data("rsa.key")) == "keyMismatch")
        #expect(failure(one) == "noPrivateKey")
        #expect(failure(made.data("one.der")) == "noPrivateKey")
        #expect(failure(one, one) == "noPrivateKey")
        #expect(failure(one, Data()) == "noPrivateKey")
        let text = String(decoding: key, as: UTF8.self)
        let damaged = one + Data(text.replacing("KEY-----\nM", with: "KEY-----\nA").utf8)
        #expect(failure(damaged) == "malformedPrivateKey")
        #expect(failure(one, key.prefix(100)) == "malformedPrivateKey")
        #expect(failure(one, made.data("one.pkcs8.der").dropLast(3)) == "malformedPrivateKey")
        #expect(failure(key, key) == "noCertificate")
        #expect(failure(Data(), key) == "noCertificate")
        #expect(failure(Data("hello".utf8), key) == "malformedCertificate")
        #expect(failure(made.data("one.der").dropLast(), key) == "malformedCertificate")
        let cut = one + one.prefix(200) + Data("\n-----END CERTIFICATE-----\n".utf8)
        #expect(failure(cut, key) == "malformedCertificate")
        #expect(failure(made.data("weak.pem"), made.data("weak.key")) == "unusable")
        for name in ["one.encrypted.key", "one.encrypted.der"] {
            #expect(failure(one, made.data(name)) == "passphraseMissing")
            #expect(failure(one, made.data(name), "wrong") == "wrongPassphrase")
            #expect(failure(one, made.data(name), "") == "wrongPassphrase")
        }
        #expect(failure(one, made.data("one.encrypted.key"), "\0") == "wrongPassphrase")
    }

    @Test("files are read, and a missing or unreadable one is named")
    func files() throws {
        let identity = try ClientIdentity(
            certificateFile: made.file("one.pem"), keyFile: made.file("one.key"))
        #expect(identity == (try made.identity("one")))
        let missing = made.file("missing.pem")
        for load in [
            { try ClientIdentity(certificateFile: missing) },
            { try ClientIdentity(certificateFile: made.file("one.pem"), keyFile: missing) },
            { try ClientIdentity(pkcs12File: missing) },
        ] {
            #expect(failure(load) == "fileNotFound")
        }
        let error = #expect(throws: ClientIdentityError.self) {
            try ClientIdentity(certificateFile: missing)
        }
        #expect(error?.description.contains(missing.path) == true)
        let folder = missing.deletingLastPathComponent()
        #expect(failure { try ClientIdentity(pkcs12File: folder) } == "unreadableFile")
        let web = try #require(URL(string: "https://localhost/one.p12"))
        #expect(failure { try ClientIdentity(pkcs12File: web) } == "unreadableFile")
    }

    @Test("an expired certificate is loaded, and reports that it has expired")
    func expired() throws {
        let expired = try made.identity("expired")
        #expect(!expired.isValid())
        #expect(expired.notAfter < Date())
        let one = try made.identity("one")
        #expect(one.isValid())
        #expect(!one.isValid(at: Date() + 3 * 86_400))
        #expect(!one.isValid(at: Date() - 86_400))
    }

    @Test("neither key nor passphrase is in any printed text")
    func secrets() throws {
        let pass = TestIdentities.passphrase
        let key = try #require(String(data: made.data("deep.key"), encoding: .utf8))
        // The middle line of the Base64 has the secret part of an EC key.
        let secret = String(key.split(separator: "\n")[1])
        var printed: [String] = []
        func add(_ value: Any) {
            var dumped = ""
            dump(value, to: &dumped)
            let children = Mirror(reflecting: value).children.map { "\($0)" }.joined()
            printed.append(dumped + "\(value)" + String(reflecting: value) + children)
        }
        let identity = try ClientIdentity(pkcs12: made.data("deep.p12"), passphrase: pass)
        add(identity)
        add([identity: [identity]])
        add(ClientIdentities(anyHost: identity))
        var configuration = SessionConfiguration()
        configuration.clientIdentity = identity
        add(configuration)
        let manager = SessionManager(configuration: configuration)
        add(manager)
        add(manager.clientIdentities)
        for (certificate, key) in [
            ("one.pem", "deep.key"), ("deep.pem", "one.encrypted.key"), ("deep.key", "deep.key"),
        ] {
            do {
                add(
                    try ClientIdentity(
                        certificate: made.data(certificate), key: made.data(key),
                        passphrase: pass + "!"))
            } catch {
                add(error)
                add(error as NSError)
                add(error.localizedDescription)
            }
        }
        for text in printed {
            #expect(!text.contains(pass))
            #expect(!text.contains(secret))
        }
        #expect(printed.count == 15)
        #expect(printed[0].contains("CN=deep"))
    }
}
