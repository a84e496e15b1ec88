# Words, stamps and progress: what the other parts of `./x` are written with.
# Sourced by `x`, which sets ROOT. Works with the bash 3.2 of macOS.

TOOLS=$ROOT/.tools
VENV=$TOOLS/venv
DIST=$ROOT/dist
WASM_TARGET=wasm32-unknown-unknown
# WebAssembly may come from another compiler than native code, and the wheel is built with other flags than tests:
# each has its own target folder, so that none makes another stale.
WASM_TARGET_DIR=$ROOT/target/wasm
WHEEL_TARGET_DIR=$ROOT/target/wheel

case $(uname -s) in
    MINGW* | MSYS* | CYGWIN*) VENV_BIN=$VENV/Scripts ;;
    *) VENV_BIN=$VENV/bin ;;
esac

say() { printf '%s\n' "$*" >&2; }

die() {
    say "error: $*"
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# version_at_least HAVE WANT: compares dotted numbers, `1.96.0` with `1.95`.
version_at_least() {
    local have want i
    IFS=. read -r -a have <<<"$1"
    IFS=. read -r -a want <<<"$2"
    for i in 0 1 2; do
        local h=${have[i]:-0} w=${want[i]:-0}
        h=${h%%[!0-9]*} w=${w%%[!0-9]*}
        ((10#${h:-0} > 10#${w:-0})) && return 0
        ((10#${h:-0} < 10#${w:-0})) && return 1
    done
    return 0
}

if has sha256sum; then SHA256=(sha256sum); else SHA256=(shasum -a 256); fi

# fingerprint PATH…: one hash over the names and bytes of the files below these paths that git would keep. A path that
# starts with `:!` is left out.
fingerprint() {
    (
        cd "$ROOT"
        if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
            git ls-files -z --cached --others --exclude-standard -- "$@"
        else
            files_without_git "$@"
        fi | LC_ALL=C sort -zu | existing | xargs -0 "${SHA256[@]}" | "${SHA256[@]}" | cut -c 1-64
    )
}

# The same in a source archive: everything but what builds leave behind.
files_without_git() {
    local path prune=(-name node_modules -o -name target -o -name dist -o -name __pycache__ -o -name generated)
    for path; do
        case $path in
            :!*) prune+=(-o -path "${path#:!}") ;;
        esac
    done
    for path; do
        if [[ -e $path ]]; then find "$path" \( "${prune[@]}" \) -prune -o -type f -print0; fi
    done
}

# Git lists files that were deleted and not yet committed, too.
existing() {
    local file
    while IFS= read -r -d '' file; do
        if [[ -f $file ]]; then printf '%s\0' "$file"; fi
    done
}

# up_to_date STAMP HASH PRODUCT…: whether the products are there and were made from the inputs of this hash.
up_to_date() {
    local stamp=$TOOLS/stamps/$1 hash=$2 product
    shift 2
    [[ -f $stamp && $(<"$stamp") == "$hash" ]] || return 1
    for product; do [[ -e $product ]] || return 1; done
}

stamp() {
    mkdir -p "$TOOLS/stamps"
    printf '%s\n' "$2" >"$TOOLS/stamps/$1"
}

# locked: only one `./x` at a time installs or builds in this checkout. The lock lasts as long as the caller's subshell.
locked() {
    has flock || return 0
    mkdir -p "$TOOLS"
    exec 9>"$TOOLS/lock"
    flock -n 9 || {
        say "waiting for another ./x in this checkout …"
        flock 9
    }
}

seconds() { if (($1 < 60)); then printf '%d s' "$1"; else printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); fi; }

# watched LABEL COMMAND…: runs a long silent command with its output in a log. Shows that it is alive, how long it took,
# and the end of the log if it fails. Not to be called where bash ignores errors (`if`, `||`, `&&`).
watched() {
    local label=$1 started=$SECONDS status ticker log
    shift
    mkdir -p "$TOOLS/log"
    log=$TOOLS/log/$(printf '%s' "${label#\[*\] }" | tr -cs 'A-Za-z0-9.\n' '-').log
    [[ -t 2 ]] || say "$label …"
    tick "$label" "$log" &
    ticker=$!
    set +e
    (
        set -e
        "$@"
    ) </dev/null >"$log" 2>&1 9>&-
    status=$?
    set -e
    kill "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    [[ ! -t 2 ]] || printf '\r\033[K' >&2
    if [[ $status -ne 0 ]]; then
        say "$label: failed after $(seconds $((SECONDS - started))). The end of $log:"
        tail -n 40 "$log" >&2
        exit "$status"
    fi
    say "$label: done in $(seconds $((SECONDS - started)))"
}

# tick LABEL LOG: on a terminal one line that moves; elsewhere a line every half minute.
tick() {
    local started=$SECONDS last
    exec 9>&-
    while kill -0 $$ 2>/dev/null; do
        if [[ -t 2 ]]; then
            last=$(tail -n 1 "$2" 2>/dev/null | tr -d '\r' | tr -cd '[:print:]' | cut -c 1-60)
            printf '\r\033[K%s … %s  %s' "$1" "$(seconds $((SECONDS - started)))" "$last" >&2
            sleep 1 >/dev/null 2>&1
        else
            # Its own streams: a sleep that outlives us must not keep our caller's pipe open.
            sleep 30 >/dev/null 2>&1
            say "    still at it after $(seconds $((SECONDS - started))): $(tail -n 1 "$2" 2>/dev/null | cut -c 1-100)"
        fi
    done
}

as_root() {
    if [[ ${EUID:-$(id -u)} -eq 0 ]]; then
        "$@"
    elif has sudo; then
        sudo "$@"
    else
        die "this needs root: $*"
    fi
}

apt_install() {
    as_root apt-get update -q
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

xtask() { (cd "$ROOT" && cargo run --quiet --locked --package xtask -- "$@"); }
