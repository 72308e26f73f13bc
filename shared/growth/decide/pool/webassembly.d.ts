/** As much of the WebAssembly interface as the vector kernel takes; the types of Node.js leave it to those of browsers. */
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { readonly initial: number });
    readonly buffer: ArrayBuffer;
  }
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
