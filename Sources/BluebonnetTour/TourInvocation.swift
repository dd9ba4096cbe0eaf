/// The mode that the arguments select.
enum TourInvocation: Equatable {
    case tour
    /// Port 0 selects any free port.
    case serve(port: UInt16)

    private static let usualPort: UInt16 = 8080

    /// Parses the arguments that follow the command's name.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        let arguments = Array(arguments)
        guard let option = arguments.first else {
            self = .tour
            return
        }
        guard option == "--serve" else { throw UsageError("the only option is --serve [PORT]") }
        guard arguments.count > 1 else {
            self = .serve(port: Self.usualPort)
            return
        }
        guard arguments.count == 2, let port = UInt16(arguments[1]) else {
            throw UsageError("--serve takes a port from 0 to 65535 and nothing else")
        }
        self = .serve(port: port)
    }
}
