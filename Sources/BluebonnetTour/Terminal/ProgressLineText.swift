import Bluebonnet

/// The text of a progress line for a number of columns: as many of its parts as fit.
///
/// A function of its values alone. It stays clear of the last column, where some terminals wrap.
struct ProgressLineText {
    /// The parts, the most telling ones first: a wider line shows what a narrow one does, and more.
    private enum Part: CaseIterable {
        case share, name, bar, size, rate, time
    }

    /// What the line tells of; anything, since only what a line can hold is shown of it.
    var name: String
    var completed: Int64
    /// Nil while it is unknown.
    var total: Int64?
    var bytesPerSecond: Double?
    /// Since the start; also moves the mark of a bar without a total.
    var elapsed: Duration
    /// Whether nothing more will come: the time it took then replaces the time left.
    var isFinished = false

    private static let shortestName = 8
    private static let shortestBar = 10
    private static let longestBar = 40
    private static let gap = "  "

    func text(width: Int, usesUTF8: Bool) -> String {
        let name = TerminalText(name, usesUTF8: usesUTF8)
        var columns = fittingParts(in: width - 1, nameColumns: name.columns)
        var left = width - 1 - columns.values.reduce(0, +) - Self.gap.count * (columns.count - 1)
        func widen(_ part: Part, to limit: Int) {
            guard let present = columns[part] else { return }
            let more = min(max(left, 0), max(limit - present, 0))
            columns[part] = present + more
            left -= more
        }
        widen(.name, to: name.columns)
        widen(.bar, to: Self.longestBar)
        let order: [Part] = [.name, .share, .bar, .size, .rate, .time]
        return order.compactMap { part in
            guard let room = columns[part] else { return nil }
            switch part {
            case .name: return name.truncated(to: room, mark: usesUTF8 ? "…" : "~").text
            case .bar: return bar(ProgressBarText(columns: room, usesUTF8: usesUTF8))
            default: return fixedText(part)
            }
        }.joined(separator: Self.gap)
    }

    /// The first parts whose shortest forms fit, with the columns of those.
    private func fittingParts(in limit: Int, nameColumns: Int) -> [Part: Int] {
        var columns: [Part: Int] = [:]
        var left = limit + Self.gap.count
        for part in priorities {
            let shortest =
                switch part {
                case .name: min(nameColumns, Self.shortestName)
                case .bar: Self.shortestBar
                default: fixedText(part).count
                }
            guard shortest > 0 else { continue }
            left -= shortest + Self.gap.count
            guard left >= 0 else { break }
            columns[part] = shortest
        }
        return columns
    }

    /// Without a total the size takes the place of the share.
    private var priorities: [Part] {
        total == nil ? [.size, .name, .bar, .rate, .time] : Part.allCases
    }

    /// Whether the size and the total are the same number, which is then shown once.
    private var isComplete: Bool { isFinished && total == completed }

    private var share: Double {
        guard let total, total > 0 else { return 1 }
        return min(max(Double(completed) / Double(total), 0), 1)
    }

    private func bar(_ bar: ProgressBarText) -> String {
        guard total == nil else { return bar.filled(share: share) }
        return bar.moving(step: Int(elapsed / .milliseconds(100)))
    }

    /// The parts that have one form, padded so that they do not jump about as they change.
    private func fixedText(_ part: Part) -> String {
        switch part {
        case .share: return "\(Int(share * 100))%".leftPadded(to: 4)
        case .size:
            let done = ByteCountText.text(completed).leftPadded(to: 9)
            guard let total, !isComplete else { return done }
            return "\(done)/\(ByteCountText.text(total))"
        case .rate:
            let rate = bytesPerSecond.flatMap { Int64(exactly: $0.rounded()) }
            return (rate.map(ByteCountText.text) ?? "-- B").leftPadded(to: 9) + "/s"
        case .time: return timeText
        case .name, .bar: return ""
        }
    }

    private var timeText: String {
        if isFinished { return "in \(Self.durationText(elapsed))" }
        guard let total else { return Self.clockText(elapsed) }
        guard let bytesPerSecond, bytesPerSecond > 0 else { return "ETA --:--" }
        let seconds = max(Double(total) - Double(completed), 0) / bytesPerSecond
        // An estimate of more than four days is useless.
        guard seconds < 360_000 else { return "ETA --:--" }
        return "ETA \(Self.clockText(.seconds(seconds.rounded(.up))))"
    }

    /// An elapsed time, in milliseconds if it is less than a second.
    private static func durationText(_ duration: Duration) -> String {
        guard duration < .seconds(60) else { return clockText(duration) }
        guard duration < .seconds(1) else {
            return String(format: "%.1f s", duration / .seconds(1))
        }
        return "\(max(Int(duration / .milliseconds(1)), 1)) ms"
    }

    /// Minutes and seconds, after hours if there are any.
    private static func clockText(_ duration: Duration) -> String {
        let seconds = max(duration.components.seconds, 0)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return hours > 0
            ? String(format: "%lld:%02lld:%02lld", hours, minutes, seconds % 60)
            : String(format: "%lld:%02lld", minutes, seconds % 60)
    }
}

extension String {
    fileprivate func leftPadded(to count: Int) -> String {
        String(repeating: " ", count: max(count - self.count, 0)) + self
    }
}
