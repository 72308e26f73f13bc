import type { ImportSettings } from '../../domain/imports/providers.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';

export const readImportSettings = (): ImportSettings => ({
  huggingFaceUrl: env.huggingFaceUrl(),
  kaggleUrl: env.kaggleUrl(),
  googleSheetsUrl: env.googleSheetsUrl(),
  allowed: env.egressAllow(),
});

/** Where imports may come from. */
export const importSettings = need<ImportSettings>({ imports: true }, readImportSettings);
