import Foundation
import BluebonnetTestSupport

/// A directory of one test, removed with the object.
final class TemporaryDirectory: Sendable {
    let url: URL

    init(in parent: URL = FileManager.default.temporaryDirectory) throws {
        url = parent.appendingPathComponent("bluebonnet-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        // Foundation stops if another thread removes a file at the same time.
        for _ in 0..<20 where FileManager.default.fileExists(atPath: url.path) {
            try? FileManager.default.removeItem(at: url)
        }
    }

    func file(_ name: String) -> URL { url.appendingPathComponent(name, isDirectory: false) }

    func write(_ bytes: [UInt8], to name: String) throws -> URL {
        try Data(bytes).write(to: file(name))
        return file(name)
    }

    /// All names in the directory, with hidden ones.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}

extension URL {
    var bytes: [UInt8] {
        get throws {
            // Not `Data(contentsOf:)`, which leaks memory for an empty file.
            [UInt8](try FileHandle(forReadingFrom: self).readToEnd() ?? Data())
        }
    }

    var fileStatus: stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}

/// Returns bytes without short repetitions.
func sampleBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
