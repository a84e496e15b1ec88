# What the project needs on a machine, one pair of functions for each thing: `have_X` looks, `get_X` installs.
# Everything of our own goes below .tools/; the rest comes from rustup, or on Debian from its packages.

WASM_PACK=0.15.1
DEBIAN_SYSROOT_LIB=/usr/lib/rustlib/$WASM_TARGET/lib

setup_all() { SETUP_VERBOSE=1 setup rust node python wasm_target wasm_bindgen wasm_pack npm venv chromium; }
setup_for_rust() { setup rust; }
setup_for_build() { setup rust node python wasm_target wasm_bindgen wasm_pack npm venv; }
setup_for_run() { setup rust node wasm_target wasm_bindgen wasm_pack npm; }
setup_for_browser() { setup rust node python wasm_target wasm_bindgen wasm_pack npm venv chromium; }

# setup THING…: installs what is missing, in this order. Says nothing about what is there, unless SETUP_VERBOSE is set.
setup() {
    local total=$# n=0 thing label
    for thing; do
        n=$((n + 1))
        label="[$n/$total] $("title_$thing")"
        if "have_$thing"; then
            [[ -z ${SETUP_VERBOSE:-} ]] || say "$label: ok"
        else
            "get_$thing" "$label"
            "have_$thing" || die "$("title_$thing") was installed, but cannot be found"
        fi
    done
}

# --- What must be there before: the languages themselves -------------------------------------------------------------

title_rust() { echo "Rust $(rust_wanted) or later"; }
rust_wanted() { sed -n 's/^rust-version = "\(.*\)"/\1/p' "$ROOT/Cargo.toml"; }
have_rust() {
    has cargo && has rustc && version_at_least "$(rustc --version | cut -d ' ' -f 2)" "$(rust_wanted)" \
        && cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1
}
get_rust() {
    die "$(title_rust) with rustfmt and clippy is needed: install it with rustup (https://rustup.rs), then \`rustup update stable\`"
}

title_node() { echo "Node.js 20 or later, with npm"; }
have_node() { has node && has npm && version_at_least "$(node --version | tr -d v)" 20; }
get_node() { die "$(title_node) is needed: https://nodejs.org, or your system's packages \`nodejs\` and \`npm\`"; }

title_python() { echo "Python 3.11 or later, with venv"; }
# The first Python that will do; the tools of the tests want a later one than the package does. PYTHON names another.
find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3 python; do
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}
# A virtual environment that works answers the question, and much faster.
have_python() { have_venv || find_python >/dev/null; }
get_python() { die "$(title_python) is needed: https://www.python.org, or your system's packages \`python3\` and \`python3-venv\`"; }

# --- The WebAssembly target ------------------------------------------------------------------------------------------

title_wasm_target() { echo "Rust target $WASM_TARGET"; }

rustup_has_wasm() { compgen -G "$(rustc --print sysroot)/lib/rustlib/$WASM_TARGET/lib/libstd-*.rlib" >/dev/null; }

# Debian's compiler, with a standard library that was built by this very compiler.
debian_has_wasm() {
    [[ -x /usr/bin/rustc && -x /usr/bin/cargo && -f $DEBIAN_SYSROOT_LIB/built-by ]] \
        && [[ $(<"$DEBIAN_SYSROOT_LIB/built-by") == "$(/usr/bin/rustc --version)" ]] \
        && compgen -G "$DEBIAN_SYSROOT_LIB/libstd-*.rlib" >/dev/null && [[ -n $(find_wasm_linker) ]]
}

have_wasm_target() { rustup_has_wasm || debian_has_wasm; }

get_wasm_target() {
    local log=$TOOLS/log/rustup-target.log
    mkdir -p "$TOOLS/log"
    if has rustup; then
        say "$1: asking rustup …"
        if rustup target add "$WASM_TARGET" </dev/null >"$log" 2>&1 && rustup_has_wasm; then return 0; fi
    fi
    if ! has apt-get; then
        die "rustup cannot install the target (see $log); install a Rust compiler for $WASM_TARGET by hand"
    fi
    say "$1: rustup cannot get it here, so Debian's compiler and a standard library built from its source will do"
    if ! { [[ -x /usr/bin/cargo && -x /usr/bin/rustc && -d $(debian_rust_source) ]] && dpkg -s rustc-web >/dev/null 2>&1; }; then
        watched "$1, Debian packages rustc-web cargo-web rust-web-src" apt_install rustc-web cargo-web rust-web-src
    fi
    if [[ -z $(find_wasm_linker) ]]; then watched "$1, Debian package lld-19" apt_install lld-19; fi
    watched "$1, building its standard library (a minute or two)" build_wasm_std
}

debian_rust_source() { echo /usr/lib/rustlib/src/rust/library; }

# rustup's toolchain ships a linker that knows WebAssembly; Debian has its own.
find_wasm_linker() {
    local found
    for found in "$(rustc --print sysroot)"/lib/rustlib/*/bin/rust-lld /usr/lib/rustlib/*/bin/rust-lld /usr/bin/wasm-ld-19; do
        if [[ -x $found ]]; then
            printf '%s\n' "$found"
            return 0
        fi
    done
}

# Debian ships the standard library's source but no build of it for WebAssembly: build it once, as part of an empty
# crate, and put the libraries where the compiler looks. Bitcode must be embedded, or link-time optimisation fails later.
build_wasm_std() {
    local scratch=$TOOLS/build/std built
    rm -rf "$scratch"
    mkdir -p "$scratch/src"
    printf '[package]\nname = "scratch"\nversion = "0.0.0"\nedition = "2021"\n[lib]\ncrate-type = ["cdylib"]\n[workspace]\n' \
        >"$scratch/Cargo.toml"
    : >"$scratch/src/lib.rs"
    (
        cd "$scratch"
        export RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc CARGO_TARGET_DIR=$scratch/target
        export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$(find_wasm_linker)
        export RUSTFLAGS="-Cembed-bitcode=yes -Copt-level=3 --remap-path-prefix=/usr/src=/rust --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
        /usr/bin/cargo build --release -Zbuild-std=std,panic_abort --target "$WASM_TARGET"
    )
    built=$scratch/target/$WASM_TARGET/release/deps
    rm -f "$built"/libscratch*
    as_root rm -rf "$DEBIAN_SYSROOT_LIB"
    as_root mkdir -p "$DEBIAN_SYSROOT_LIB"
    as_root cp "$built"/lib*.rlib "$DEBIAN_SYSROOT_LIB/"
    /usr/bin/rustc --version >"$scratch/built-by"
    as_root cp "$scratch/built-by" "$DEBIAN_SYSROOT_LIB/built-by"
    rm -rf "$scratch"
}

# Flags that keep the paths of this machine out of the result: it is the same wherever it is built. The last that fits
# wins. As CARGO_ENCODED_RUSTFLAGS wants them.
path_flags() {
    local cargo=${CARGO_HOME:-$HOME/.cargo} crates
    printf '%s' "--remap-path-prefix=$ROOT=gatewright"$'\x1f'"--remap-path-prefix=$cargo=cargo"
    for crates in "$cargo"/registry/src/*; do printf '\x1f%s' "--remap-path-prefix=$crates=crates"; done
}

# wasm_cargo_env: makes this (sub)shell's `cargo`, `rustc` and flags right for WebAssembly, whichever compiler has the target.
wasm_cargo_env() {
    local sysroot linker
    linker=$(find_wasm_linker)
    export CARGO_TARGET_DIR=$WASM_TARGET_DIR
    export PATH=$TOOLS/bin:$PATH
    if rustup_has_wasm; then
        sysroot="rustup $(rustc --version)"
    else
        mkdir -p "$TOOLS/debian-rust"
        ln -sf /usr/bin/cargo /usr/bin/rustc "$TOOLS/debian-rust/"
        export PATH=$TOOLS/debian-rust:$PATH RUSTC=/usr/bin/rustc
        export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
        sysroot="debian $(ls -l --time-style=full-iso "$DEBIAN_SYSROOT_LIB/built-by")"
    fi
    export CARGO_ENCODED_RUSTFLAGS
    # What is hot says so itself (`#[inline]`): to copy more into one another makes the module a tenth larger, and no faster.
    CARGO_ENCODED_RUSTFLAGS="-Ctarget-feature=+simd128"$'\x1f'"-Cllvm-args=-inline-threshold=25"$'\x1f'$(path_flags)
    # Crates name the very standard library they were built with: another one needs a fresh start.
    if [[ -d $WASM_TARGET_DIR && $(cat "$WASM_TARGET_DIR/sysroot" 2>/dev/null) != "$sysroot" ]]; then
        rm -rf "$WASM_TARGET_DIR"
    fi
    mkdir -p "$WASM_TARGET_DIR"
    printf '%s\n' "$sysroot" >"$WASM_TARGET_DIR/sysroot"
}

# --- Tools in Rust ---------------------------------------------------------------------------------------------------

wasm_bindgen_wanted() { awk '/^name = "wasm-bindgen"$/ { getline; gsub(/[^0-9.]/, ""); print }' "$ROOT/Cargo.lock"; }

title_wasm_bindgen() { echo "wasm-bindgen-cli $(wasm_bindgen_wanted)"; }
have_wasm_bindgen() {
    [[ "$(PATH=$TOOLS/bin:$PATH wasm-bindgen --version 2>/dev/null)" == "wasm-bindgen $(wasm_bindgen_wanted)" ]]
}
get_wasm_bindgen() { watched "$1, building (a minute or two)" cargo_install wasm-bindgen-cli "$(wasm_bindgen_wanted)" wasm-bindgen; }

title_wasm_pack() { echo "wasm-pack $WASM_PACK"; }
have_wasm_pack() { [[ "$(PATH=$TOOLS/bin:$PATH wasm-pack --version 2>/dev/null)" == "wasm-pack $WASM_PACK" ]]; }
get_wasm_pack() { watched "$1, building (a minute or two)" cargo_install wasm-pack "$WASM_PACK" wasm-pack; }

# cargo_install CRATE VERSION BINARY. Unoptimised: these tools run for a second, and optimising them takes minutes.
cargo_install() {
    local options=(--root "$TOOLS" --debug --force --bin "$3" "$1@$2")
    export CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR=$TOOLS/build
    # A lockfile can name a release that was withdrawn since; then the newest that fit will do.
    cargo install --locked "${options[@]}" || cargo install "${options[@]}"
    rm -rf "$TOOLS/build"
}

# --- Packages of the other languages ---------------------------------------------------------------------------------

title_npm() { echo "npm packages (esbuild, TypeScript, binaryen, the MCP SDK, …)"; }
npm_wanted() { (cd "$ROOT/npm" && cat package.json package-lock.json && node --version) | "${SHA256[@]}" | cut -c 1-64; }
have_npm() { [[ -f $ROOT/npm/node_modules/.installed && $(<"$ROOT/npm/node_modules/.installed") == "$(npm_wanted)" ]]; }
get_npm() {
    watched "$1" npm --prefix "$ROOT/npm" ci --no-fund --no-audit
    npm_wanted >"$ROOT/npm/node_modules/.installed"
}

title_venv() { echo "Python packages (maturin, pytest, wasm-tools, wasmtime, …)"; }
venv_wanted() { "${SHA256[@]}" <"$ROOT/python/requirements-dev.txt" | cut -c 1-64; }
have_venv() {
    [[ -f $VENV/.installed && $(<"$VENV/.installed") == "$(venv_wanted)" ]] && "$VENV_BIN/python" -c '' 2>/dev/null
}
get_venv() { watched "$1" make_venv; }
make_venv() {
    rm -rf "$VENV"
    "$(find_python)" -m venv "$VENV"
    "$VENV_BIN/python" -m pip install --disable-pip-version-check -r "$ROOT/python/requirements-dev.txt"
    venv_wanted >"$VENV/.installed"
}

# --- The browser -----------------------------------------------------------------------------------------------------

title_chromium() { echo "Chromium"; }
# GATEWRIGHT_CHROMIUM names another browser of the family.
find_chromium() {
    local candidate
    for candidate in "${GATEWRIGHT_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" "/Applications/Chromium.app/Contents/MacOS/Chromium"; do
        if [[ -n $candidate ]] && has "$candidate"; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}
have_chromium() { find_chromium >/dev/null; }
get_chromium() {
    has apt-get || die "Chromium or Chrome is needed for the browser test: install it, or name it in GATEWRIGHT_CHROMIUM"
    watched "$1, Debian package" apt_install chromium
}
