/// A sink that would rather hear of a whole turn of a loop before anybody acts on it.
package protocol GatheringSink: ExchangeSink {
    /// Runs `deliver`, which brings reports to this sink and to others of any kind.
    func gather(_ deliver: () -> Void)
}
