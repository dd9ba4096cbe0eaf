import BluebonnetTransport

/// What has been learned of types, for the next value; it is used by one thread at a time.
final class JSONEncodingMemory {
    private static let maximumCount = 8
    private static let idle = Locked<[JSONEncodingMemory]>([])

    private let forms = TypeTable<JSONEncodingForm>()
    /// By number of members, up to as many as types have; a later one takes the place of another.
    private var orders: [[Int]] = Array(repeating: [], count: 16)
    private static let maximumOrder = 64

    private init() {}

    deinit { forms.deallocate() }

    /// Lends a memory until it is given back, or freed.
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

    /// The order that so many members had last; nil if none is known.
    func order(of count: Int) -> [Int]? {
        let order = orders[count % orders.count]
        return order.count == count ? order : nil
    }

    func noteOrder(_ order: [Int]) {
        if order.count <= Self.maximumOrder { orders[order.count % orders.count] = order }
    }
}
