import Glibc

extension FileSystem {
    /// The most pieces that one call accepts (`IOV_MAX`).
    private static let maximumPieces = 1024

    /// Writes all chunks at the offset without copying them, in as few system calls as possible.
    ///
    /// The offset advances by the number of bytes written, even if this throws.
    package func append(
        _ chunks: [Exchange.Chunk], to descriptor: Int32, at offset: inout Int64
    ) throws(SystemError) {
        defer { withExtendedLifetime(chunks) {} }
        var pieces = chunks.filter { $0.count > 0 }.map { chunk in
            iovec(iov_base: chunk.storage.bytes + chunk.range.lowerBound, iov_len: chunk.count)
        }
        var first = 0
        while first < pieces.count {
            let rest = first..<min(pieces.count, first + Self.maximumPieces)
            let written = try SystemError.retrying { () throws(SystemError) in
                try append(pieces, rest, to: descriptor, at: offset)
            }
            // No known file system returns 0 here. A retry could loop forever.
            guard written > 0 else { throw SystemError(EIO) }
            offset += Int64(written)
            first = Self.advance(&pieces, from: first, by: written)
        }
    }

    private func append(
        _ pieces: [iovec], _ range: Range<Int>, to descriptor: Int32, at offset: Int64
    ) throws(SystemError) -> Int {
        try pieces.withUnsafeBufferPointer { (all) throws(SystemError) in
            try write(descriptor, UnsafeBufferPointer(rebasing: all[range]), offset)
        }
    }

    /// Removes the written bytes from the pieces, and returns the index of the next piece.
    private static func advance(_ pieces: inout [iovec], from first: Int, by count: Int) -> Int {
        var (first, count) = (first, count)
        while first < pieces.count, count >= pieces[first].iov_len {
            count -= pieces[first].iov_len
            first += 1
        }
        if first < pieces.count {
            pieces[first].iov_base += count
            pieces[first].iov_len -= count
        }
        return first
    }

    /// Fills the buffer from the offset, and returns the number of bytes read.
    package func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int64
    ) throws(SystemError) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let place = offset + Int64(count)
            let got = try SystemError.retrying { () throws(SystemError) in
                try read(descriptor, rest, place)
            }
            if got <= 0 { break }
            count += got
        }
        return count
    }
}
