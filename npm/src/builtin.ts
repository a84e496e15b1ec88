/** A module of Node's own, where there is one: without an import, which no browser could resolve. */
export function builtin(id: string): unknown {
  const { process } = globalThis as { process?: { getBuiltinModule?(id: string): unknown } };
  return process?.getBuiltinModule?.(id);
}
