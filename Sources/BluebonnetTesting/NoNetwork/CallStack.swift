import Foundation
import Runtime

/// The functions that are running.
enum CallStack {
    /// The functions outside the library, innermost first, as in
    /// `loadUsers() (Tests/UserTests.swift:12)`.
    ///
    /// Computing it takes a few milliseconds.
    static var outsideTheLibrary: [String] {
        guard let backtrace = try? Backtrace.capture(),
            let frames = backtrace.symbolicated()?.frames
        else { return [] }
        return frames.compactMap { frame in
            guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0
            else { return nil }
            let path = place.path.split(separator: "/")
            let isOurs = zip(path, path.dropFirst()).contains {
                $0 == "Sources" && modules.contains($1)
            }
            // The last folder distinguishes files with the same name.
            return isOurs
                ? nil : "\(symbol.name) (\(path.suffix(2).joined(separator: "/")):\(place.line))"
        }
    }

    private static let modules: Set<Substring> = [
        "Bluebonnet", "BluebonnetTesting", "BluebonnetTransport",
    ]
}
