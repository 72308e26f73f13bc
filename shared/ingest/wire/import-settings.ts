import { need, type Use } from '#shared/platform/runtime/need.ts';
import type { ImportSettings } from '../decide/imports/providers.ts';

export const readImportSettings = ({ env }: Use): ImportSettings => ({
  huggingFaceUrl: env.huggingFaceUrl(),
  kaggleUrl: env.kaggleUrl(),
  googleSheetsUrl: env.googleSheetsUrl(),
  allowed: env.egressAllow(),
});

/** Where imports may come from. */
export const importSettings = /* @__PURE__ */ need<ImportSettings>({ imports: true }, readImportSettings);
