import Foundation

/// A certificate for 127.0.0.1 and the authority that it is of, in PEM.
struct ServerCertificates {
    let directory: URL

    var authority: URL { directory.appendingPathComponent("ca.pem") }
    var chain: URL { directory.appendingPathComponent("server.pem") }
    var key: URL { directory.appendingPathComponent("server.key") }

    /// Makes them in the workspace.
    static func make(in workspace: Workspace) throws -> ServerCertificates {
        let openssl = try InstalledProgram(name: "openssl").locate()
        let made = ServerCertificates(directory: workspace.directory)
        let authorityKey = workspace.directory.appendingPathComponent("ca.key").path
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        for arguments in [
            [
                "-subj", "/CN=Bluebonnet Benchmark", "-keyout", authorityKey,
                "-out", made.authority.path,
            ],
            ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
                + ["-addext", "basicConstraints=critical,CA:FALSE"]
                + ["-CA", made.authority.path, "-CAkey", authorityKey]
                + ["-keyout", made.key.path, "-out", made.chain.path],
        ] {
            _ = try Subprocess(executable: openssl, arguments: ["req", "-x509"] + key + arguments)
                .run(in: workspace)
        }
        return made
    }
}
