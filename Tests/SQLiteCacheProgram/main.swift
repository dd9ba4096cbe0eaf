import BluebonnetSQLiteCache
import BluebonnetTestSupport
import Foundation
import Glibc

// Usage: PROGRAM FOLDER MAXIMUM_SIZE SEED COUNT share|kill|fill
//
// Stores and finds responses that other processes store, too. With `kill`, it kills itself in between;
// with `fill`, it stores until the disk is full, and removes the file `ballast` beside the folder.
let arguments = CommandLine.arguments
guard arguments.count == 6, let maximumSize = Int(arguments[2]), let seed = UInt64(arguments[3]),
    let count = Int(arguments[4])
else { exit(64) }
let store = SQLiteCacheStore(folder: URL(fileURLWithPath: arguments[1]), maximumSize: maximumSize)
store.onFailure { print($0) }
var generator = SeededGenerator(seed: seed)

for _ in 0..<count {
    let sample = Sample.random(using: &generator)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: store.removeAll(for: sample.url)
    case 1...3: _ = try await store.responses(for: sample)
    default: try await store.add(sample, pieceSize: 20_000)
    }
}
switch arguments[5] {
case "kill":
    // In the middle of what the last calls have begun.
    var rest = Int.random(in: 0..<200_000, using: &generator)
    while rest > 0 { rest -= 1 }
    kill(getpid(), SIGKILL)
case "fill":
    var missing = 0
    for number in 0..<300 {
        let sample = Sample("http://a.test/\(number)", size: number % 8 * 15_000)
        try await store.add(sample)
        if try await store.responses(for: sample).isEmpty { missing += 1 }
    }
    let first = Sample("http://a.test/0", size: 0)
    guard missing > 20, try await !store.responses(for: first).isEmpty else { exit(1) }
    unlink("\(arguments[1])/../ballast")
    let last = Sample("http://a.test/0", size: 100_000, version: 1)
    while try await store.responses(for: last).first.map({ Sample($0).version }) != 1 {
        try await store.add(last)
    }
    print("works again")
default: break
}
// What was called first has been done.
_ = try await store.responses(for: Sample("http://a.test/", size: 0))
