import BluebonnetTransport
import Testing

@Suite("Secret field names")
struct SecretFieldNamesTests {
    @Test(
        "names of credentials, sessions and service keys are secret, in any case",
        arguments: [
            "Authorization", "PROXY-AUTHORIZATION", "cookie", "Cookie2", "Set-Cookie", "X-Api-Key",
            "ApiKey", "X-Auth", "X-Auth-Token", "X-Amz-Security-Token", "X_Session_Id", "Password",
            "X-Client-Secret", "Private-Token", "X-CSRF", "X-Signature", "DPoP", "Api_Key",
            "Ocp-Apim-Subscription-Key", "Authentication-Info", "X-Goog-Api-Key",
            "privateKey", "authCode", "userPwd", "sig", "JWTKey", "userJWT", "key2", "api.key",
            "accesskey",
        ]
    )
    func secret(name: String) {
        #expect(SecretFieldNames.contains(name))
        let field = Exchange.Field(name: name, value: "hunter2")
        #expect(field.description == "\(name): <redacted>")
    }

    @Test(
        "names that only look similar are not",
        arguments: [
            "Accept", "Author", "Content-Type", "ETag", "Idempotency-Key", "Keep-Alive", "Monkey",
            "Sec-WebSocket-Key", "User-Agent", "WWW-Authenticate", "X-Passenger", "",
            "keyboard", "Signal", "signedIn", "authorName", "KEYNOTE",
        ]
    )
    func harmless(name: String) {
        #expect(!SecretFieldNames.contains(name))
        #expect(Exchange.Field(name: name, value: "plain").description == "\(name): plain")
    }

    @Test(
        "a URL is shown without credentials, query and fragment, even an invalid one",
        arguments: [
            ("http://a.test/b", "http://a.test/b"),
            ("http://user:hunter2@a.test/b", "http://…@a.test/b"),
            ("http://user:hun/ter2@a.test/b", "http://…@a.test/b"),
            ("http://a@hunter2@a.test", "http://…@a.test"),
            ("user:hunter2@a.test", "…@a.test"), ("//user:hunter2@a.test", "…@a.test"),
            ("http://a.test/b?c=hunter2", "http://a.test/b…"), ("/b#hunter2", "/b…"),
            ("http://a.test/?x=hunter2@b", "http://a.test/…"), ("?hunter2", "…"), ("", ""),
            ("http://\u{E4}:hunter2@\u{E4}.test", "http://…@\u{E4}.test"),
            ("http://user:hunter2#x@a.test/", "http://…"), ("user:hun#ter2@a.test/b", "…"),
            ("http://user:hun?ter2@a.test/b?c", "http://…"),
            ("http://hun#ter2@a.test/", "http://…"),
            ("http://user:8#hunter2@a.test/", "http://…"), ("user:hunter2@a.test/x", "…@a.test/x"),
            ("http://a.test/b?c=d@e", "http://a.test/b…"), ("/b?c=hunter2@d", "/b…"),
            ("user:hunter2@a.test/?b=http://c.test", "…@a.test/…"),
            ("user:hunter2@http://a.test", "…@http://a.test"), ("a:hunter2?://b@c", "…"),
        ]
    )
    func urls(text: String, shown: String) {
        #expect(text.withoutURLSecrets == shown)
        let field = Exchange.Field(name: "Location", value: text)
        #expect(field.description == "Location: \(shown)")
    }
}
