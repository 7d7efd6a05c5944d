#!/usr/bin/env bash
# Makes a fresh checkout ready: packages of the distribution, node_modules, dist/. Only what is missing or stale, so that a second
# run takes a moment.
#
#   setup.sh start [--browser chromium|firefox|webkit]   what `npm start` needs
#   setup.sh test                                        what `npm test` needs
#   setup.sh bench-core                                  what `npm run bench:core` needs
#
# For Debian 12 with Node >= 20.19. Packages need root or sudo; without either, nothing is changed and the command to run is shown.
set -euo pipefail
cd "$(dirname "$0")/.."

NODE_MINIMUM=20.19.0
BUILD_PACKAGES=(cmake emscripten g++ ninja-build)
TEST_PACKAGES=(catch2 clang clang-format clang-tidy libclang-rt-14-dev)
LOG=build/setup.log

say() { printf 'setup: %s\n' "$*"; }

fail() {
  say "$*" >&2
  exit 1
}

packages_of_browser() {
  case $1 in
    chromium) echo chromium ;;
    firefox) echo firefox-esr ;;
    webkit) echo webkit2gtk-driver xvfb ;;
    *) fail "unknown browser $1: chromium, firefox or webkit" ;;
  esac
}

# The value of --browser among the arguments; chromium without one.
browser_of() {
  local browser=chromium
  while (($#)); do
    case $1 in
      --browser=*) browser=${1#*=} ;;
      --browser) browser=${2:-} ;;
    esac
    shift
  done
  echo "$browser"
}

# Step with a line when it begins and one when it ends; the output goes to the log, whose end is shown when it fails.
step() {
  local what=$1 begin=$SECONDS
  shift
  say "$what ..."
  mkdir -p build
  if ! "$@" >"$LOG" 2>&1; then
    tail -n 30 "$LOG" >&2
    fail "failed after $((SECONDS - begin)) s: $* (all output: $LOG)"
  fi
  say "$what: done in $((SECONDS - begin)) s"
}

check_node() {
  local version
  command -v node >/dev/null || fail "Node is missing: version $NODE_MINIMUM or newer is needed"
  version=$(node --version)
  if [[ $(printf '%s\n' "$NODE_MINIMUM" "${version#v}" | sort --version-sort | head -n 1) != "$NODE_MINIMUM" ]]; then
    fail "Node is $version ($(command -v node)): version $NODE_MINIMUM or newer is needed"
  fi
}

missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
}

install_packages() {
  local missing as_root=()
  if ! command -v apt-get >/dev/null; then
    say "this system has no apt-get; take care that these (names of Debian) are there: $*"
    return
  fi
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  local install=(apt-get install --yes --no-install-recommends "${missing[@]}")
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "packages are missing; as root, run: apt-get update && ${install[*]}"
    # Asks for the password now: the steps' own output is not shown.
    sudo --validate || fail "packages are missing; as root, run: apt-get update && ${install[*]}"
    as_root=(sudo)
  fi
  export DEBIAN_FRONTEND=noninteractive
  step "package lists" "${as_root[@]}" apt-get update
  step "packages ${missing[*]}" "${as_root[@]}" "${install[@]}"
  # emscripten brings the distribution's own Node, which must not hide the one that was there.
  hash -r
  check_node
}

# The core for WebAssembly, but for linking, which takes the wasm-opt of node_modules; then what else is named, presets of CMakePresets.json.
# What does not compile is told later, by who needs it.
compile() {
  local preset
  # Debian's emscripten looks for its JavaScript modules there and does not say so itself.
  NODE_PATH=/usr/share/nodejs nice cmake --preset wasm
  nice cmake --build --preset wasm --target polyprof_runtime
  for preset in "$@"; do
    nice cmake --preset "$preset"
    nice cmake --build --preset "$preset"
  done
}

install_modules() {
  if [[ ! -e node_modules/.package-lock.json || package-lock.json -nt node_modules/.package-lock.json ]]; then
    mkdir -p build
    # npm leaves processors idle. Also where it fails this is waited for: a second try must not meet it.
    trap wait EXIT
    compile "${presets[@]}" &>build/compile.log &
    step "node_modules" npm ci --no-audit --no-fund
    wait
  fi
}

# The stamp is as old as the build's begin: what was edited meanwhile is newer. Folders count too, for files that were removed.
build_dist() {
  local sources=(CMakeLists.txt CMakePresets.json package-lock.json polyfill runtime wasm scripts/build.js scripts/size_budget.json)
  if [[ -e build/built && -e dist/polyprof.wasm && -z $(find "${sources[@]}" -newer build/built -print -quit) ]]; then
    return
  fi
  mkdir -p build
  touch build/building
  step "dist" node scripts/build.js
  mv build/building build/built
}

goal=${1:-}
shift || true
case $goal in
  start) packages=("${BUILD_PACKAGES[@]}") browsers=("$(browser_of "$@")") presets=() ;;
  test) packages=("${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}") browsers=(chromium firefox webkit) presets=(native asan tsan) ;;
  bench-core) packages=("${BUILD_PACKAGES[@]}" libbenchmark-dev) browsers=() presets=() ;;
  *) fail "usage: setup.sh start [--browser chromium|firefox|webkit] | setup.sh test | setup.sh bench-core" ;;
esac
for browser in "${browsers[@]}"; do
  names=$(packages_of_browser "$browser")
  read -ra names <<<"$names"
  packages+=("${names[@]}")
done

check_node
install_packages "${packages[@]}"
install_modules
build_dist
say "ready after $SECONDS s"
