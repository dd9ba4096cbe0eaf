/// The place of a value in parameters, such as `filter.tags[2]`.
struct ParameterPath {
    /// One step down, into a dictionary or an array.
    enum Step {
        case key(String)
        case index(Int)
    }

    var steps: [Step] = []

    /// The steps as an error tells them; empty for the parameters themselves.
    var text: String {
        steps.reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
