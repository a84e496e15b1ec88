/** The order in which the lengths of the code length code are given. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * Undoes DEFLATE (RFC 1951), for hosts that have no synchronous way of their own. It reads what our build wrote, so it
 * is quick to load and does not look for mistakes.
 */
export function inflate(source: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(length);
  let to = 0;
  let from = 0;
  let bits = 0;
  let held = 0;

  const fill = (count: number): void => {
    for (; held < count; held += 8) bits |= (source[from++] ?? 0) << held;
  };
  const drop = (count: number): void => {
    bits >>>= count;
    held -= count;
  };
  const take = (count: number): number => {
    fill(count);
    const value = bits & ((1 << count) - 1);
    drop(count);
    return value;
  };
  const symbol = (table: Uint16Array): number => {
    fill(15);
    const entry = table[bits & (table.length - 1)] as number;
    drop(entry & 15);
    return entry >> 4;
  };

  for (let last = 0; !last; ) {
    last = take(1);
    const kind = take(2);
    if (kind === 0) {
      drop(held & 7);
      const count = take(16);
      take(16);
      for (let n = 0; n < count; n++) out[to++] = take(8);
      continue;
    }
    const [literals, distances] = kind === 1 ? fixedTables() : readTables(take, symbol);
    for (;;) {
      const literal = symbol(literals);
      if (literal < 256) out[to++] = literal;
      else if (literal === 256) break;
      else {
        const l = literal - 257;
        const count = l === 28 ? 258 : l < 8 ? 3 + l : 3 + ((4 + (l & 3)) << ((l >> 2) - 1)) + take((l >> 2) - 1);
        const d = symbol(distances);
        const distance = d < 4 ? 1 + d : 1 + ((2 + (d & 1)) << ((d >> 1) - 1)) + take((d >> 1) - 1);
        // The stretch to repeat may reach into what is being written.
        for (const end = to + count; to < end; to++) out[to] = out[to - distance] as number;
      }
    }
  }
  return out;
}

function fixedTables(): [Uint16Array, Uint16Array] {
  const lengths = Array.from({ length: 288 }, (_, n) => (n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8));
  return [toTable(lengths), toTable(new Array<number>(30).fill(5))];
}

function readTables(take: (count: number) => number, symbol: (table: Uint16Array) => number): [Uint16Array, Uint16Array] {
  const literals = take(5) + 257;
  const distances = take(5) + 1;
  const given = take(4) + 4;
  const codeLengths = new Array<number>(19).fill(0);
  for (const n of ORDER.slice(0, given)) codeLengths[n] = take(3);
  const table = toTable(codeLengths);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const code = symbol(table);
    if (code < 16) lengths.push(code);
    else {
      const repeated = code === 16 ? (lengths.at(-1) as number) : 0;
      const times = code === 16 ? 3 + take(2) : code === 17 ? 3 + take(3) : 11 + take(7);
      for (let n = 0; n < times; n++) lengths.push(repeated);
    }
  }
  return [toTable(lengths.slice(0, literals)), toTable(lengths.slice(literals))];
}

/** A table from the next bits of the input to `symbol << 4 | length of its code`. */
function toTable(lengths: readonly number[]): Uint16Array {
  const longest = Math.max(1, ...lengths);
  const table = new Uint16Array(1 << longest);
  let code = 0;
  for (let length = 1; length <= longest; length++, code <<= 1) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      // Codes come with their first bit first, which is the lowest one that we look up.
      let reversed = 0;
      for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
      for (let entry = reversed; entry < table.length; entry += 1 << length) table[entry] = (symbol << 4) | length;
      code++;
    }
  }
  return table;
}
