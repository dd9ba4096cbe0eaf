/// The clients that are compared, in the order of the tables.
enum Client: String, CaseIterable, Sendable {
    case bluebonnet
    case urlSession = "urlsession"
    case c
    /// The command, a process a request.
    case curl

    func takesPart(in work: BenchmarkCase.Work) -> Bool {
        switch self {
        case .bluebonnet: true
        case .urlSession, .c: work == .get
        case .curl: work != .get
        }
    }
}
