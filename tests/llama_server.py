"""llama.cpp's own OpenAI-compatible server on one thread: `llama_server.py GGUF PORT`."""

from __future__ import annotations

import signal
import sys
import threading

import xllamacpp

parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.model_alias = {"smollm2"}
parameters.hostnames = ["127.0.0.1"]
parameters.port = int(sys.argv[2])
parameters.n_ctx = 2048
parameters.n_parallel = 1
# One thread: more of them wait for each other at every step when the machine is busy.
parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
parameters.ui = False
parameters.offline = True
server = xllamacpp.Server(parameters)
sys.stdout.write(f"listening on {server.listening_address}\n")
sys.stdout.flush()
stop = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: stop.set())
stop.wait()
