import CBluebonnetZlib
import CBluebonnetZstd
package import Foundation
import Glibc

/// An encoder that applies a content coding to a body in memory (RFC 9110 section 8.4).
package enum ContentEncoder: Sendable {
    case gzip
    /// Deflate data in the zlib format, as RFC 9110 section 8.4.1.2 defines the coding.
    case deflate
    case zstd

    /// The error thrown when the system has no memory for the encoder.
    package struct OutOfMemory: Error, Sendable {}

    /// Returns the encoded bytes, or nil if they are not fewer than the original ones.
    ///
    /// - Parameter data: The bytes, which are read once.
    /// - Returns: The encoded bytes, or nil if encoding does not shrink the data.
    /// - Throws: ``OutOfMemory``.
    package func encoded(_ data: Data) throws(OutOfMemory) -> Data? {
        let capacity = data.count - 1
        guard capacity > 0 else { return nil }
        guard let memory = malloc(capacity) else { throw OutOfMemory() }
        let output = UnsafeMutableRawBufferPointer(start: memory, count: capacity)
        let result = data.withUnsafeBytes { input in
            Result { () throws(OutOfMemory) in try encode(input, into: output) }
        }
        guard case .success(let count?) = result else {
            free(memory)
            _ = try result.get()
            return nil
        }
        // Releases the unused memory, because text often shrinks to a fifth of its size.
        let shrunk = realloc(memory, count) ?? memory
        return Data(bytesNoCopy: shrunk, count: count, deallocator: .free)
    }

    /// Writes the encoded bytes, and returns their number, or nil if they do not fit.
    private func encode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(OutOfMemory) -> Int? {
        switch self {
        case .gzip: try Self.deflate(input, into: output, windowBits: 31)
        case .deflate: try Self.deflate(input, into: output, windowBits: 15)
        case .zstd: try Self.compress(input, into: output)
        }
    }

    // MARK: zlib

    /// The level that Alamofire uses, with which a deflate body begins with `78 5E`.
    private static let level: Int32 = 5
    private static let memoryLevel: Int32 = 8

    private static func deflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
        windowBits: Int32
    ) throws(OutOfMemory) -> Int? {
        var stream = z_stream()
        // zlib keeps a pointer to its stream, which must not move.
        return try withUnsafeMutablePointer(to: &stream) { (stream) throws(OutOfMemory) in
            let size = Int32(MemoryLayout<z_stream>.size)
            guard
                deflateInit2_(
                    stream, level, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY,
                    ZLIB_VERSION, size) == Z_OK
            else { throw OutOfMemory() }
            defer { deflateEnd(stream) }
            return deflate(input, into: output, stream)
        }
    }

    private static func deflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
        _ stream: UnsafeMutablePointer<z_stream>
    ) -> Int? {
        var (input, rest) = (input, output)
        while !rest.isEmpty {
            // zlib counts in 32 bits.
            let (inputCount, outputCount) = (
                UInt32(clamping: input.count), UInt32(clamping: rest.count)
            )
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = inputCount
            stream.pointee.next_out = rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = outputCount
            let isLast = Int(inputCount) == input.count
            let result = CBluebonnetZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
            input.advance(by: Int(inputCount - stream.pointee.avail_in))
            rest.advance(by: Int(outputCount - stream.pointee.avail_out))
            if result == Z_STREAM_END { return output.count - rest.count }
            // Any result but Z_OK means that the stream cannot continue.
            guard result == Z_OK else { return nil }
        }
        return nil
    }

    // MARK: zstd

    /// A level whose window is at most 2 MiB.
    ///
    /// Every recipient accepts 8 MiB (RFC 9659).
    private static let zstdLevel: Int32 = 3

    private static func compress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(OutOfMemory) -> Int? {
        let result = ZSTD_compress(
            output.baseAddress, output.count, input.baseAddress, input.count, zstdLevel)
        guard ZSTD_isError(result) != 0 else { return result }
        if ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation { throw OutOfMemory() }
        return nil
    }
}
