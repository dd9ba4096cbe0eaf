/// The members of an encoded `Set`, which ``ParameterWalk`` takes for one.
///
/// What is encoded need not be hashable, so a set of it cannot be made.
struct UnorderedParameters: Sendable {
    var members: [any Sendable]
}
