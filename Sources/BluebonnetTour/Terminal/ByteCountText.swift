import Bluebonnet

/// A number of bytes in binary units, in at most nine columns: `0 B`, `1.5 KiB`, `999.9 MiB`.
enum ByteCountText {
    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    static func text(_ bytes: Int64) -> String {
        guard bytes >= 1000 else { return "\(max(bytes, 0)) B" }
        var value = Double(bytes) / 1024
        var unit = 0
        // From 999.95 on, one decimal would take another column.
        while value >= 999.95, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return String(format: "%.1f ", value) + units[unit]
    }
}
