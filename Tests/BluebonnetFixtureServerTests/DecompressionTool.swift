import Glibc

/// Gives a file with these bytes to the standard input of a shell command; returns its output.
func output(of command: String, input: [UInt8]) throws -> [UInt8] {
    var path = Array("/tmp/fixture-server-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw ClientSocketError(code: errno) }
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(name) }
    let written = write(descriptor, input, input.count)
    close(descriptor)
    guard written == input.count, let pipe = popen("\(command) < \(name)", "r") else {
        throw ClientSocketError(code: errno)
    }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&buffer, 1, buffer.count, pipe)
        guard count > 0 else { break }
        result += buffer[..<count]
    }
    guard pclose(pipe) == 0 else { throw ClientSocketError(code: EINVAL) }
    return result
}
