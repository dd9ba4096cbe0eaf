import Bluebonnet
import BluebonnetTestSupport

extension TestIdentities {
    /// Returns the identity in `name.pem` and `name.key`.
    func identity(_ name: String) throws -> ClientIdentity {
        try ClientIdentity(certificate: data("\(name).pem"), key: data("\(name).key"))
    }
}
