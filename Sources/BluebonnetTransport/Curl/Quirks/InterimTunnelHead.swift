/// The head of an interim response (1xx) to CONNECT, behind which the final one comes (RFC 9110 section
/// 15.2).
///
/// Every version of libcurl takes it for the proxy's answer, and fails. So the line that ends it becomes
/// a field without a meaning: libcurl looks at a line after it has handed it over, in the same memory.
enum InterimTunnelHead {
    /// Makes the empty line that libcurl has just handed over look like a field to libcurl.
    static func hideEnd(in line: UnsafeRawBufferPointer) {
        guard let start = line.baseAddress, !line.isEmpty else { return }
        // libcurl declares the memory as one that may be written to.
        UnsafeMutableRawPointer(mutating: start).storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
    }
}
