"""Sends, receives and echoes bodies of any size, and prints its port.

GET /bytes/N has a body of N bytes. POST /count answers with the number of bytes of the request, and
POST /echo sends them back while they arrive. GET /stalled waits until a client has stopped reading,
and answers with the number of bytes that were sent to it. GET /closed waits until a client has closed
its connection early. The server ends with its standard input.
"""
import http.server
import os
import select
import sys
import threading

stalled, closed = threading.Event(), threading.Event()
sent = 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def pieces(self):
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            while size := int(self.rfile.readline() or b"0", 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return
        rest = int(self.headers.get("Content-Length", 0))
        while rest > 0:
            piece = self.rfile.read1(min(rest, 1 << 18))
            if not piece:
                raise ConnectionError
            rest -= len(piece)
            yield piece

    def answer(self, text):
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        global sent
        if self.path == "/stalled":
            stalled.wait(60)
            return self.answer(str(sent))
        if self.path == "/closed":
            closed.wait(60)
            return self.answer("closed" if closed.is_set() else "open")
        rest = int(self.path.rpartition("/")[2])
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(rest))
        self.end_headers()
        self.wfile.flush()
        sent, piece = 0, memoryview(bytes(1 << 18))
        self.connection.setblocking(False)
        try:
            while rest > 0:
                if not select.select([], [self.connection], [], 0.5)[1]:
                    stalled.set()
                    select.select([], [self.connection], [])
                count = self.connection.send(piece[:min(rest, len(piece))])
                rest, sent = rest - count, sent + count
        except OSError:
            closed.set()
            self.close_connection = True
        self.connection.setblocking(True)

    def do_POST(self):
        try:
            if self.path != "/echo":
                return self.answer(str(sum(map(len, self.pieces()))))
            self.send_response(200)
            self.send_header("Content-Type", "application/octet-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in self.pieces():
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
        except (OSError, ValueError):
            closed.set()
            self.close_connection = True


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
os._exit(0)
