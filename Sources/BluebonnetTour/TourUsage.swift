/// How to use the program.
enum TourUsage {
    // `scripts/tour` prints the lines between the quotes, before anything is built.
    static let text = """
        usage: scripts/tour                             take a tour of the library
               scripts/tour [fetch] [OPTION...] URL...  fetch URLs, one after the other
               scripts/tour --serve [PORT]              start the tour's server alone

        The tour sends requests to a server of its own, and shows the code of each step.

        fetch writes the bodies of the responses to standard output, as they are. On a
        terminal it also shows the head, indents JSON, and prints no more than the size
        of a body that is not text. A status such as 404 is a failure only with -f.

          -v, --verbose         show the request, the response's head, and what was
                                measured, on standard error
          -i, --include         write the response's head before its body
          -o, --output FILE     download to a file, which appears complete or not at
                                all; - is standard output, as it is even on a
                                terminal
          -O, --remote-name     download to a new file with the name that the server
                                suggests, or that the URL ends in
          -d, --data DATA       send a form by POST: NAME=VALUE, @FILE, or - for
                                standard input, both without line ends; & joins the
                                values of several -d
              --json JSON       send JSON by POST: a document, @FILE, - for standard
                                input, or a member of an object, NAME=TEXT or
                                NAME:=JSON; several members make one object
          -X, --request METHOD  send this method
          -H, --header FIELD    send a header field, 'Name: value'
          -L, --follow          follow redirects, which are otherwise only reported
          -u, --user USER[:PASSWORD]
                                log in, by Basic or Digest; without a password, asks
                                for it on the terminal
              --timeout SECONDS fail after this time
          -f, --fail            fail without a body at a status of 400 or more
              --retry N         retry up to N times after failures that often go away,
                                unless the method is one such as POST

              --serve [PORT]    serve at http://127.0.0.1:8080/ or at another port,
                                until Ctrl-C; 0 is any free port
          -h, --help            print this text

        Passwords and other secrets in header fields and URLs are shown as <redacted>.
        NO_COLOR=1 turns the colors off. --location, -m and --max-time work as in curl.

        examples:
          scripts/tour fetch -v https://example.com/
          scripts/tour fetch --json name=flax http://127.0.0.1:8080/echo
          scripts/tour fetch -L --retry 3 -o page.html http://example.com/

        exit status: 0 all steps held or all URLs were fetched, 1 not all, 2 invalid
        arguments, 130 Ctrl-C, 141 the output is no longer read, 143 terminated
        """
}
