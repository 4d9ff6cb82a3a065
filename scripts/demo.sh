#!/usr/bin/env bash
# The main job on a real tool list, step by step.
set -euo pipefail
cd "$(dirname "$0")/.."

step() {
  printf '\n\033[1m%s\033[0m\n$ %s\n' "$1" "${*:2}"
  "${@:2}"
}
[ -t 1 ] && [ -z "${NO_COLOR:-}" ] || step() { printf '\n%s\n$ %s\n' "$1" "${*:2}"; "${@:2}"; }

step "1. The tag that a hermes worker sends when a call is required:" \
  structag build --parser hermes --tools examples/weather.json --tool-choice required
step "2. The same tag as a tree:" \
  structag build --parser hermes --tools examples/weather.json --tool-choice required --format tree
step "3. Why, rule by rule:" \
  structag explain --parser hermes --tools examples/weather.json --tool-choice required
step "4. What tool_choice none bans:" \
  structag explain --parser deepseek_v4 --tools examples/weather.json --tool-choice none
step "5. A whole request, as vLLM takes the tag:" \
  structag build --parser qwen3_coder --request examples/request.json --for vllm
step "6. Does the ban hold? On the vocabulary of Qwen3.6, by token and by string:" \
  structag mask --tool-choice none --parser hermes --tokenizer qwen3.6 --quiet
step "7. A real model under the tag, verified (the first start converts its weights):" \
  structag generate --parser hermes --tools examples/weather.json --schema strict \
  --tool-choice required --no-parallel-tool-calls \
  --prompt "What is the weather in Paris, in celsius?"
