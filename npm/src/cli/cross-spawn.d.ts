/** `spawn` of node:child_process that also finds `npx.cmd` and quotes arguments on Windows. */
declare module "cross-spawn" {
  import { spawn } from "node:child_process";
  export default spawn;
}
