// swift-format-ignore-file
// A client of a file cloud in the style of Alamofire's users. In the port, only the import was edited,
// and `let form`, which is a class in Alamofire.
import BluebonnetChain

protocol CloudResponse {
    associatedtype Success: Sendable
    associatedtype Failure: Error

    var response: HTTPURLResponse? { get }
    var error: Failure? { get }
}
extension AFDownloadResponse: CloudResponse { }
extension AFDataResponse: CloudResponse { }

extension AFDataResponse {
    var summary: String { return "\(data?.count ?? 0) bytes" }
}
extension AFDownloadResponse {
    var summary: String { return fileURL?.lastPathComponent ?? "no file" }
}

struct CloudError: CustomStringConvertible {
    let description: String

    init<T: CloudResponse>(afResponse: T) {
        let code = afResponse.response?.statusCode ?? 0
        guard let dataResponse = afResponse as? Alamofire.DataResponse<T.Success, T.Failure>, let data = dataResponse.data else {
            description = "\(code) of a download"
            return
        }
        description = "\(code) " + String(decoding: data, as: UTF8.self)
    }
}

final class CloudMonitor: EventMonitor {
    func request<Value: Sendable>(_ request: DataRequest, didParseResponse response: AFDataResponse<Value>) {
        print("parsed", response.summary)
    }
    func request<Value: Sendable>(_ request: DownloadRequest, didParseResponse response: AFDownloadResponse<Value>) {
        print("parsed", response.summary)
    }
}

final class CloudClient: Sendable {
    let session: Alamofire.Session
    let headers: Alamofire.HTTPHeaders = ["X-Account": "ann"]

    init(session: Alamofire.Session) { self.session = session }

    func upload(_ file: URL, taskHandler: @escaping @Sendable (_ task: URLSessionTask) -> Void = { _ in },
                completion: @escaping @Sendable (_ response: AFDataResponse<Data>?, _ error: CloudError?) -> Void) {
        session.upload(file, to: "https://cloud.test/file", method: .put, headers: headers, interceptor: nil, fileManager: .default).validate(statusCode: 200..<300).onURLSessionTaskCreation(perform: { task in
            task.taskDescription = "upload"
            taskHandler(task)
        }).responseData { response in
            completion(response, self.evaluate(response))
        }
    }

    func download(to file: URL, taskHandler: @escaping @Sendable (_ task: URLSessionTask) -> Void = { _ in },
                  completion: @escaping @Sendable (_ response: AFDownloadResponse<URL?>?, _ error: CloudError?) -> Void) {
        let destination: Alamofire.DownloadRequest.Destination = { _, _ in (file, [.removePreviousFile, .createIntermediateDirectories]) }
        session.download("https://cloud.test/file", method: .get, encoding: URLEncoding.default, headers: headers, to: destination).validate(statusCode: 200..<300).onURLSessionTaskCreation { task in
            taskHandler(task)
        }.response { response in
            completion(response, self.evaluate(response))
        }
    }

    func share(with names: [String], completion: @escaping @Sendable (String) -> Void) {
        let parameters: [String: Any] = ["names": names, "write": true]
        session.request("https://cloud.test/share", method: .post, parameters: parameters, encoding: JSONEncoding.default).responseString { (response: AFDataResponse<String>) in
            completion(response.value ?? "")
        }
    }

    func add(_ note: String) async -> AFDataResponse<Data> {
        var form = MultipartFormData(fileManager: .default, boundary: "cloud")
        form.append(Data(note.utf8), withName: "note")
        return await session.upload(multipartFormData: form, to: "https://cloud.test/notes", fileManager: .default).serializingData().response
    }

    func size() async -> AFDownloadResponse<Data> {
        return await session.download("https://cloud.test/file").serializingData().response
    }

    func evaluate<Value>(_ response: AFDataResponse<Value>) -> CloudError? {
        if case .success = response.result { return nil }
        return CloudError(afResponse: response)
    }

    func evaluate<Value>(_ response: AFDownloadResponse<Value>) -> CloudError? {
        if case .success = response.result { return nil }
        return CloudError(afResponse: response)
    }
}
