import { expect, it } from 'vitest';
import {
  defaultTextModelId,
  embeddingModelId,
  filesOf,
  localModels,
  requireLocalModel,
} from '#local/model/catalog.ts';

const files = localModels.flatMap((model) => filesOf(model).map((file) => ({ id: model.id, file })));

it('the catalog of local models has the defaults, one for text and one for embeddings', () => {
  expect(requireLocalModel(defaultTextModelId).kind).toBe('text');
  expect(requireLocalModel(embeddingModelId).kind).toBe('embedding');
});

it('the catalog of local models names the known models where one is not known', () => {
  expect(() => requireLocalModel('gpt')).toThrow(/"gpt".*qwen2\.5-coder-1\.5b, smollm2-135m/);
});

it.each(files)(
  'the catalog of local models pins every part of $file.name by its version, size and SHA-256',
  ({ file }) => {
    expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
    for (const part of file.parts) {
      expect(part.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(part.version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(part.bytes).toBeGreaterThan(0);
    }
  },
);

it('the catalog of local models has the parts of the default model add up to the size of its file', () => {
  const [weights] = filesOf(requireLocalModel(defaultTextModelId));

  expect(weights?.parts.length).toBe(22);
  expect(weights?.parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(1_117_320_768);
  expect(weights?.parts.at(-1)?.bytes).toBe(16_315_968);
});
