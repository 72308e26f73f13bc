import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '../store/runs.ts';
import { tellProgress as tell } from '../tell-progress.ts';

export const tellProgress = /* @__PURE__ */ need<() => ReturnType<typeof tell>>({ table: 'write' }, (use) => {
  const runs = createRunRepository(use(theTable));
  return () => tell({ runs });
});
