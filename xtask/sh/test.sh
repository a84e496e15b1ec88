# What is tested, in steps that can be named. The first failure ends the run.
#
# The tests are told where things are by the environment:
#   GATEWRIGHT_DIST      folder with the built wheel, tarball and component
#   GATEWRIGHT_VENV      the virtual environment with the Python tools
#   GATEWRIGHT_CHROMIUM  the browser
#   GATEWRIGHT_SOAK      `1` for the long counts

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
    export GATEWRIGHT_DIST=$DIST GATEWRIGHT_VENV=$VENV
    for step in $steps; do
        "test_$step"
    done
    echo
    echo "all done in $(seconds $((SECONDS - started))):" $steps
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
