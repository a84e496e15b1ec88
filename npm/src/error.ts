import type { ErrorCode } from "./names.js";

/** The members that an error has in every host. */
export interface ErrorDetails {
  readonly code: ErrorCode;
  readonly message: string;
  readonly help?: string;
  readonly pointer?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Unreadable input or wrong use. What is found in readable input is returned as data and never thrown. */
export class GatewrightError extends Error {
  /** A stable kebab-case code, the same in every host: `duplicate-key`, `lone-surrogate`, … */
  readonly code: ErrorCode;
  /** What to do about it. */
  declare readonly help?: string;
  /** The JSON Pointer of the place in the input. */
  declare readonly pointer?: string;
  /** The line in the input, from 1. */
  declare readonly line?: number;
  /** The column in that line in code points, from 1. */
  declare readonly column?: number;

  constructor({ code, message, ...rest }: ErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.assign(this, rest);
  }

  static {
    // On the prototype, as for the built-in errors, so that it is no member of each instance.
    Object.defineProperty(this.prototype, "name", { value: "GatewrightError", configurable: true, writable: true });
  }
}
