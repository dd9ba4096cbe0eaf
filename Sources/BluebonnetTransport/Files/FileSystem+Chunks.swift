import Glibc

extension FileSystem {
    /// As many pieces as one call may take (`IOV_MAX`).
    private static let maximumPieces = 1024

    /// Writes all of the chunks at the offset, without a copy, in as few calls as the system needs.
    ///
    /// The offset goes on by what was written, also when it throws.
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
            // No file system says so, and to go on would be to go on for ever.
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

    /// Takes what was written off the pieces, and returns which is next.
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

    /// Fills the buffer from the offset on, and returns how much there was.
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
