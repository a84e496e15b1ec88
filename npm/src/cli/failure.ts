export type Kind = "start" | "timeout" | "protocol" | "list";

/** Why a server's tools could not be listed. */
export class Failure extends Error {
  constructor(readonly kind: Kind, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** The core hides secrets in what it shows, and only then cuts it: half a secret would not be known as one. */
const MOST_UNITS = 64 * 1024;

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MOST_UNITS);
  // Where several addresses were tried, there is a code and no message.
  return (error.message || (error as NodeJS.ErrnoException).code || "no reason given").slice(0, MOST_UNITS);
}
