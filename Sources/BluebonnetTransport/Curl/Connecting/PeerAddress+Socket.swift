import CBluebonnet
import Glibc

extension PeerAddress {
    /// The reason why a socket for an address could not be opened or connected.
    struct SocketFailed: Error {
        var failure: AddressRace.Failure
        /// Whether the system could not open a socket, for a reason that affects every address.
        var isWithoutSocket = false
    }

    /// Opens a socket and binds it to a source, if there is one.
    func openSocket(from source: Exchange.Route.Source?) -> Result<Int32, SocketFailed> {
        let socket = bb_socket_open(family, type, transportProtocol)
        guard socket >= 0 else {
            let number = errno
            // On a system without IPv6, only addresses of that family fail.
            return .failure(
                SocketFailed(
                    failure: AddressRace.Failure(errorNumber: number),
                    isWithoutSocket: number != EAFNOSUPPORT))
        }
        if let number = source?.bind(socket, family: family), number != 0 {
            close(socket)
            let failure = AddressRace.Failure(errorNumber: number, isOfSource: true)
            return .failure(SocketFailed(failure: failure))
        }
        return .success(socket)
    }

    /// Opens a socket and starts to connect it.
    func connectingSocket(from source: Exchange.Route.Source?) -> Result<Int32, SocketFailed> {
        openSocket(from: source).flatMap { socket in
            let number = connect(socket)
            guard number == 0 || number == EINPROGRESS else {
                close(socket)
                return .failure(
                    SocketFailed(failure: AddressRace.Failure(errorNumber: number)))
            }
            return .success(socket)
        }
    }
}
