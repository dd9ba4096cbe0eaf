import Foundation
import FoundationNetworking

/// The pages of a list, one response after the other, for loops; each loop begins with the first one.
public struct TargetPages<Request: APIRequest>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Request.Response

    let client: TargetClient
    let request: Request
    let relation: String

    /// Makes the reader; nothing is sent yet.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

    /// Reads the pages.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Place {
            case first
            case next(URL)
            case refused(BluebonnetError)
            case end
        }

        private let pages: TargetPages
        private var place = Place.first
        private var visited: Set<URL> = []

        fileprivate init(pages: TargetPages) {
            self.pages = pages
        }

        /// Asks for the next page; nil behind the last one.
        ///
        /// - Throws: Why the call failed, or why the link to the page is not followed; nil follows.
        public mutating func next() async throws(BluebonnetError) -> Element? {
            let url: URL?
            switch place {
            case .first: url = nil
            case .next(let next): url = next
            case .refused(let error):
                place = .end
                throw error
            case .end: return nil
            }
            place = .end
            let response = await pages.client.sendResponse(pages.request, at: url)
            let page = try response.result.get()
            place = place(behind: response, at: url)
            return page
        }

        private mutating func place(behind response: Response<Element>, at url: URL?) -> Place {
            guard let next = response.head?.link(pages.relation) else { return .end }
            if let url = url ?? response.request?.url { visited.insert(url) }
            guard AuthenticationOrigin(next) == AuthenticationOrigin(pages.client.baseURL) else {
                return refused(next, of: response, "is at another origin; send a request there")
            }
            guard !visited.contains(next) else {
                return refused(next, of: response, "has been read, so that there would be no end")
            }
            return .next(next)
        }

        private func refused(
            _ next: URL, of response: Response<Element>, _ reason: String
        ) -> Place {
            .refused(
                .invalidRequest(
                    "the page \(next.withoutSecrets) \(reason)",
                    .init(request: response.request, head: response.head)))
        }
    }
}
