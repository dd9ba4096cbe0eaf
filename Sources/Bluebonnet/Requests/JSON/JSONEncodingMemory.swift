import BluebonnetTransport

/// A cache of facts about types that speeds up later encodings.
///
/// Only one thread at a time uses a memory.
final class JSONEncodingMemory {
    private static let maximumCount = 8
    private static let idle = Locked<[JSONEncodingMemory]>([])

    private let forms = TypeTable<JSONEncodingForm>()
    /// The last known member orders, by number of members; a later order replaces an earlier one.
    private var orders: [[Int]] = Array(repeating: [], count: 16)
    private static let maximumOrder = 64

    private init() {}

    deinit { forms.deallocate() }

    /// Takes an idle memory or creates one, for exclusive use until the caller gives it back.
    static func take() -> JSONEncodingMemory {
        idle.withLock { $0.popLast() } ?? JSONEncodingMemory()
    }

    func giveBack() {
        Self.idle.withLock { idle in
            if idle.count < Self.maximumCount { idle.append(self) }
        }
    }

    @inline(__always)
    func form(of type: any Any.Type) -> JSONEncodingForm {
        forms.form(of: type, JSONEncodingForm.init)
    }

    /// Returns the last known order of an object with the given number of members, or nil.
    func order(of count: Int) -> [Int]? {
        let order = orders[count % orders.count]
        return order.count == count ? order : nil
    }

    func noteOrder(_ order: [Int]) {
        if order.count <= Self.maximumOrder { orders[order.count % orders.count] = order }
    }
}
