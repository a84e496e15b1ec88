"""A server for tests that does on request what real ones do by mistake. It speaks JSON-RPC by hand, with nothing but
the standard library, so that what it sends is exactly what is written here.

    python server.py BEHAVIOUR        over stdin and stdout
    python server.py BEHAVIOUR http   over HTTP; prints its URL
    python server.py @FILE            the behaviour that the file names, so that a server changes behind its command
"""

import http.server
import json
import os
import subprocess
import sys
import time

TOOL = '{"name": "ping", "description": "Answers pong.", "x-unknown": [1.0, 1e2, "\\u00e9"], "inputSchema": null}'
OTHER = '{"name": "other", "annotations": {"readOnlyHint": true, "x": 12345678901234567890}}'


def main(behaviour, transport="stdio"):
    if behaviour.startswith("@"):
        with open(behaviour[1:], encoding="utf-8") as file:
            behaviour = file.read()
    if transport == "http":
        serve_http(behaviour)
    else:
        serve_stdio(behaviour)


def serve_stdio(behaviour):
    print(f"starting as {behaviour}", file=sys.stderr, flush=True)
    if behaviour == "crash":
        print("no such token: \x1b[31mred\x1b[0m", file=sys.stderr, flush=True)
        sys.exit(3)
    if behaviour == "env":
        print(json.dumps(dict(os.environ)), file=sys.stderr, flush=True)
        sys.exit(3)
    if behaviour == "long-stderr":
        print("x" * 10_000 + " the end", file=sys.stderr, flush=True)
        sys.exit(3)
    if behaviour == "noise":
        print("Welcome!\n\n{ this is no message", flush=True)
    if behaviour == "family":
        # A child in this process group, and one that left it. Both outlive a server that only its pipes would end.
        for new_session in (False, True):
            command = [sys.executable, "-c", "import time; time.sleep(300)"]
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=new_session)
            print(f"child {child.pid}", file=sys.stderr, flush=True)
    if behaviour == "stubborn":
        import signal

        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        answer = respond(json.loads(line), behaviour)
        if answer is not None:
            print(answer, flush=True)
    if behaviour == "stubborn":
        time.sleep(300)


def serve_http(behaviour):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if behaviour == "unauthorized" and self.headers.get("authorization") != "Bearer secret":
                self.reply(401, "text/plain", "no")
            elif (answer := respond(request, behaviour)) is None:
                self.reply(202, "text/plain", "")
            elif behaviour == "events":
                self.reply(200, "text/event-stream", f"event: message\ndata: {answer}\n\n")
            else:
                self.reply(200, "application/json", answer)

        def do_GET(self):
            self.reply(405, "text/plain", "")

        def reply(self, status, kind, body):
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}/mcp", flush=True)
    server.serve_forever()


def respond(request, behaviour):
    if "id" not in request:
        return None
    if request["method"] == "initialize":
        if behaviour == "silent":
            return None
        capabilities = request["params"]["capabilities"]
        assert capabilities == {}, capabilities
        return result(request, """{"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
            "serverInfo": {"name": "test", "version": "1", "x-unknown": 1.0}, "instructions": "Be kind."}""")
    if request["method"] != "tools/list":
        return error(request, -32601, "Method not found")
    cursor = request.get("params", {}).get("cursor")
    if behaviour == "refuses":
        return error(request, -32603, "no tools\ntoday")
    if behaviour == "mute":
        return None
    if behaviour == "hangs-up":
        os._exit(0)
    if behaviour == "circle":
        return result(request, '{"tools": [], "nextCursor": "again"}')
    if behaviour == "endless":
        return result(request, f'{{"tools": [], "nextCursor": "{int(cursor or 0) + 1}"}}')
    if behaviour == "broken":
        return result(request, '{"tools": [{"name": "\\ud800"}]}')
    if behaviour == "infinite":
        return result(request, '{"tools": [{"name": "a", "x": 1e999}]}')
    if behaviour == "changed" and cursor is None:
        return result(request, f'{{"tools": [{TOOL.replace("pong", "pang")}], "nextCursor": "page 2"}}')
    if cursor is None:
        return result(request, f'{{"tools": [{TOOL}], "nextCursor": "page 2", "ttlMs": -5}}')
    assert cursor == "page 2", cursor
    return result(request, f'{{"tools": [{OTHER}], "nextCursor": ""}}')


def result(request, text):
    return f'{{"jsonrpc": "2.0", "id": {json.dumps(request["id"])}, "result": {" ".join(text.split())}}}'


def error(request, code, message):
    fault = {"code": code, "message": message}
    return json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": fault})


if __name__ == "__main__":
    main(*sys.argv[1:])
