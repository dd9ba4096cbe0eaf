import Bluebonnet

/// Fetches URLs, one after the other.
enum FetchProgram {
    /// Returns the exit status.
    static func run(_ options: FetchOptions, output: Terminal, errors: Terminal) async -> Int32 {
        do throws(UsageError) {
            let login = try await completed(options.login)
            let body = try await options.body?.data()
            var status = ExitStatus.success
            for argument in options.urls where !Task.isCancelled {
                guard let target = FetchTarget(argument) else { continue }
                let job = FetchJob(
                    options, target: target, login: login ?? target.login, body: body,
                    output: output, errors: errors)
                if await !Fetch.run(job) { status = ExitStatus.failure }
            }
            return status
        } catch {
            if !Task.isCancelled { errors.print("tour: \(errors.oneLine(error.text))") }
            return ExitStatus.usage
        }
    }

    /// Asks for the password if it is missing.
    private static func completed(
        _ login: FetchOptions.Login?
    ) async throws(UsageError) -> FetchOptions.Login? {
        guard var login, login.password == nil else { return login }
        login.password = try await PasswordPrompt.password(of: login.user)
        return login
    }
}
