import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundlePath, functionIds, layerPath, trainerBundlePath } from '#infra/names.ts';

/**
 * A folder that stands in for `dist/`, so that the stacks can be synthesized without a build. `sources` replaces the
 * handlers of the named functions.
 */
export function createStubAssets(sources: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'stub-assets-'));
  for (const id of functionIds) {
    const folder = bundlePath(root, id);
    mkdirSync(folder, { recursive: true });
    const source = sources[id] ?? `export const handler = async () => ({ function: ${JSON.stringify(id)} });`;
    writeFileSync(join(folder, 'index.mjs'), source);
  }
  const layer = layerPath(root, 'duckdb');
  mkdirSync(layer, { recursive: true });
  writeFileSync(join(layer, 'stub'), '');
  const trainer = trainerBundlePath(root);
  mkdirSync(dirname(trainer), { recursive: true });
  writeFileSync(trainer, '');
  return root;
}
