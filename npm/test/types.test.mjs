// The declarations, as TypeScript finds them in the installed package.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { project } from "./project.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const modules = path.join(here, "../node_modules");
const source = fs.readFileSync(path.join(here, "fixtures/consumer.ts"), "utf8");

for (const [extension, module, resolution] of [["mts", "nodenext", "nodenext"], ["cts", "nodenext", "nodenext"], ["ts", "preserve", "bundler"]]) {
  test(`a strict .${extension} file compiles with ${resolution}`, () => {
    const folder = path.join(project, `types-${extension}`);
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, `consumer.${extension}`), source);
    fs.writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({
      compilerOptions: { module, moduleResolution: resolution, target: "es2022", lib: ["es2023", "dom"], strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true, typeRoots: [path.join(modules, "@types")], types: ["node"] },
      files: [`consumer.${extension}`],
    }));
    const { status, stdout } = spawnSync(process.execPath, [path.join(modules, "typescript/bin/tsc"), "-p", folder], { encoding: "utf8" });
    assert.equal(stdout, "");
    assert.equal(status, 0);
  });
}
