import { expect, test } from 'vitest';
import { checkAnswer } from '#lab/effect/check-answer.ts';
import { loadRows } from '#lab/effect/load-rows.ts';

const rows = Object.values(await loadRows()).flat();

test('good originals satisfy their checks and others do not, references always do', async () => {
  const told = await Promise.all(
    rows.map(async ({ id, check, completion, quality, reference }) => {
      const [before, right] = await Promise.all([
        checkAnswer(check, completion),
        checkAnswer(check, reference),
      ]);
      return [
        ...(quality === 'good' && !before.ok ? [`${id}: the good original ${before.why}`] : []),
        ...(quality !== 'good' && before.ok ? [`${id}: the ${quality} original satisfies the check`] : []),
        ...(right.ok ? [] : [`${id}: the reference ${right.why}`]),
      ];
    }),
  );
  expect(told.flat()).toEqual([]);
}, 60_000);
