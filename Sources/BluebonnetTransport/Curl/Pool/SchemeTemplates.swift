/// A pair of values, one for exchanges without TLS and one for exchanges with it.
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

/// The templates of a pool's handles, which can differ between the schemes in proxy and HTTP
/// version.
typealias SchemeTemplates = SchemePair<EasyHandleTemplate>

extension SchemePair where Element == EasyHandleTemplate {
    init(pool: Exchange.Pool, loop: EventLoop) throws(Exchange.Failure) {
        let settings = try RouteSettings(pool.route)
        plain = try EasyHandleTemplate(pool: pool, settings: settings, isSecure: false, loop: loop)
        secure = try EasyHandleTemplate(pool: pool, settings: settings, isSecure: true, loop: loop)
    }
}
