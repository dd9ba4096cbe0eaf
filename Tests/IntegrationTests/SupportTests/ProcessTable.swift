import Foundation
import Glibc

/// The processes of the machine, as /proc has them.
enum ProcessTable {
    /// The processes of a group that have not ended.
    static func group(_ leader: pid_t) -> [pid_t] {
        processes.filter { process in
            let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
            // The name, in parentheses, may hold anything; state, parent and group follow.
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
