import CBluebonnet

/// The initialization of libcurl, which every use of it needs before.
///
/// It happens once for the process and is never undone, because FoundationNetworking uses the same
/// library.
enum LibcurlInitialization {
    static let result = bb_global_init()
}
