# What is built from what. Each product has a stamp, a hash over its inputs: what is up to date is not built again.
#
#   core/ + wasm/bindgen    -> target/wasm/pkg/ and pkg-cli/ (wasm-pack)
#   core/ + wasm/component  -> dist/gatewright.component.wasm (cargo, wasm-opt, wasm-tools)
#   pkgs + npm/             -> npm/dist/ (npm run build, with wasm-opt); with the component -> dist/gatewright-*.tgz (npm pack)
#   core/ + python/         -> dist/gatewright-*.whl (maturin)
#
# The scripts of npm/ are told where things are by the environment:
#   GATEWRIGHT_WASM_PKG      folder with gatewright.js and gatewright_bg.wasm, as wasm-pack writes them: not optimised yet
#   GATEWRIGHT_CLI_WASM_PKG  the same with the command line in it, for the command alone
#   GATEWRIGHT_COMPONENT     the component

export GATEWRIGHT_WASM_PKG=$WASM_TARGET_DIR/pkg
export GATEWRIGHT_CLI_WASM_PKG=$WASM_TARGET_DIR/pkg-cli
export GATEWRIGHT_COMPONENT=$DIST/gatewright.component.wasm

# rust_fingerprint PATH…: one hash over the core, these paths, and the compiler.
rust_fingerprint() {
    echo "$(fingerprint Cargo.toml Cargo.lock core/Cargo.toml core/src xtask/sh/setup.sh xtask/sh/build.sh "$@") $(rustc --version)"
}

build_all() {
    build_npm
    build_wheel
}

build_npm() {
    build_component
    build_cli
    pack_npm
}

# --- WebAssembly -----------------------------------------------------------------------------------------------------

build_wasm_pkg() {
    local hash
    hash=$(rust_fingerprint wasm/bindgen)
    if up_to_date wasm-pkg "$hash" "$GATEWRIGHT_WASM_PKG/gatewright_bg.wasm" "$GATEWRIGHT_CLI_WASM_PKG/gatewright_bg.wasm"; then return 0; fi
    watched "WebAssembly module for JavaScript" make_wasm_pkg
    stamp wasm-pkg "$hash"
}
make_wasm_pkg() {
    wasm_cargo_env
    rm -rf "$GATEWRIGHT_WASM_PKG" "$GATEWRIGHT_CLI_WASM_PKG"
    wasm_pack "$GATEWRIGHT_WASM_PKG"
    wasm_pack "$GATEWRIGHT_CLI_WASM_PKG" --features cli
}
# wasm_pack FOLDER OPTION…: the options are cargo's.
wasm_pack() {
    local folder=$1
    shift
    wasm-pack build "$ROOT/wasm/bindgen" --mode no-install --no-opt --no-pack --target web --profile wasm \
        --out-dir "$folder" --out-name gatewright -- --locked "$@"
}

build_component() {
    local hash
    hash=$(rust_fingerprint wasm/component wit)
    if up_to_date component "$hash" "$GATEWRIGHT_COMPONENT"; then return 0; fi
    watched "WebAssembly component" make_component
    stamp component "$hash"
}
make_component() {
    local module=$WASM_TARGET_DIR/component.wasm wit
    (
        wasm_cargo_env
        cargo build --locked --package gatewright-component --profile wasm --target "$WASM_TARGET"
    )
    # For speed. The features that the code may use stand in the file; names and debugging sections go, what
    # `component new` reads stays.
    "$ROOT/npm/node_modules/.bin/wasm-opt" -O3 --strip-debug --strip-producers --strip-target-features \
        "$WASM_TARGET_DIR/$WASM_TARGET/wasm/gatewright_component.wasm" -o "$module"
    mkdir -p "$DIST"
    "$VENV_BIN/wasm-tools" component new "$module" -o "$module.new"
    # The core asks nothing of its host: no clock, no files, no randomness. Imports would say otherwise.
    wit=$("$VENV_BIN/wasm-tools" component wit "$module.new")
    if grep -E '^ *import ' <<<"$wit"; then
        echo "the component must not import anything"
        return 1
    fi
    mv "$module.new" "$GATEWRIGHT_COMPONENT"
}

# --- Packages --------------------------------------------------------------------------------------------------------

# The JavaScript of the npm package, with the command line: all that `run` needs.
build_cli() {
    build_wasm_pkg
    local hash
    hash="$(<"$TOOLS/stamps/wasm-pkg") $(npm_source)"
    if up_to_date npm "$hash" "$ROOT/npm/dist/cli.js"; then return 0; fi
    watched "npm package" npm --prefix "$ROOT/npm" run build
    stamp npm "$hash"
}
npm_source() { fingerprint npm README.md LICENSE-MIT LICENSE-APACHE ":!npm/test" ":!npm/bench"; }

pack_npm() {
    local hash
    hash="$(<"$TOOLS/stamps/npm") $(<"$TOOLS/stamps/component")"
    if up_to_date npm-tarball "$hash" "$(one "$DIST"/gatewright-*.tgz)"; then return 0; fi
    watched "npm tarball" make_tarball
    stamp npm-tarball "$hash"
}
make_tarball() {
    rm -f "$DIST"/gatewright-*.tgz
    cp "$GATEWRIGHT_COMPONENT" "$ROOT/npm/dist/component.wasm"
    (cd "$ROOT/npm" && npm pack --ignore-scripts --pack-destination "$DIST")
}

build_wheel() {
    local hash
    hash=$(rust_fingerprint python ":!python/tests" ":!python/bench")
    if up_to_date wheel "$hash" "$(one "$DIST"/gatewright-*.whl)"; then return 0; fi
    watched "Python wheel" make_wheel
    stamp wheel "$hash"
}
make_wheel() {
    rm -f "$DIST"/gatewright-*.whl
    CARGO_ENCODED_RUSTFLAGS=$(path_flags) CARGO_TARGET_DIR=$WHEEL_TARGET_DIR "$VENV_BIN/maturin" build --locked --release \
        --manifest-path "$ROOT/python/Cargo.toml" --interpreter "$VENV_BIN/python" --out "$DIST"
}

# one FILE…: the file, if there is exactly one, as a pattern should have found; else a name that does not exist.
one() { if [[ $# -eq 1 ]]; then printf '%s\n' "$1"; else printf '%s\n' "$DIST/none"; fi; }
