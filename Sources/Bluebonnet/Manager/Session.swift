/// Alamofire's name of the manager.
public typealias Session = HTTPSessionManager
