#!/usr/bin/env bash
# The command as users have it, on real MCP servers: the tarball and the wheel, each in a project of its own, must write
# the same bytes, find nothing where nothing moved, and name what did.
#
#   servers.sh ROOT VENV_BIN      (run by `./x test servers`, after a build)
set -euo pipefail

ROOT=$1
export PATH=$2:$PATH
PYTHON=$2/python

work=$(mktemp -d)
http_server=
finish() {
    [[ -z $http_server ]] || kill "$http_server" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

# --- The two hosts ---------------------------------------------------------------------------------------------------

mkdir "$work/node"
(
    cd "$work/node"
    echo '{"name":"empty","private":true}' >package.json
    npm install --offline --no-audit --no-fund --silent "$ROOT"/dist/gatewright-*.tgz
)
"$PYTHON" -m pip install --quiet --disable-pip-version-check --no-index --no-deps --target "$work/site" "$ROOT"/dist/gatewright-*.whl

host_node() { node "$work/node/node_modules/gatewright/dist/cli.js" "$@"; }
# The packages of the extra `cli` come from the environment of the tests.
host_python() { PYTHONPATH=$work/site "$PYTHON" -m gatewright "$@"; }

# --- The servers -----------------------------------------------------------------------------------------------------

cd "$work"
ln -s "$ROOT/npm/node_modules" node_modules
cp "$ROOT/xtask/sh/drift-server.mjs" .
git init --quiet repository
port=$("$PYTHON" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
PORT=$port node node_modules/@modelcontextprotocol/server-everything/dist/index.js streamableHttp >http.log 2>&1 &
http_server=$!
for _ in $(seq 100); do
    ! grep -q listening http.log || break
    sleep 0.1
done

cat >.mcp.json <<JSON
{
  "mcpServers": {
    "fs": { "command": "node", "args": ["node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", "."] },
    "everything": { "command": "node", "args": ["node_modules/@modelcontextprotocol/server-everything/dist/index.js"] },
    "everything-http": { "type": "http", "url": "http://127.0.0.1:$port/mcp" },
    "git": { "command": "mcp-server-git", "args": ["--repository", "repository"] },
    "drift": { "command": "node", "args": ["drift-server.mjs", "tools.json"] }
  }
}
JSON
tools() {
    printf '[{"name":"read_file","description":"%s","inputSchema":{"type":"object"}},{"name":"list","description":"Lists files."}]\n' \
        "$1" >tools.json
}

# --- What must hold --------------------------------------------------------------------------------------------------

passed=0
ok() {
    passed=$((passed + 1))
    echo "ok $passed - $*"
}
fail() {
    echo "not ok - $*"
    cat output.txt
    exit 1
}

# expect STATUS HOST ARGS…: runs the command with its output in output.txt.
expect() {
    local wanted=$1 status=0
    shift
    "$@" >output.txt 2>&1 </dev/null || status=$?
    [[ $status -eq $wanted ]] || fail "\`$*\` exits $status, not $wanted"
}
mentions() { for word; do grep -Fq -- "$word" output.txt || fail "the output does not say \`$word\`"; done; }
is_silent_on() { for word; do ! grep -Fq -- "$word" output.txt || fail "the output says \`$word\`"; done; }
without_time() { sed 's/"generatedAt": "[^"]*"/"generatedAt": "-"/' "$1"; }

tools "Reads a file."
for host in node python; do
    expect 2 host_$host ci
    ok "$host: without a lockfile nothing can be checked"
    expect 0 host_$host lock
    "$PYTHON" - <<'CHECK' || fail "the lockfile does not hold the servers' tools"
import json
servers = json.load(open("agentgate.lock"))["servers"]
counts = {name: len(server["tools"]) for name, server in servers.items()}
assert sorted(counts) == ["drift", "everything", "everything-http", "fs", "git"], counts
assert counts["drift"] == 2 and counts["fs"] >= 10 and counts["git"] >= 10 and counts["everything"] >= 8, counts
CHECK
    ok "$host: locks five servers, one of them over http"
    mv agentgate.lock $host.lock
done
cmp <(without_time node.lock) <(without_time python.lock) || fail "the two hosts write different lockfiles"
ok "both hosts write the same bytes"

for host in node python; do
    cp node.lock agentgate.lock
    expect 0 host_$host lock
    cmp node.lock agentgate.lock || fail "\`lock\` wrote the lockfile again, though nothing moved"
    ok "$host: locking again changes nothing"
    expect 0 host_$host ci
    expect 0 host_$host diff
    ok "$host: nothing moved"

    tools "Reads any file."
    expect 1 host_$host ci
    mentions drift read_file description
    is_silent_on everything
    ok "$host: one word of one tool is found, and named"
    expect 0 host_$host ci --server fs
    ok "$host: the server that did not move is clean"
    tools "Reads a file."

    sed 's/"lockfileVersion": 1/"lockfileVersion": 2/' node.lock >agentgate.lock
    expect 2 host_$host ci
    mentions lockfileVersion
    ok "$host: a newer lockfile is refused"

    cp node.lock agentgate.lock
    mv tools.json gone.json
    expect 2 host_$host ci
    mentions drift
    expect 2 host_$host lock
    cmp node.lock agentgate.lock || fail "a server that does not answer lost its entry"
    ok "$host: a server that does not answer is neither clean nor removed"
    mv gone.json tools.json
done
# --- Snapshots: with their text, and what moved since ------------------------------------------------------------------

export GATEWRIGHT_HOME=$work/home
without_times() { sed -E 's/"(created_at|first_seen|last_verified|updated_at|pinnedAt)": "[^"]*"/"\1": "-"/' "$1"; }
for host in node python; do
    tools "Reads a file."
    for server in fs everything-http git; do
        expect 0 host_$host snapshot $server --as $server
        expect 0 host_$host check $server --as $server
    done
    expect 0 host_$host snapshot "node drift-server.mjs tools.json" --as drift --starts 2
    mentions "2 starts listed the same"
    expect 0 host_$host check "node drift-server.mjs tools.json" --as drift
    ok "$host: four servers are what they were pinned to be"
    [[ $(stat -c %a "$GATEWRIGHT_HOME/snapshots/drift.json" 2>/dev/null || stat -f %Lp "$GATEWRIGHT_HOME/snapshots/drift.json") == 600 ]] ||
        fail "a snapshot can be read by others"
    tools "Reads all files."
    expect 1 host_$host check "node drift-server.mjs tools.json" --as drift --json $host.json
    mentions description-trigger-word "- a file" "+ all files" "fails at high"
    expect 0 host_$host check "node drift-server.mjs tools.json" --as drift --fail-on critical
    ok "$host: what moved is shown and judged"
    expect 2 host_$host check "node drift-server.mjs tools.json"
    ok "$host: without a snapshot nothing can be checked"
    mkdir $host.home
    mv "$GATEWRIGHT_HOME/snapshots" $host.home/

    tools "Reads a file."
    rm -rf agentgate.lock .gatewright
    expect 0 host_$host lock --server drift --keep-text
    tools "Reads all files."
    expect 1 host_$host ci --server drift
    mentions description-trigger-word "+ all files"
    cp agentgate.lock $host.before
    expect 1 host_$host lock --server drift
    cmp $host.before agentgate.lock || fail "\`lock\` accepted what nobody did"
    expect 0 host_$host lock --server drift --accept drift/read_file
    expect 0 host_$host ci --server drift
    ok "$host: with its text, a lock says what moved, and moves on only with a yes"
done
for snapshot in node.home/snapshots/*; do
    cmp <(without_times "$snapshot") <(without_times "python.home/snapshots/${snapshot##*/}") ||
        fail "the two hosts write different snapshots"
done
cmp <(without_times node.json) <(without_times python.json) || fail "the two hosts write different reports"
ok "both hosts write the same snapshots and the same report"
echo "$passed passed, 0 failed"
