import Dispatch

/// Lets one caller at a time change a setting in place.
///
/// The caller changes a copy, which replaces the value at the end. No mutex is held meanwhile, so
/// code that computes the change can read the manager, including the previous value of this
/// setting.
///
/// It is a semaphore because a turn can end on another thread than it began on, if a Swift task
/// suspends during the change.
struct SettingTurn: Sendable {
    private let free = DispatchSemaphore(value: 1)

    /// Waits until no other caller is changing the setting.
    func begin() { free.wait() }

    /// Lets the next caller change the setting.
    func end() { free.signal() }
}

/// A value that one caller at a time changes in place, while other callers can read it.
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
                // Swapped, so that the former value is released after the mutex is unlocked.
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
