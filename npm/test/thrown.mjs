// What a call throws, which must be an error of the package's.

import assert from "node:assert/strict";
import { asModule } from "./project.mjs";

const { GatewrightError } = await asModule("gatewright");

export function thrownBy(run) {
  try {
    return assert.fail(`returned ${JSON.stringify(run()).slice(0, 100)}`);
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    assert.ok(error instanceof GatewrightError, `${error?.stack}`);
    assert.ok(error instanceof Error);
    return error;
  }
}

export const codeOf = (run) => thrownBy(run).code;
