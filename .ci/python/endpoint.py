"""endpoint.py FILE: an OpenAI-compatible endpoint behind which player.py answers; its address is
written into FILE."""

import http.server
import json
import sys

from player import reply


class Endpoint(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = reply(request["messages"], request.get("tools", ()))
        prompt = sum(len(m["content"] or "") for m in request["messages"]) // 4
        output = len(message["content"]) // 4 + 1
        body = json.dumps({
            "id": "scripted", "object": "chat.completion", "created": 0, "model": request["model"],
            "choices": [{"index": 0, "message": message,
                         "finish_reason": "tool_calls" if "tool_calls" in message else "stop"}],
            "usage": {"prompt_tokens": prompt, "completion_tokens": output,
                      "total_tokens": prompt + output},
        }).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(f"http://127.0.0.1:{server.server_port}/v1")
server.serve_forever()
