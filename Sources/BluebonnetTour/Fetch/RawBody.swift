import Bluebonnet

/// A destination that gets a body unchanged.
struct RawBody {
    /// Its name in error messages.
    let name: String
    /// Writes bytes; returns the system's error number, 0 after success.
    let send: (Data) -> Int32
}
