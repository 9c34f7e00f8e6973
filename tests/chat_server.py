"""An OpenAI-compatible chat server on the loopback address, whose answers a test decides."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, str], bytes]

MODEL = "tiny-writer"


def chat_body(text: str | None, finish_reason: str = "stop", **message: Any) -> dict[str, Any]:
    """Body of a good reply."""
    return {
        "object": "chat.completion",
        "model": MODEL,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": finish_reason,
            }
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def answer_with(body: Any) -> Answer:
    """A reply with status 200."""
    return 200, {}, body if isinstance(body, bytes) else json.dumps(body).encode()


def answer_well(number: int, request: dict[str, Any]) -> Answer:
    """The last message in capitals, as the sentence."""
    sentence = request["messages"][-1]["content"].upper()
    return answer_with(chat_body(json.dumps({"sentence": sentence})))


class ChatServer:
    """`POST /v1/chat/completions` on a free port; `behave` answers the n-th request."""

    def __init__(self, behave: Callable[[int, dict[str, Any]], Answer] = answer_well) -> None:
        self.requests: list[dict[str, Any]] = []
        self.authorizations: list[str] = []
        self.most_at_once = 0
        at_once = 0
        lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:  # noqa: N802
                nonlocal at_once
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    outer.requests.append(request)
                    outer.authorizations.append(self.headers.get("Authorization", ""))
                    number = len(outer.requests)
                    at_once += 1
                    outer.most_at_once = max(outer.most_at_once, at_once)
                status, headers, body = behave(number, request)
                if self.path != "/v1/chat/completions":
                    status, headers, body = 404, {}, b"no such path"
                with lock:
                    at_once -= 1
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *arguments: None
        self.base_url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def texts_asked(self) -> list[str]:
        """Last message of each request that came."""
        return [request["messages"][-1]["content"] for request in self.requests]

    def close(self) -> None:
        """Stop serving."""
        self.server.shutdown()
        self.server.server_close()
