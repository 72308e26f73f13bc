import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** What `make` made, and the bytes of the heap that it holds. */
export function heldMemory<Made>(make: () => Made): { readonly made: Made; readonly bytes: number } {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const made = make();
  collectGarbage();
  return { made, bytes: process.memoryUsage().heapUsed - before };
}
