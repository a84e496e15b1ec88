// An MCP server over stdio whose tools are what a file says at that moment: node drift-server.mjs TOOLS_JSON
// It is here to change between two runs of the same command.

import fs from "node:fs";
import { createInterface } from "node:readline";

const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "drift", version: "1.0.0" } }),
  ping: () => ({}),
  "tools/list": () => ({ tools: JSON.parse(fs.readFileSync(process.argv[2], "utf8")) }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const outcome = answer ? { result: answer(params) } : { error: { code: -32601, message: `no method ${method}` } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
});
