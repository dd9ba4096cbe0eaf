import CFuzzer
import Foundation

// `Fuzzer <target> [options of libFuzzer]`. libFuzzer receives the arguments without the name of
// the target. A violation ends the process.
guard CommandLine.argc > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1]) else {
    print("usage: Fuzzer \(FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")) [options]")
    exit(64)
}

// Written only here, before libFuzzer calls back on this same thread.
nonisolated(unsafe) var chosen = target

var arguments = ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2))
    .compactMap { strdup($0) }
var count = Int32(arguments.count)
let status = arguments.withUnsafeMutableBufferPointer { buffer -> Int32 in
    guard var start = buffer.baseAddress else { return 64 }
    return LLVMFuzzerRunDriver(&count, &start) { bytes, size in
        do {
            try chosen.check(Array(UnsafeBufferPointer(start: bytes, count: size)))
        } catch {
            FileHandle.standardError.write(Data("violation: \(error)\n".utf8))
            abort()
        }
        return 0
    }
}
exit(status)
