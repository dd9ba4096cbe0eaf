import Bluebonnet

extension [Interaction] {
    /// Returns the interactions without their secrets.
    func redacted(by rules: Redactor) -> Self {
        // The placeholders in interactions from a cassette must not be given to other secrets.
        let former = CassetteFile.text(of: filter { $0.line > 0 })
        var redactor = PlaceholderRedactor(rules, behind: former)
        // The first pass only collects the secrets.
        for interaction in self { _ = redactor.redacted(interaction) }
        return map { redactor.redacted($0) }
    }
}

extension RecordedRequest {
    /// Returns the request without its secrets, for errors.
    func redacted(by rules: Redactor) -> Self {
        var redactor = PlaceholderRedactor(rules)
        _ = redactor.redacted(self)
        return redactor.redacted(self)
    }
}

extension PlaceholderRedactor {
    fileprivate mutating func redacted(_ interaction: Interaction) -> Interaction {
        var interaction = interaction
        interaction.request = redacted(interaction.request)
        interaction.response = interaction.response.map { redacted($0) }
        if case .failure(var failure) = interaction.end {
            failure.message = redacted(failure.message)
            failure.proxyFields = failure.proxyFields.map { redacted($0) }
            interaction.end = .failure(failure)
        }
        return interaction
    }

    fileprivate mutating func redacted(_ request: RecordedRequest) -> RecordedRequest {
        var request = request
        request.url = redacted(request.url)
        request.fields = request.fields.map { redacted($0) }
        request.body = request.body.map { redacted($0, fields: request.fields) }
        return request
    }

    private mutating func redacted(_ response: RecordedResponse) -> RecordedResponse {
        var response = response
        response.fields = response.fields.map { redacted($0) }
        response.body = redacted(response.body, fields: response.fields)
        response.trailers = response.trailers?.map { redacted($0) }
        return response
    }
}
