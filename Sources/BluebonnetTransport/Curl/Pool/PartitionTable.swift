/// The partitions of a loop by their pools.
///
/// Most programs have one, and those with several mostly ask for the same one many times in a row.
struct PartitionTable {
    private var partitions: [UInt64: Partition] = [:]
    /// The one that was asked for last.
    private var last: Partition?

    subscript(pool: UInt64) -> Partition? {
        mutating get {
            if let last, last.identifier == pool { return last }
            guard let partition = partitions[pool] else { return nil }
            last = partition
            return partition
        }
    }

    mutating func insert(_ partition: Partition) {
        partitions[partition.identifier] = partition
        last = partition
    }

    /// Takes a pool's partition out; nil where there is none.
    mutating func remove(_ pool: UInt64) -> Partition? {
        if last?.identifier == pool { last = nil }
        return partitions.removeValue(forKey: pool)
    }
}
