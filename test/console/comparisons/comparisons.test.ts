import { describe, expect, test } from 'vitest';
import { OneComparison } from '../../../console/src/comparisons/comparison.tsx';
import Comparisons from '../../../console/src/comparisons/comparisons.tsx';
import AllComparisons from '../../../console/src/comparisons/list.tsx';
import type { Comparison } from '../../../console/src/comparisons/words.ts';
import { type Answers, refusal, renderAnswered } from '../render.ts';
import {
  COMPARISON,
  compared,
  comparison,
  DATASET,
  rate,
  seedRate,
  training,
  withRate,
} from './comparison-examples.ts';

const PATH = '/api/v1/autoscientist/comparisons';
const listed = (...items: readonly Comparison[]) => ({ body: { items, next_cursor: null } });
const plan = {
  comparison_id: null,
  estimate: true,
  dataset_id: DATASET,
  model: 'Qwen/Qwen3-0.6B',
  training_method: 'instruction',
  hyperparams: { learning_rate: 0.0001 },
  seeds: 1,
  trainings: 2,
  rows: 600,
  held_out_rows: 60,
  estimated_credits: 0,
  notes: ['The largest model that fits.'],
};

describe('the comparisons of a dataset', () => {
  const page = (
    list: ReturnType<Answers>,
    status: 'succeeded' | 'running' | 'awaiting_input' = 'succeeded',
    estimate: ReturnType<Answers> = { body: plan },
  ) =>
    renderAnswered(Comparisons, { dataset: { dataset_id: DATASET }, status: { status } }, (request) => {
      if (request.startsWith(`GET ${PATH}`)) return list;
      if (request.startsWith(`POST ${PATH}`)) return estimate;
      return request.includes('/models') ? { body: { models: [] } } : undefined;
    });

  test('the comparisons of a dataset say what a comparison is while there is none, and what one would train', async () => {
    const { text, requests } = await page(listed());

    expect(text).toContain('No comparisons yet');
    expect(text).toContain('trains the same base model twice');
    expect(text).toContain('Free. 2 trainings of Qwen/Qwen3-0.6B .');
    expect(text).toContain('The largest model that fits.');
    expect(requests).toContain(`GET ${PATH}?limit=50&dataset_id=${DATASET}`);
  });

  test('the comparisons of a dataset lead to the adaptation where there is none yet, and ask nothing', async () => {
    const { html, requests } = await page(listed(), 'awaiting_input');

    expect(html).toContain(`href="#/datasets/${DATASET}/adapt"`);
    expect(requests.some((request) => request.startsWith('POST'))).toBe(false);
  });

  test('the comparisons of a dataset wait for an active run', async () => {
    expect((await page(listed(), 'running')).text).toContain('once it has ended');
  });

  test.each([
    [409, 'dataset_not_ready', 'The rows of the dataset are not adapted: adapt it.'],
    [422, 'dataset_untrainable', 'The originals have no answers: the adaptation wrote them.'],
  ])('the comparisons of a dataset tell a %s of the service in its words', async (status, code, message) => {
    const { html, text } = await page(listed(), 'succeeded', refusal(status, code, message));

    expect(text).toContain(message);
    expect(text).toContain('Request id r-1');
    expect(html).toMatch(/<button[^>]*disabled=""[^>]*>Start the comparison/);
  });

  test('the comparisons of a dataset list each with a link to its result', async () => {
    const { html, text } = await page(listed(comparison({ seeds: 2 })));

    expect(html).toContain(`href="#/trainings/comparisons/${COMPARISON}"`);
    expect(text).toContain('done Qwen/Qwen3-0.6B 2 2 of 2');
    expect(text).toContain('New comparison');
  });

  test('the comparisons of a dataset offer no other while one is active', async () => {
    const { text } = await page(listed(comparison({ status: 'running' })));

    expect(text).toContain('one training or comparison at a time');
    expect(text).not.toContain('New comparison');
  });

  test('the comparisons of a dataset that cannot be read are told with the id of the request', async () => {
    const { text } = await page(refusal(403, 'scope_missing', 'The key lacks the scope training.'));

    expect(text).toContain('This key may not read this page. The key lacks the scope training.');
  });
});

describe('the comparisons of the team', () => {
  const page = (list: ReturnType<Answers>) =>
    renderAnswered(AllComparisons, {}, (request) =>
      request.startsWith(`GET ${PATH}`) ? list : { body: { name: 'My questions' } },
    );

  test('the comparisons of the team name the dataset of each', async () => {
    const { html, text, requests } = await page(listed(comparison()));

    expect(text).toContain('My questions');
    expect(html).toContain(`href="#/datasets/${DATASET}"`);
    expect(requests).toContain(`GET ${PATH}?limit=50`);
  });

  test('the comparisons of the team say where one is started while there is none', async () => {
    expect((await page(listed())).text).toContain('on the page of an adapted dataset');
  });
});

describe('a comparison', () => {
  const page = (of: Comparison, seed: string | null = null) =>
    renderAnswered(OneComparison, { id: COMPARISON, seed }, (request) =>
      request.startsWith(`GET ${PATH}`) ? { body: of } : { body: { name: 'My questions' } },
    );

  test('a comparison answers its question in a sentence, with the numbers of all three win rates', async () => {
    const { html, text } = await page(comparison());

    expect(text).toContain('The adaptation made a better model: the whole interval is above 50 %.');
    expect(text).toMatch(
      /against the model trained on original rows Win rate 70 % \(57 to 80 %\) better than .* 38, 8, 14 0 judge/,
    );
    expect(text).toContain('45 % (33 to 57 %) no difference shown');
    expect(text).toContain('likelihood');
    expect(text).toContain('one seed: spread not known');
    expect(html.match(/class="whisker"/g)).toHaveLength(4);
    expect(text).not.toContain('Cancel');
  });

  test('a comparison says of texts that a key may not read that it may not, and of empty ones that they are', async () => {
    const [first, second] = comparison().answers;
    if (first === undefined || second === undefined) throw new Error('There are no answers.');
    const empty = { text: '', truncated: false };

    const { text } = await page(
      comparison({
        answers: [
          { ...first, reference: { text: '', truncated: true } },
          { ...second, reference: empty },
        ],
      }),
    );

    expect(text.match(/This key may not read rows/g)).toHaveLength(1);
    expect(text.match(/\(empty\)/g)).toHaveLength(1);
  });

  test('a comparison shows the rows of each seed, and how much seeds differ', async () => {
    const of = rate(0.65, [0.52, 0.76], {
      seed_spread: 0.07,
      by_seed: [
        seedRate(1),
        seedRate(2, {
          value: 0.6,
          interval95: [0.47, 0.71],
          undecided: 3,
          undecided_reason: 'The judge is not believed for 3 rows.',
        }),
      ],
    });
    const { html, text } = await page(withRate(of, { seeds: 2 }));

    expect(text).toContain('spread over seeds: 7 %');
    expect(text).toMatch(
      /Seed 2 Win rate 60 % \(47 to 71 %\) 38, 8, 14 3 judge The judge is not believed for 3 rows\./,
    );
    expect(html.match(/class="comparison-seed"/g)).toHaveLength(2);
    expect(text.match(/not compared yet/g)).toHaveLength(2);
  });

  test('a comparison says how far it is, and can be cancelled', async () => {
    const { html, text } = await page(
      withRate(null, {
        status: 'running',
        trainings_completed: 1,
        completed_at: null,
        trainings: [
          training('original', 1),
          training('adapted', 1, { status: 'running', phase: 'training' }),
        ],
        answers: [],
      }),
    );

    expect(text).toContain('1 of 2 trainings done. Seed 1, adapted rows: trains.');
    expect(html).toMatch(/<progress[^>]*value="0.5"/);
    expect(html).toContain('>Cancel</button>');
    expect(text).not.toContain('Answers to held-out prompts');
  });

  test('a comparison says why it failed, and keeps what was done', async () => {
    const { html, text } = await page(
      comparison({ status: 'failed', error: 'Training 2 failed three times: the disk is full.' }),
    );

    expect(html).toContain('role="alert"');
    expect(text).toContain('the disk is full.');
    expect(text).toContain('Answers to held-out prompts');
  });

  test('a comparison lists the losses by side and seed, with links to the curves of a seed where there are several', async () => {
    const trainings = [training('original', 1), training('adapted', 1), training('original', 2)];
    const { html, text } = await page(comparison({ seeds: 2, trainings }), '2');

    expect(text).toContain('Seed 1 , original rows completed 540 0 1.234 2.400 → 1.900');
    expect(html).toMatch(
      new RegExp(`href="#/trainings/comparisons/${COMPARISON}\\?seed=2" aria-current="true"`),
    );
    expect((await page(comparison())).html).not.toContain('seed=1');
  });

  test('a comparison shows answers as text, side by side, with links to their rows', async () => {
    const markup = '<img src=x onerror=alert(1)>';
    const answer = { ...compared(4, 'adapted'), base: { text: markup, truncated: false } };
    const { html, text } = await page(comparison({ answers: [answer] }));

    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img');
    expect(html).toContain(`href="#/datasets/${DATASET}/rows?row=4"`);
    expect(text).toContain('adapted is better');
    expect(text).toContain('Original answer');
  });

  test('a comparison leads to its dataset', async () => {
    const { html, text } = await page(comparison());

    expect(html).toContain(`href="#/datasets/${DATASET}/comparisons"`);
    expect(text).toContain('My questions');
  });

  test('a comparison that is unknown is told in the words of the service', async () => {
    const { text } = await renderAnswered(OneComparison, { id: 'x', seed: null }, () =>
      refusal(404, 'comparison_not_found', 'There is no comparison with this id in your team.'),
    );

    expect(text).toContain('There is no comparison with this id in your team.');
    expect(text).toContain('Request id r-1');
  });
});
