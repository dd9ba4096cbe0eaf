import Foundation
import Glibc

/// The processes of the machine, from /proc.
enum ProcessTable {
    /// Returns the running processes of a group.
    static func group(_ leader: pid_t) -> [pid_t] {
        processes.filter { process in
            let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
            // The name in parentheses can contain anything. State, parent and group follow it.
            let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?
                .split(separator: " ")
            guard let fields, fields.count > 2 else { return false }
            return fields[2] == String(leader) && fields[0] != "Z"
        }
    }

    private static var processes: [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }
    }
}
