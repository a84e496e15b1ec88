// Servers are started through launchers (npx -> sh -> node), so ending the child we started is not enough. Each gets a
// process group of its own, which lives on when a launcher dies first; what left the group (a browser, say) is found
// through its parents before anything is ended.

import { execFileSync, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import spawn from "cross-spawn";
import { setTimeout as sleep } from "node:timers/promises";

const windows = process.platform === "win32";
const running = new Set<Server>();

/** One child with everything it started. */
export class Server {
  readonly child: ChildProcess;

  constructor(command: string, args: readonly string[], env: Record<string, string>) {
    this.child = spawn(command, [...args], { env, stdio: ["pipe", "pipe", "pipe"], detached: !windows, windowsHide: true });
    running.add(this);
  }

  /** Ends it all: closing its input is the polite way, SIGTERM the clear one, SIGKILL the last. */
  async end(patience = 500): Promise<void> {
    if (!running.has(this)) return;
    const strays = this.#strays();
    this.child.stdin?.end();
    await this.#gone(strays, patience);
    this.#signal("SIGTERM", strays);
    await this.#gone(strays, 2 * patience);
    this.#signal("SIGKILL", strays);
    await this.#gone(strays, patience);
    running.delete(this);
  }

  /** The last resort, when there is no time left to wait. */
  kill(): void {
    this.#signal("SIGKILL", this.#strays());
  }

  async #gone(strays: readonly number[], patience: number): Promise<void> {
    for (const until = Date.now() + patience; Date.now() < until && this.#alive(strays); ) await sleep(10);
  }

  #alive(strays: readonly number[]): boolean {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined) return false;
    if (windows) return exitCode === null && signalCode === null;
    return [-pid, ...strays].some((id) => send(id, 0));
  }

  #signal(signal: NodeJS.Signals, strays: readonly number[]): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    if (windows) {
      if (this.#alive(strays)) attempt(() => execFileSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" }));
      return;
    }
    for (const id of [-pid, ...strays]) send(id, signal);
  }

  /** Descendants outside the group. */
  #strays(): number[] {
    const { pid } = this.child;
    if (windows || pid === undefined) return [];
    const table = processTable();
    const found: number[] = [];
    for (const parents = [pid]; parents.length > 0; ) {
      const parent = parents.pop();
      for (const entry of table) {
        if (entry.parent !== parent) continue;
        parents.push(entry.id);
        if (entry.group !== pid) found.push(entry.id);
      }
    }
    return found;
  }
}

/** Ends every server, in a hurry. */
export async function endProcesses(): Promise<void> {
  await Promise.all([...running].map((server) => server.end(200)));
}

/** Kills every server, now. */
export function killProcesses(): void {
  for (const server of running) server.kill();
}

function send(id: number, signal: NodeJS.Signals | 0): boolean {
  return attempt(() => process.kill(id, signal)) !== undefined;
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

interface Process {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
}

function processTable(): Process[] {
  return attempt(fromProc) ?? attempt(fromPs) ?? [];
}

/** Linux. Small images have no `ps`. */
function fromProc(): Process[] {
  const ids = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return ids.flatMap((id) => {
    const stat = attempt(() => fs.readFileSync(`/proc/${id}/stat`, "utf8"));
    // The name in parentheses may hold anything, so what follows the last one counts: state, parent, group.
    const [, parent, group] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
    return group === undefined ? [] : [{ id: Number(id), parent: Number(parent), group: Number(group) }];
  });
}

function fromPs(): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => {
    const [id = 0, parent = 0, group = 0] = line.trim().split(/\s+/).map(Number);
    return { id, parent, group };
  });
}
