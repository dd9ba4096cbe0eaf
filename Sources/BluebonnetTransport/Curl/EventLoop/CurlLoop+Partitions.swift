// The pools that the loop serves, and libcurl's turn in each.
extension CurlLoop {
    func partition(
        for pool: Exchange.Pool
    ) throws(Exchange.Failure) -> Partition {
        if let known = partitions[pool.identifier] { return known }
        let partition = try Partition(pool: pool, loop: self)
        partitions.insert(partition)
        pool.onRelease { [mailbox] identifier in
            _ = mailbox.post(.closePool(identifier))
        }
        return partition
    }

    func closePartition(_ identifier: UInt64) {
        guard let partition = partitions.remove(identifier) else { return }
        partition.deadline = nil
        armed.removeAll { $0 === partition }
        dirty.removeAll { $0 === partition }
    }

    func arm(_ partition: Partition) {
        guard !partition.isArmed else { return }
        partition.isArmed = true
        armed.append(partition)
    }

    func markDirty(_ partition: Partition) {
        guard !partition.isDirty else { return }
        partition.isDirty = true
        dirty.append(partition)
    }

    func runTimers() {
        guard !armed.isEmpty else { return }
        for partition in armed {
            if let deadline = partition.deadline, deadline <= now { partition.actOnTimer() }
        }
        armed.removeAll { partition in
            guard partition.deadline == nil else { return false }
            partition.isArmed = false
            return true
        }
    }

    func collectFinished() {
        guard !dirty.isEmpty else { return }
        let current = dirty
        dirty.removeAll(keepingCapacity: true)
        for partition in current {
            partition.isDirty = false
            partition.collectFinished()
            if let fault = partition.fault { abandon(partition, fault) }
        }
    }

    /// Fails the exchanges of a pool that libcurl does not go on with; later ones get another.
    private func abandon(_ partition: Partition, _ failure: Exchange.Failure) {
        for transfer in transfers.all
        where transfer.exchange.pool.identifier == partition.identifier
            && transfer.stage != .decoding
        {
            finish(transfer, failure: failure)
        }
        closePartition(partition.identifier)
    }
}
