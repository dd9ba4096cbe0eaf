/// Something for exchanges without TLS, and its like for those with it.
struct SchemePair<Element> {
    var plain: Element
    var secure: Element

    init(plain: Element, secure: Element) {
        self.plain = plain
        self.secure = secure
    }

    subscript(isSecure: Bool) -> Element {
        get { isSecure ? secure : plain }
        _modify {
            if isSecure { yield &secure } else { yield &plain }
        }
    }
}

/// The models of a pool's handles: proxies and HTTP versions may differ between the two schemes.
typealias SchemeModels = SchemePair<EasyModel>

extension SchemePair where Element == EasyModel {
    init(pool: Exchange.Pool, loop: CurlLoop) throws(Exchange.Failure) {
        let settings = try RouteSettings(pool.route)
        plain = try EasyModel(pool: pool, settings: settings, isSecure: false, loop: loop)
        secure = try EasyModel(pool: pool, settings: settings, isSecure: true, loop: loop)
    }
}
