# What is tested, in steps that can be named, and what is measured. The first failure ends the run.
#
# The tests find what was built in dist/. The environment tells them:
#   GATEWRIGHT_CHROMIUM        the browser
#   GATEWRIGHT_SOAK            `1` for the long counts
#   GATEWRIGHT_EXTRA_VECTORS   one more folder of vectors: if it is not set, public test data beside the repository
#                              (GATEWRIGHT_DATA) is turned into one

TEST_STEPS="core python npm component browser servers pages"

test_all() {
    local step steps="" started=$SECONDS
    for step; do
        case $step in
            --soak) export GATEWRIGHT_SOAK=1 ;;
            *)
                [[ " $TEST_STEPS " == *" $step "* ]] || die "there is no test step \`$step\`, only: $TEST_STEPS"
                steps+=" $step"
                ;;
        esac
    done
    [[ -n $steps ]] || steps=$TEST_STEPS
    extra_vectors
    for step in $steps; do
        "test_$step"
    done
    echo
    echo "all done in $(seconds $((SECONDS - started))):" $steps
}

extra_vectors() {
    local python folder=$ROOT/target/public-vectors
    [[ -z ${GATEWRIGHT_EXTRA_VECTORS:-} ]] || return 0
    python=$(find_python) || get_python
    GATEWRIGHT_CALL="cargo run --quiet --locked --package xtask -- call" "$python" "$ROOT/xtask/py/public_vectors.py" "$folder"
    # A folder without tests is no folder: where the data is not there, that was said.
    if ! grep -q '"total": 0' "$folder/manifest.json"; then export GATEWRIGHT_EXTRA_VECTORS=$folder; fi
}

# check LABEL COMMAND…: runs it at the root with its output as it comes, and says how long it took.
check() {
    local label=$1 started=$SECONDS status
    shift
    printf '\n== %s\n' "$label"
    set +e
    (
        set -e
        cd "$ROOT"
        "$@"
    ) </dev/null
    status=$?
    set -e
    if [[ $status -ne 0 ]]; then die "$label: failed with status $status after $(seconds $((SECONDS - started)))"; fi
    printf '== %s: ok, %s\n' "$label" "$(seconds $((SECONDS - started)))"
}

test_core() {
    prepare setup_for_rust
    check "core: formatting" cargo fmt --all --check
    check "core: clippy" cargo clippy --workspace --all-targets --locked -- --deny warnings
    check "core: tests" cargo test --workspace --locked
    check "core: generated files" xtask gen --check
    check "core: vectors" xtask vectors --check
}

test_python() {
    prepare setup_for_build build_wheel
    check "python: tests" "$VENV_BIN/python" -m pytest python
}

# The tests of npm/ run on the tarball, installed in an empty project. Those of the browser are a step of their own.
test_npm() {
    prepare setup_for_build build_npm
    check "npm: types" npm --prefix npm run typecheck
    check "npm: tests" npm --prefix npm test -- $(find "$ROOT/npm/test" -name '*.test.mjs' ! -name 'browser.test.mjs' | sort)
}

test_browser() {
    prepare setup_for_browser build_npm
    check "browser: tests" env GATEWRIGHT_CHROMIUM="$(find_chromium)" npm --prefix npm test -- "$ROOT/npm/test/browser.test.mjs"
}

# The component in two hosts of its own: wasmtime, and Node by way of jco.
test_component() {
    prepare setup_for_build build_component
    check "component: wasmtime" "$VENV_BIN/python" wasm/component/tests/wasmtime_vectors.py
    check "component: jco" node wasm/component/tests/jco_vectors.mjs
}

test_servers() {
    prepare setup_for_build build_all
    check "servers: both hosts" bash xtask/sh/servers.sh "$ROOT" "$VENV_BIN"
}

test_pages() {
    prepare setup_for_browser build_all
    check "pages: examples of README.md" env GATEWRIGHT_CHROMIUM="$(find_chromium)" "$VENV_BIN/python" xtask/py/pages.py
}

# The native part runs in this process tree, the others on what was built.
bench_all() {
    local site=$ROOT/target/bench/site
    if [[ ${1:-} == drift ]]; then
        cd "$ROOT" && cargo run --quiet --release --locked --package xtask -- bench drift
        return
    fi
    prepare setup_for_build build_all
    rm -rf "$site"
    "$VENV_BIN/python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps --target "$site" "$DIST"/gatewright-*.whl
    (
        cd "$ROOT"
        export GATEWRIGHT_PYTHON=$VENV_BIN/python PYTHONPATH=$site
        cargo run --quiet --release --locked --package xtask -- bench
    )
}
