import Bluebonnet
import Glibc

/// Describes failures in one line, with advice.
enum FailureText {
    static func text(of error: BluebonnetError, name: String) -> String {
        if error.timeout == .whole { return "\(name): it took longer than --timeout allows" }
        return "\(error)"
    }

    /// Describes why a file could not be written.
    static func text(ofSystemError number: Int32) -> String {
        let text = String(cString: strerror(number))
        switch number {
        case EEXIST: return "it exists; remove it, or give a name with -o"
        case ENOENT: return "its directory does not exist; make it first"
        case EISDIR: return "it is a directory; name a file in it"
        case EACCES, EPERM, EROFS: return "\(text); choose another directory"
        case ENOSPC, EDQUOT: return "\(text); free some space, or choose another disk"
        default: return text
        }
    }
}

extension BluebonnetError {
    /// Whether the status of a response caused it.
    var isStatus: Bool {
        if case .unacceptableStatus = self { true } else { false }
    }
}
