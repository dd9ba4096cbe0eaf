/// The small bodies that the built-in routes serve.
enum SampleDocuments {
    static let json =
        #"{"message":"hello","number":42,"flag":true,"list":[1,2,3],"nested":{"key":"value"}}"#

    static let text = "Hello from the fixture server.\n"

    static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <greeting number="42"><message>hello</message></greeting>

        """

    static let propertyList = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>message</key>
            <string>hello</string>
            <key>number</key>
            <integer>42</integer>
        </dict>
        </plist>

        """
}
