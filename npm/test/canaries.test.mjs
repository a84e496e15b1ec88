// What is secret is in no file and no output, whichever command runs and however it ends, even if the server repeats it.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import { filesIn, fixture, folder, runWith } from "./command.mjs";

/** A text that stands nowhere else, and is never part of another. */
let planted = 0;
const canary = (what) => `canary-${++planted}-${what}-${planted}`;

/** The states of a server: as it was pinned, changed for the worse, and out of order in the ways that tell most. */
const CLEAN = "clean", CHANGED = "changed", FAILS = "fails", DIES = "dies";

/** What the fixture says in each state, where `said` names what it repeats. */
const saying = (said) => ({
  [CLEAN]: { stderr: `log: ${said}\n`, instructions: `Use ${said}.`, echo: { [said]: [said] }, tools: [tool(said, "Reads a file")] },
  [CHANGED]: { stderr: `log: ${said}\n`, instructions: `Use ${said} now.`, tools: [{ ...tool(said, "Deletes all files"), annotations: { title: said } }, { name: "new", description: said }] },
  [FAILS]: { stderr: `log: ${said}\n`, error: `no list for ${said}` },
  [DIES]: { stderr: `cannot log in with ${said}\n`, exit: 3 },
});
const tool = (said, does) => ({ name: "read", description: `${does} with ${said}, as ${said}.`, inputSchema: { type: "object", properties: { [said]: { default: said } } }, _meta: { [said]: said } });

/** A server over HTTP that repeats the whole of what it is handed. */
let server, url, answers;
before(async () => {
  server = http.createServer(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    let body = "";
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    const answer = answers(request);
    if (typeof answer === "string") return response.writeHead(401, { "content-type": "text/plain" }).end(answer);
    const { instructions, echo, tools } = answer;
    const result = method === "initialize" ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "h", version: "1", echo }, instructions } : { tools };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  url = (userInfo, query) => `http://${userInfo}127.0.0.1:${server.address().port}/mcp${query}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Makes the HTTP server repeat a text that it makes of what it is handed. */
const repeats = (said, state) => {
  answers = (request) => (state === FAILS || state === DIES ? `not for ${said(request)}` : saying(said(request))[state]);
};

const command = `node ${fixture} how.json`;
const how = (cwd, said) => fs.writeFileSync(path.join(cwd, "how.json"), JSON.stringify(said));
const config = (cwd, mcpServers) => fs.writeFileSync(path.join(cwd, ".mcp.json"), JSON.stringify({ mcpServers }));

/** Where secrets come from: what to say on the command line, what the server is to be in each state, and the secrets. */
const sources = {
  "a command line and --env": () => {
    const [argument, env, from] = [canary("argument"), canary("env"), canary("env-from")];
    return {
      secrets: [argument, env, from], env: { FROM: from }, server: `${command} --token=${argument}`,
      options: ["--env", `TOKEN=${env}`, "--env-from", "FROM"], become: (cwd, state) => how(cwd, saying("<TOKEN> <FROM> <--token>")[state]),
    };
  },
  "a value with quotes and line breaks": () => {
    const [value, end] = [canary("quoted"), canary("lines")];
    return { secrets: [value, end], server: command, options: ["--env", `TOKEN="${value}\\\n\u202e${end}"`], become: (cwd, state) => how(cwd, saying("<TOKEN>")[state]) };
  },
  "a URL": () => {
    const [user, password, query] = [canary("user"), canary("password"), canary("query")];
    const said = ({ url, headers }) => `${url} ${Buffer.from(headers.authorization.replace("Basic ", ""), "base64")}`;
    return { secrets: [user, password, query], server: url(`${user}:${password}@`, `?token=${query}&page=2`), options: [], become: (_, state) => repeats(said, state) };
  },
  "a config": () => {
    const [argument, env, variable, key] = ["config-argument", "config-env", "config-variable", "config-default"].map(canary);
    return {
      secrets: [argument, env, variable, key], env: { SECRET: variable }, options: [],
      become: (cwd, state) => {
        config(cwd, { it: { command: "node", args: [fixture, "how.json", `--token=${argument}`, "--x=${SECRET}"], env: { TOKEN: env, FROM: "${SECRET}", KEY: `\${NONE:-${key}}` } } });
        how(cwd, saying("<TOKEN> <FROM> <--token> <--x> <KEY>")[state]);
      },
    };
  },
  "a config's headers": () => {
    const [header, variable, query] = ["header", "header-variable", "config-query"].map(canary);
    return {
      secrets: [header, variable, query], env: { SECRET: variable }, options: [],
      become: (cwd, state) => {
        config(cwd, { it: { type: "http", url: url("", `?api_key=${query}`), headers: { "x-api-key": header, authorization: "Bearer ${SECRET}" } } });
        repeats(({ url, headers }) => `${url} ${headers["x-api-key"]} ${headers.authorization.split(" ")[1]}`, state);
      },
    };
  },
};

/** Runs the command and looks for secrets in all that it printed and wrote. */
async function expect(status, cwd, { secrets, env }, ...args) {
  const { status: was, stdout, stderr } = await runWith({ env }, cwd, ...args);
  const seen = new Map([["the output", stdout + stderr]]);
  for (const name of filesIn(cwd)) if (!["how.json", ".mcp.json"].includes(name)) seen.set(name, `${name}\n${fs.readFileSync(path.join(cwd, name), "utf8")}`);
  for (const [where, text] of seen) for (const secret of secrets) assert.ok(!text.includes(secret), `${args[0]}: \`${secret}\` is in ${where}`);
  assert.equal(was, status, `${args.join(" ")}: ${stdout}${stderr}`);
  return { stdout, stderr };
}

/** The command's ways to ask a server: with its name, or with what is given. */
const asking = ({ server, options }) => ({
  named: [...(server === undefined ? [] : ["--server", `it=${server}`]), ...options],
  one: [server ?? "it", ...options],
});

for (const [name, source] of Object.entries(sources)) {
  test(`no secret of ${name} is anywhere`, async () => {
    const cwd = folder();
    const from = source();
    const { named, one } = asking(from);
    const command = (status, ...args) => expect(status, cwd, from, ...args);
    const report = (...args) => [...args, "--json", "report.json"];
    const become = (state) => from.become(cwd, state);

    become(DIES);
    for (const [name, ...args] of [["lock", ...named], ["ci", ...named], ["snapshot", ...one], ["check", ...one]]) await command(2, name, ...args);

    become(CLEAN);
    await command(0, "lock", ...named, "--keep-text");
    await command(0, "snapshot", ...one);
    await command(0, "snapshot", ...one, "--as", "it", "--starts", "2");
    // They were repeated, or there would be nothing to find: the texts that were kept say where.
    const texts = filesIn(cwd).filter((name) => name.startsWith(".gatewright/")).map((name) => fs.readFileSync(path.join(cwd, name), "utf8"));
    assert.equal(texts.length, 3);
    for (const text of texts) assert.ok(text.split("<redacted>").length > 7, text);
    for (const [name, ...args] of [["ci", ...named], ["diff", ...named], ["ci", ...named, "--json"], ["check", ...one], report("check", ...one), ["check", ...one, "--as", "it", "--json", "-"]]) await command(0, name, ...args);

    become(CHANGED);
    for (const [name, ...args] of [["ci", ...named], ["diff", ...named], ["diff", ...named, "--json"], ["check", ...one], report("check", ...one), ["check", ...one, "--profile", "mcplock"], ["lock", ...named]]) await command(1, name, ...args);
    assert.ok(fs.readFileSync(path.join(cwd, "report.json"), "utf8").includes("<redacted>"));
    await command(0, "check", ...one, "--preview");

    for (const state of [FAILS, DIES]) {
      become(state);
      for (const [name, ...args] of [["lock", ...named], ["ci", ...named], ["diff", ...named, "--json"], ["snapshot", ...one], ["check", ...one], report("check", ...one)]) {
        const { stdout, stderr } = await command(2, name, ...args);
        assert.match(stdout + stderr, /<redacted>/);
      }
    }

    become(CHANGED);
    await command(0, "lock", ...named, "--accept");
    await command(0, "snapshot", ...one);
    await command(0, "ci", ...named);
    await command(0, "check", ...one);
    await command(2, "lock", ...named, "--lockfile", "report.json/agentgate.lock");
    await command(2, "check", ...one, "--as", "it", "--baseline", "report.json");
  });
}

test("a tool whose name holds a secret cannot be pinned or checked", async () => {
  for (const [said, source] of [["<TOKEN>", sources["a command line and --env"]()], ["<--token>", sources["a command line and --env"]()]]) {
    const cwd = folder();
    const { named, one } = asking(source);
    how(cwd, { tools: [{ name: "read" }] });
    await expect(0, cwd, source, "lock", ...named, "--keep-text");
    await expect(0, cwd, source, "snapshot", ...one);
    const files = filesIn(cwd);
    how(cwd, { tools: [{ name: "read" }, { name: `read_${said}`, description: said }] });
    for (const args of [["lock", ...named], ["lock", ...named, "--accept"], ["ci", ...named], ["ci", ...named, "--json"], ["diff", ...named], ["snapshot", ...one], ["snapshot", ...one, "--starts", "2"], ["check", ...one], ["check", ...one, "--json", "report.json"]]) {
      const { stderr } = await expect(2, cwd, source, ...args);
      assert.match(stderr, /the name of a tool holds the value of a variable that is secret/);
    }
    assert.deepEqual(filesIn(cwd), files);
  }
});

test("wrong usage shows no secret", async () => {
  const cwd = folder();
  const [secret, user] = [canary("usage"), canary("usage-user")];
  const source = { secrets: [secret, user], env: { [`X_${secret.replaceAll("-", "_")}`]: "" } };
  const url = `https://${user}:${secret}@example.com/mcp`;
  for (const args of [
    ["snapshot", "node", "server.mjs", `--token=${secret}`], ["snapshot", `TOKEN=${secret} node server.mjs`], ["snapshot", `ftp://${user}:${secret}@example.com/`], ["snapshot", `node --token ${secret} '`],
    ["check", `node server.mjs --token=${secret}`], ["check", url], ["check", url, "--transport", "stdio"], ["check", url, secret], ["check", url, `--preview=${secret}`],
    ["lock", "--server", url], ["lock", secret], ["lock", "--env", secret], ["lock", "--env", `9=${secret}`, "--server", "it=x"], ["ci", "--env-from", secret, "--server", "it=x"], ["ci", `--x=${secret}`],
    ["snapshot", `http://${user}:${secret}@[bad/mcp?token=${secret}`], ["snapshot", `http://${user}:${secret}@127.0.0.1:1/mcp?token=${secret}`], ["snapshot", `/no/such/command --token=${secret}`],
  ]) await expect(2, cwd, source, ...args);
});

/** Known leaks: each passes as soon as the core hides what it names. */

test("an error about what a server lists shows no secret of it", async () => {
  const source = sources["a command line and --env"]();
  const { named, one } = asking(source);
  for (const raw of ['{"tools":[{"name":"<TOKEN>"},{"name":"<TOKEN>"}]}', '{"tools":[{"name":"read","<TOKEN>":1,"<TOKEN>":2}]}', '{"tools":[{"name":"read","_meta":{"<TOKEN>":"\\ud800"}}]}']) {
    const cwd = folder();
    how(cwd, { raw });
    for (const args of [["lock", ...named], ["snapshot", ...one]]) await expect(2, cwd, source, ...args);
  }
});

test("of a secret that begins with another, nothing is left", async () => {
  const [first, end] = [canary("first"), canary("end")];
  const source = { secrets: [first, end], server: command, options: ["--env", `A=${first}`, "--env", `B=${first}-${end}`] };
  const cwd = folder();
  how(cwd, { tools: [tool("<B>", "Reads a file")] });
  const { named, one } = asking(source);
  await expect(0, cwd, source, "lock", ...named, "--keep-text");
  await expect(0, cwd, source, "snapshot", ...one);
});

test("a password is one without its user, and in the header that is made of both", async () => {
  const [user, password] = [canary("user-apart"), canary("password-apart")];
  const both = Buffer.from(`${user}:${password}`).toString("base64");
  const source = { secrets: [user, password, both], server: url(`${user}:${password}@`, ""), options: [] };
  for (const said of [() => password, () => both, () => user]) {
    for (const [state, status] of [[CLEAN, 0], [FAILS, 2]]) {
      repeats(said, state);
      await expect(status, folder(), source, "snapshot", asking(source).one[0]);
    }
  }
});

test("a token is one without the scheme before it", async () => {
  const token = canary("bearer");
  const source = { secrets: [token], options: [] };
  for (const [state, status] of [[CLEAN, 0], [FAILS, 2]]) {
    const cwd = folder();
    config(cwd, { it: { type: "http", url: url("", ""), headers: { authorization: `Bearer ${token}` } } });
    repeats(() => token, state);
    await expect(status, cwd, source, "snapshot", "it");
  }
});

test("a secret in what mcplock pinned is not shown", async () => {
  const source = sources["a command line and --env"]();
  const { one } = asking(source);
  const cwd = folder();
  how(cwd, { tools: [{ name: "read", description: "Reads with <TOKEN>." }] });
  const description = `Reads with ${source.secrets[1]}.`;
  const pinned = { schema_version: 1, hash_model_version: 1, connection: "", tools: { read: { raw_description: description, raw_schema: null, raw_annotations: null } } };
  // Where it is read from is not where it may be written to.
  const elsewhere = path.join(folder(), "mcplock.json");
  fs.writeFileSync(elsewhere, JSON.stringify(pinned));
  await expect(0, cwd, source, "check", ...one, "--baseline", elsewhere, "--fail-on", "informational");
});

/** Not every variable is secret: a value that is a common word hides what it should not. */
test("what is hidden is still told apart, and judged", async () => {
  for (const [env, before, after, severity] of [
    [{ STAGE: "staging-eu", HOST: "production-eu" }, "Deploys to staging-eu.", "Deploys to production-eu.", "informational"],
    [{ READ_ONLY: "true", VERBOSE: "false" }, "Overwrites: false by default.", "Overwrites: true by default.", "informational"],
    [{ ROLE: "admin" }, "Reads a file.", "Reads a file as admin.", "high"],
    [{ FEATURES: "tools", FORMAT: "name" }, "Reads a file.", "Reads one file.", "informational"],
  ]) {
    const cwd = folder();
    const run = async (...args) => (await runWith({}, cwd, ...args, "it")).stdout;
    config(cwd, { it: { command: "node", args: [fixture, "how.json"], env } });
    how(cwd, { tools: [{ name: "read", description: before }] });
    await run("snapshot");
    how(cwd, { tools: [{ name: "read", description: after }] });
    assert.equal(JSON.parse(await run("check", "--json", "-")).severity, severity, after);
  }
});
