#!/usr/bin/env bash
# `npm start`: sets up what is missing, then profiles the example workloads. Its arguments are those of the program.
set -euo pipefail
cd "$(dirname "$0")/.."
exec node examples/workloads/start.js --set-up "$@"
