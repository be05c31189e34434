#!/usr/bin/env bash
# Serves the built book on this machine: ./ci/serve.sh [port]
cd "$(dirname "$0")/.."
if [ ! -d _build/html ]; then
  echo "error: there is no built book; run ./ci/book.sh first" >&2
  exit 1
fi
port=${1:-8000}
if ! python3 -c "import socket; socket.create_server(('127.0.0.1', $port)).close()" 2> /dev/null; then
  echo "error: port $port is taken; choose another: ./ci/serve.sh 8001" >&2
  exit 1
fi
echo "http://localhost:$port/ (Ctrl-C to stop)"
exec python3 -m http.server --bind 127.0.0.1 --directory _build/html "$port"
