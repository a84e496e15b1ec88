import * as fs from "node:fs";
import path from "node:path";

/** The licences of every package that esbuild put into a bundle. */
export function notices(root, { inputs }) {
  const folders = new Set();
  for (const input of Object.keys(inputs)) {
    const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (folder) folders.add(folder);
  }
  const sections = [...folders].sort().map((folder) => section(path.resolve(root, folder)));
  return `dist/cli.js contains the following packages.\n\n${sections.join("\n")}`;
}

function section(folder) {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const files = fs.readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  if (files.length === 0 && !license) throw new Error(`${name} says nothing about its licence`);
  const texts = files.map((file) => fs.readFileSync(path.join(folder, file), "utf8").trim());
  const rule = "=".repeat(80);
  return [`${rule}\n${name} ${version} (${license})\n${rule}`, ...texts, ""].join("\n\n");
}
