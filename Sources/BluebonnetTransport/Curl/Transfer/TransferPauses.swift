import CBluebonnet

/// The reasons why an exchange is paused, and the directions in which libcurl is paused.
struct TransferPauses {
    /// Whether the starter of the exchange has suspended it.
    var isSuspended = false
    /// libcurl's `CURLPAUSE_` bits.
    var directions: Int32 = 0

    /// Whether libcurl is paused in receiving the response.
    var isReceivingPaused: Bool { directions & bb_pause_receiving != 0 }
    /// Whether libcurl is paused in sending the request's body.
    var isSendingPaused: Bool { directions & bb_pause_sending != 0 }
    /// Whether libcurl is paused in any direction.
    var isAny: Bool { directions != 0 }
}
