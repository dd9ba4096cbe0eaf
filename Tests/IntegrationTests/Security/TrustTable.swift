import Bluebonnet
import BluebonnetTestSupport
import Foundation

/// The verdict of every policy on every certificate, as in AFNetworking.
enum TrustTable {
    /// The servers, which are the columns.
    static let servers: [TestPKI.Server] = [
        .good, .expired, .future, .wrongHost, .selfSigned, .ipAddress, .wildcard, .missing,
        .expiredIssuer, .attacker, .trustedAttacker,
    ]

    /// A policy and its verdict on each server: a dot for good, or the failing check.
    struct Row: Sendable, CustomStringConvertible {
        let description: String
        let make: @Sendable (TestPKI) throws -> SecurityPolicy
        let verdicts: [Exchange.Failure.CertificateFault.Check?]

        init(
            _ description: String,
            _ verdicts: String,
            _ make: @escaping @Sendable (inout SecurityPolicy, TestPKI) throws -> Void
        ) {
            self.description = description
            self.make = { pki in
                var policy = SecurityPolicy(certificateAuthorities: pki.authorities)
                try make(&policy, pki)
                return policy
            }
            self.verdicts = verdicts.split(separator: " ").map(String.init).map(Self.check)
        }

        private static func check(_ text: String) -> Exchange.Failure.CertificateFault.Check? {
            switch text {
            case "name": .hostName
            case "end": .expiry
            case ".": nil
            default: .init(rawValue: text)
            }
        }
    }

    /// The columns have the order of ``servers``.
    static let rows = [
        // Without pins
        Row("no pins", ". end start name issuer . . issuer end issuer .") { _, _ in },
        Row("no pins, any name", ". end start . issuer . . issuer end issuer .") { policy, _ in
            policy.validatesDomainName = false
        },
        Row("no pins, invalid ones, any name", ". . . . . . . . . . .") { policy, _ in
            policy.allowInvalidCertificates = true
            policy.validatesDomainName = false
        },
        Row("no pins, the root in memory", ". end start name issuer . . issuer end issuer issuer") {
            policy, pki in
            policy.certificateAuthorities = nil
            policy.trustedCertificates = [try pki.certificate("root")]
        },
        // Certificates
        Row("the leaf", ". end start pin issuer pin pin issuer end issuer pin") { policy, pki in
            try policy.pin(.certificate, ["good"], pki)
        },
        Row("the intermediate", ". end start name issuer . . issuer end issuer pin") {
            policy, pki in
            try policy.pin(.certificate, ["intermediate"], pki)
        },
        Row("the root", ". end start name issuer . . issuer end issuer pin") { policy, pki in
            try policy.pin(.certificate, ["root"], pki)
        },
        Row("the leaf, any name", ". end start pin issuer pin pin issuer end issuer pin") {
            policy, pki in
            try policy.pin(.certificate, ["good"], pki)
            policy.validatesDomainName = false
        },
        Row(
            "a leaf with the wrong name, any name",
            "pin end start . issuer pin pin issuer end issuer pin"
        ) {
            policy, pki in
            try policy.pin(.certificate, ["wrongHost"], pki)
            policy.validatesDomainName = false
        },
        Row("two leaves", ". end start name issuer pin pin issuer end issuer pin") { policy, pki in
            try policy.pin(.certificate, ["good", "wrongHost"], pki)
        },
        Row(
            "the leaf, with another authority",
            "issuer issuer issuer issuer issuer issuer issuer issuer issuer pin issuer"
        ) { policy, pki in
            try policy.pin(.certificate, ["good"], pki)
            policy.certificateAuthorities = nil
            policy.trustedCertificates = [try pki.certificate("rogue")]
        },
        // Certificates as anchors
        Row("the leaf, invalid ones", ". pin pin pin pin pin pin . pin pin pin") { policy, pki in
            try policy.pin(.certificate, ["good"], pki, allowInvalid: true)
        },
        Row("the intermediate, invalid ones", ". end start name pin . . . pin pin pin") {
            policy, pki in
            try policy.pin(.certificate, ["intermediate"], pki, allowInvalid: true)
        },
        Row("the root, invalid ones", ". end start name pin . . pin end pin pin") { policy, pki in
            try policy.pin(.certificate, ["root"], pki, allowInvalid: true)
        },
        Row("the self-signed, invalid ones", "pin pin pin pin . pin pin pin pin pin pin") {
            policy, pki in
            try policy.pin(.certificate, ["selfSigned"], pki, allowInvalid: true)
        },
        Row("the expired, invalid ones", "pin end pin pin pin pin pin pin pin pin pin") {
            policy, pki in
            try policy.pin(.certificate, ["expired"], pki, allowInvalid: true)
        },
        Row("the misnamed, invalid ones, any name", "pin pin pin . pin pin pin pin pin pin pin") {
            policy, pki in
            try policy.pin(.certificate, ["wrongHost"], pki, allowInvalid: true)
            policy.validatesDomainName = false
        },
        // Keys
        Row("the leaf's key", ". end start name issuer pin pin issuer end issuer pin") {
            policy, pki in
            try policy.pinKeys(["good"], pki)
        },
        Row("the intermediate's key", ". end start name issuer . . issuer end issuer pin") {
            policy, pki in
            try policy.pinKeys(["intermediate"], pki)
        },
        Row("the root's key and a backup", ". end start name issuer . . issuer end issuer pin") {
            policy, pki in
            try policy.pinKeys(["rogue", "root"], pki)
        },
        Row("a backup key alone", "pin end start pin issuer pin pin issuer end issuer pin") {
            policy, pki in
            try policy.pinKeys(["rogue"], pki)
        },
        Row(
            "the leaf's key by its certificate",
            ". end start name issuer pin pin issuer end issuer pin"
        ) {
            policy, pki in
            try policy.pin(.publicKey, ["good"], pki)
        },
        // Keys of anchors
        Row("the leaf's key, invalid ones", ". . . name pin pin pin . pin pin pin") {
            policy, pki in
            try policy.pinKeys(["good"], pki, allowInvalid: true)
        },
        Row("the leaf's key, invalid ones, any name", ". . . . pin pin pin . pin pin pin") {
            policy, pki in
            try policy.pinKeys(["good"], pki, allowInvalid: true)
            policy.validatesDomainName = false
        },
        Row(
            "the leaf's key by an expired certificate, invalid ones",
            ". . . name pin pin pin . pin pin pin"
        ) { policy, pki in
            try policy.pin(.publicKey, ["expired"], pki, allowInvalid: true)
        },
        Row("the self-signed's key, invalid ones", "pin pin pin pin . pin pin pin pin pin pin") {
            policy, pki in
            try policy.pinKeys(["selfSigned"], pki, allowInvalid: true)
        },
        Row("a key below an expired one, invalid ones", "pin pin pin pin pin pin pin pin . pin pin")
        { policy, pki in
            try policy.pinKeys(["expiredIssuer"], pki, allowInvalid: true)
        },
        Row("the intermediate's key, invalid ones", ". end start name pin . . pin pin pin pin") {
            policy, pki in
            try policy.pinKeys(["intermediate"], pki, allowInvalid: true)
        },
        Row(
            "the intermediate's key by its certificate, invalid ones",
            ". end start name pin . . . pin pin pin"
        ) {
            policy, pki in
            try policy.pin(.publicKey, ["intermediate"], pki, allowInvalid: true)
        },
        Row(
            "the root's key by its certificate, invalid ones",
            ". end start name pin . . pin end pin pin"
        ) {
            policy, pki in
            try policy.pin(.publicKey, ["root"], pki, allowInvalid: true)
        },
        Row("the attacker's key, invalid ones", "pin pin pin pin pin pin pin pin pin . pin") {
            policy, pki in
            try policy.pinKeys(["attacker"], pki, allowInvalid: true)
        },
    ]
}

extension SecurityPolicy {
    /// Pins certificates or their keys.
    mutating func pin(
        _ mode: PinningMode,
        _ names: [String],
        _ pki: TestPKI,
        allowInvalid: Bool = false
    ) throws {
        pinningMode = mode
        pinnedCertificates = Set(try names.map(pki.certificate))
        allowInvalidCertificates = allowInvalid
        // Makes sure that the authorities are not used.
        if allowInvalid { certificateAuthorities = nil }
    }

    /// Pins the hashes of keys.
    mutating func pinKeys(_ names: [String], _ pki: TestPKI, allowInvalid: Bool = false) throws {
        try pin(.publicKey, [], pki, allowInvalid: allowInvalid)
        pinnedPublicKeyHashes = Set(try names.map { try pki.certificate($0).publicKeyHash })
    }
}
