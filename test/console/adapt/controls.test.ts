import { expect, test } from 'vitest';
import { Controls } from '../../../console/src/adapt/controls.tsx';
import { DEFAULTS, type Settings } from '../../../console/src/adapt/settings.ts';
import { renderAnswered } from '../render.ts';

const controls = (settings: Partial<Settings>) =>
  renderAnswered(
    Controls,
    {
      settings: { ...DEFAULTS, ...settings },
      mapping: { prompt: 'question', completion: 'answer' },
      problems: new Map(),
      onChange: () => undefined,
    },
    () => undefined,
  );

test('the default of verification is told: free checks flag rows, and ask no model', async () => {
  const { html, text } = await controls({});

  expect(html).toContain('<option value="" selected="">Free checks flag doubtful rows</option>');
  expect(text).toContain('They ask no model and change nothing');
  expect(text).not.toContain('Rows that the model looks at');
});

test('rows for the model are counted where it is asked', async () => {
  const { text } = await controls({ verification: 'flag' });

  expect(text).toContain('Rows that the model looks at, at most');
  expect(text).toContain('no more credits');
  expect((await controls({ verification: 'off' })).text).toContain('No row is flagged.');
});
