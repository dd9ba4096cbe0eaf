import Dispatch

/// Lets one caller at a time change a setting in place.
///
/// The caller changes a copy, which is put back at the end, and no mutex is held meanwhile: what
/// computes the change may read the manager, this setting included, which is what it was until then.
/// A semaphore, since a turn may end on another thread than it began on: that of a Swift task that
/// waited within it.
struct SettingTurn: Sendable {
    private let free = DispatchSemaphore(value: 1)

    /// Waits until no other caller changes the setting.
    func begin() { free.wait() }

    /// Lets the next caller change it.
    func end() { free.signal() }
}

/// A value that is changed in place by one caller at a time, and read by others meanwhile.
struct Setting<Value: Sendable>: Sendable {
    private let stored: Locked<Value>
    private let turn = SettingTurn()

    init(_ value: Value) { stored = Locked(value) }

    var value: Value {
        get { stored.withLock { $0 } }
        nonmutating _modify {
            turn.begin()
            var changed = stored.withLock { $0 }
            defer {
                // Swapped, so that the former value is let go when the mutex is no longer held.
                stored.withLock { swap(&$0, &changed) }
                turn.end()
            }
            yield &changed
        }
    }

    /// A part of the value, which is changed in place in the value's turn.
    subscript<Part>(
        part: (Value) -> Part, put put: (inout Value, Part) -> Void
    ) -> Part {
        get { part(value) }
        nonmutating _modify {
            turn.begin()
            var whole = stored.withLock { $0 }
            var changed = part(whole)
            defer {
                put(&whole, changed)
                stored.withLock { swap(&$0, &whole) }
                turn.end()
            }
            yield &changed
        }
    }
}
