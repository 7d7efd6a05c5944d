#!/usr/bin/env bash
# `npm start`: sets up what its arguments ask for, then starts the example.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh start "$@"
exec node examples/workloads/start.js "$@"
