extension HTTPSessionManager {
    /// How queries and forms are written; the setting of ``requestSerializer``.
    ///
    /// ```swift
    /// api.queryEncoding.arrays = .none
    /// ```
    ///
    /// The endpoints of a service use it, too. Setting it changes the manager's serializer if that
    /// is one of the library's. A custom serializer, or a closure in
    /// ``HTTPRequestSerializer/queryString``, ignores it. It can be used on any thread.
    public var queryEncoding: QueryEncoding {
        get { requests.value.querySerializer.queryEncoding }
        _modify {
            yield &requests[
                { $0.querySerializer.queryEncoding },
                put: { $0 = $0.writingQueries(with: $1) }]
        }
    }
}

extension RequestSerializer {
    /// Returns a serializer of the library with another encoding of queries and forms; any other
    /// unchanged.
    fileprivate func writingQueries(with encoding: QueryEncoding) -> any RequestSerializer {
        switch self {
        case var serializer as HTTPRequestSerializer:
            serializer.queryEncoding = encoding
            return serializer
        case var serializer as JSONRequestSerializer:
            serializer.queryEncoding = encoding
            return serializer
        case var serializer as PropertyListRequestSerializer:
            serializer.queryEncoding = encoding
            return serializer
        default: return self
        }
    }
}
