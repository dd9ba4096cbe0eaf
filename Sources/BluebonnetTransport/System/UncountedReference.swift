import CBluebonnet

// Sendable: it and every copy of it are read and written under one lock, as said below.
/// A reference to an object that neither keeps it alive nor costs it anything.
///
/// A `weak` one gives its object a side table, through which each later count of a reference goes, and
/// a notification alone counts its task a dozen times. This one is safe only where the same lock is
/// held to read it and, in the object's `deinit`, to clear it: until then the memory is the object's,
/// and whether its end has begun is asked of the runtime.
package struct UncountedReference<Object: AnyObject & Sendable>: @unchecked Sendable {
    private var address: UnsafeMutableRawPointer?

    /// Makes one to nothing.
    package init() {}

    package init(_ object: Object) {
        address = Unmanaged.passUnretained(object).toOpaque()
    }

    /// The object; nil once its end has begun.
    package var object: Object? {
        guard let address, let retained = bb_object_try_retain(address) else { return nil }
        return Unmanaged<Object>.fromOpaque(retained).takeRetainedValue()
    }

    /// Clears it if it is to this object, whose `deinit` this is called from.
    package mutating func clear(_ object: Object) {
        if address == Unmanaged.passUnretained(object).toOpaque() { address = nil }
    }
}
