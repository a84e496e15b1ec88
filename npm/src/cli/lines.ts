import { Failure } from "./failure.js";

/** The core reads no document of more than 64 MiB; what is beyond twice of that is nobody's list of tools. */
export const MOST_BYTES_OF_A_MESSAGE = 128 * 1024 * 1024;

export function tooLong(): Failure {
  return new Failure("list", `the server sent a message of more than ${MOST_BYTES_OF_A_MESSAGE / 1024 / 1024} MiB`);
}

/** Cuts what comes in chunks into lines, without their LF. Each byte is copied once, however many chunks a line takes. */
export class Lines {
  #begun: Uint8Array[] = [];
  #length = 0;

  *push(chunk: Uint8Array): Generator<Buffer> {
    let start = 0;
    for (let end; (end = chunk.indexOf(10, start)) !== -1; start = end + 1) {
      this.#add(chunk.subarray(start, end));
      const line = Buffer.concat(this.#begun);
      this.#begun = [];
      this.#length = 0;
      yield line;
    }
    this.#add(chunk.subarray(start));
  }

  #add(piece: Uint8Array): void {
    if (this.#length + piece.length > MOST_BYTES_OF_A_MESSAGE) throw tooLong();
    this.#length += piece.length;
    if (piece.length > 0) this.#begun.push(piece);
  }
}
