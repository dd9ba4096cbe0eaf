import CBluebonnet
import Glibc

extension PeerAddress {
    /// Why there is no socket for an address, or none that could be connected.
    struct SocketFailed: Error {
        var failure: AddressRace.Failure
        /// Whether the system gave no socket, as it would for no other address.
        var isWithoutSocket = false
    }

    /// Opens a socket whose connection is to leave from a source.
    func openSocket(from source: Exchange.Route.Source?) -> Result<Int32, SocketFailed> {
        let socket = bb_socket_open(family, type, transportProtocol)
        guard socket >= 0 else {
            let number = errno
            // A system without IPv6 has no sockets for its addresses.
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

    /// Opens a socket and begins to connect it.
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
