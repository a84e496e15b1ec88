/** Left as imports by the build, for hosts that make a module of the file. */
declare module "*.wasm" {
  const file: unknown;
  export default file;
}
declare module "*.wasm?module" {
  const file: unknown;
  export default file;
}
