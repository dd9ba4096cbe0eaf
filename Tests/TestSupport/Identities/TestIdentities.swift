package import Foundation

/// Client certificates and keys in every format, created with `openssl` in a separate directory.
///
/// The authority `a` has issued `one`, `two`, `expired` and `middle`. The authority `middle` has
/// issued `deep`, and the authority `b` has issued `rsa`.
package final class TestIdentities: Sendable {
    package static let passphrase = "blue-canary-4711"

    private static let maker = Maker()

    private let directory: ServerDirectory

    /// Returns the identities that other tests are using, or new ones.
    ///
    /// Creating them takes a second.
    package static func shared() async throws -> TestIdentities {
        try await maker.identities()
    }

    private init() async throws {
        directory = try ServerDirectory()
        try OpenSSL.configure(directory)
        try await OpenSSL.run(script: Self.script, in: directory)
    }

    package func data(_ names: String...) -> Data {
        names.reduce(into: Data()) { $0 += directory.data(of: $1) }
    }

    package func file(_ name: String) -> URL { URL(fileURLWithPath: directory.path(of: name)) }

    private actor Maker {
        private weak var made: TestIdentities?
        private var making: Task<TestIdentities, any Error>?

        func identities() async throws -> TestIdentities {
            if let made { return made }
            if let making { return try await making.value }
            let task = Task { try await TestIdentities() }
            making = task
            defer { making = nil }
            let identities = try await task.value
            made = identities
            return identities
        }
    }

    private static let script = """
        set -e
        ec="-newkey ec -pkeyopt ec_paramgen_curve:P-256"
        req="openssl req -x509 -config openssl.cnf -nodes -days 2"
        for name in a b; do
            $req $ec -extensions authority -subj "/CN=Authority $name" -keyout $name.key \
                -out $name.pem
        done
        $req $ec -extensions authority -subj "/CN=Middle" -CA a.pem -CAkey a.key \
            -keyout middle.key -out middle.pem
        for name in one two; do
            $req $ec -extensions client -subj "/O=Bluebonnet/CN=$name" -CA a.pem -CAkey a.key \
                -keyout $name.key -out $name.pem
        done
        $req $ec -extensions client -subj "/CN=deep" -CA middle.pem -CAkey middle.key \
            -keyout deep.key -out deep.pem
        $req -newkey rsa:2048 -extensions client -subj "/CN=rsa" -CA b.pem -CAkey b.key \
            -keyout rsa.key -out rsa.pem
        $req -newkey rsa:512 -extensions client -subj "/CN=weak" -CA b.pem -CAkey b.key \
            -keyout weak.key -out weak.pem
        openssl req -new -config openssl.cnf $ec -nodes -subj /CN=expired -keyout expired.key \
            -out expired.csr
        openssl ca -batch -notext -config openssl.cnf -extensions client -in expired.csr \
            -cert a.pem -keyfile a.key -startdate 20200101000000Z -enddate 20210101000000Z \
            -out expired.pem
        pass="pass:\(passphrase)"
        openssl x509 -in one.pem -outform DER -out one.der
        openssl x509 -in deep.pem -outform DER -out deep.der
        openssl x509 -in middle.pem -outform DER -out middle.der
        openssl pkcs8 -topk8 -in one.key -nocrypt -outform DER -out one.pkcs8.der
        openssl pkcs8 -topk8 -in one.key -passout $pass -out one.encrypted.key
        openssl pkcs8 -topk8 -in one.key -passout $pass -outform DER -out one.encrypted.der
        openssl ec -in one.key -out one.sec1.key
        openssl ec -in one.key -outform DER -out one.sec1.der
        (openssl ecparam -name prime256v1; cat one.sec1.key) >one.parameters.key
        openssl rsa -in rsa.key -traditional -out rsa.pkcs1.key
        openssl rsa -in rsa.key -traditional -outform DER -out rsa.pkcs1.der
        openssl rsa -in rsa.key -traditional -aes256 -passout $pass -out rsa.encrypted.key
        p12="openssl pkcs12 -export -inkey deep.key -in deep.pem -certfile middle.pem"
        $p12 -passout $pass -out deep.p12
        $p12 -passout pass: -out deep.open.p12
        $p12 -passout $pass -legacy -out deep.legacy.p12
        openssl pkcs12 -export -nokeys -in deep.pem -passout $pass -out certificate.p12

        """
}
