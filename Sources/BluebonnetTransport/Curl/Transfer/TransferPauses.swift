import CBluebonnet

/// Why an exchange stands still, and in which directions libcurl was told to wait.
struct TransferPauses {
    /// Whether its starter has suspended it.
    var isSuspended = false
    /// libcurl's `CURLPAUSE_` bits.
    var directions: Int32 = 0

    /// Whether libcurl was told to hand over no more of the response.
    var isReceivingPaused: Bool { directions & CURLPAUSE_RECV != 0 }
    /// Whether libcurl waits for more of the request's body.
    var isSendingPaused: Bool { directions & CURLPAUSE_SEND != 0 }
    /// Whether libcurl was told to wait in any direction.
    var isAny: Bool { directions != 0 }
}
