import { setUpModels } from '#local/model/setup.ts';
import { silentProgress } from '#local/progress.ts';
import { trainerModelIds } from '#trainer/embedded/models.ts';

/** Installs what serves and trains models before a test imports it, and fetches the small one. */
export default async function setUp(): Promise<void> {
  await setUpModels(trainerModelIds, silentProgress);
}
