import Foundation
import FoundationNetworking

/// The pages of a list, as an asynchronous sequence.
///
/// Each loop starts with the first page.
public struct APIPages<Request: APIRequest>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Request.Response

    let client: APIClient
    let request: Request
    let relation: String

    /// Creates an iterator; nothing is sent yet.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

    /// An iterator that requests one page after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Place {
            case first
            case next(URL)
            case refused(BluebonnetError)
            case end
        }

        private let pages: APIPages
        private var place = Place.first
        private var visited: Set<URL> = []

        fileprivate init(pages: APIPages) {
            self.pages = pages
        }

        /// Requests and returns the next page; returns nil after the last one.
        ///
        /// - Throws: The error that the call failed with, or the reason why the link to the page is
        ///   not followed. After an error, it returns nil.
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
                return refused(
                    next, of: response, "is at another origin; send a separate request to it")
            }
            guard !visited.contains(next) else {
                return refused(
                    next, of: response, "has already been read, so the loop would not end")
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
