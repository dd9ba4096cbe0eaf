import Bluebonnet

extension StoredResponse {
    /// Returns the fields of a request that select a response to it; returns nil if no other request
    /// is known to get the same response.
    static func selectingFields(
        _ rules: ResponseRules, in fields: [Exchange.Field]
    ) -> [String: String?]? {
        guard case .fields(let names) = rules.vary else { return nil }
        var selecting: [String: String?] = [:]
        for name in names { selecting.updateValue(fields.selectingValue(of: name), forKey: name) }
        return selecting
    }

    /// Whether the response can answer a request with these fields (RFC 9111 section 4.1).
    func isSelected(by fields: [Exchange.Field]) -> Bool {
        selectingFields.allSatisfy { fields.selectingValue(of: $0.key) == $0.value }
    }
}

extension [Exchange.Field] {
    /// Returns what is compared: the lines joined, without white space around the members.
    ///
    /// Empty members stay, because not every field is a list.
    fileprivate func selectingValue(of name: String) -> String? {
        let lines = values(of: name)
        guard !lines.isEmpty else { return nil }
        var members: [Substring] = []
        FieldList.forEachMember(of: lines.joined(separator: ", "), skipsEmpty: false) {
            members.append($0)
        }
        return members.joined(separator: ",")
    }
}

extension [StoredResponse] {
    /// Returns the response that a request selects, the most recent of several; one with `Vary` comes
    /// before one without (RFC 9111 section 4.1).
    func selected(by fields: [Exchange.Field]) -> StoredResponse? {
        var best: StoredResponse?
        for response in self where response.isSelected(by: fields) {
            guard let former = best else {
                best = response
                continue
            }
            let isMoreSpecific = former.selectingFields.isEmpty != response.selectingFields.isEmpty
            if isMoreSpecific ? former.selectingFields.isEmpty : former.isOlder(than: response) {
                best = response
            }
        }
        return best
    }
}

extension StoredResponse {
    func isOlder(than other: StoredResponse) -> Bool {
        (rules.date, responseDate) < (other.rules.date, other.responseDate)
    }
}
