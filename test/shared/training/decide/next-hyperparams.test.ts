import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findModel } from '#shared/training/decide/catalog.ts';
import { nextHyperparams, type ProposalInput } from '#shared/training/decide/next-hyperparams.ts';
import {
  loraRankFor,
  pinnedFor,
  recommendStages,
  toStageHyperparams,
} from '#shared/training/decide/recommend-hyperparams.ts';
import type { Hyperparams } from '#shared/training/schema/training.ts';
import type { IterationOutcome } from '#shared/training/schema/training-outcome.ts';

const BASE: Hyperparams = {
  training_type: 'lora',
  learning_rate: 1e-3,
  n_epochs: 4,
  lora_r: 16,
  lora_alpha: 32,
  warmup_ratio: 0.03,
};

const input = (history: IterationOutcome[], more: Partial<ProposalInput> = {}): ProposalInput => ({
  recommended: [{ method: 'sft', hyperparams: BASE }],
  pinned: {},
  history,
  seed: 7,
  ...more,
});

function outcome(
  iteration: number,
  hyperparams: Hyperparams,
  heldOut: readonly number[],
  winRate: number,
  status: IterationOutcome['status'] = 'completed',
): IterationOutcome {
  return {
    iteration,
    attempt: 1,
    status,
    hyperparams,
    stages: [
      { method: 'sft', hyperparams: { ...hyperparams } as IterationOutcome['stages'][0]['hyperparams'] },
    ],
    why: '',
    reason: null,
    likelihood_reason: null,
    likelihood: null,
    preference_accuracy: null,
    win_rate: {
      method: 'judge',
      judge: 'j',
      value: winRate,
      n: 20,
      wins: 0,
      losses: 0,
      ties: 0,
      interval95: [0, 1],
      is_indicative: false,
    },
    trainer: {
      version: 1,
      outcome: 'completed',
      reason: null,
      trainer: { kind: 'embedded', device: 'cpu', versions: {} },
      stages: [
        {
          method: 'sft',
          steps: 40,
          seconds: 1,
          train_loss: [],
          held_out_loss: heldOut.map((loss, index) => ({ step: index * 10, loss })),
        },
      ],
      rows: { trained: 20, truncated: 0 },
      answers_key: null,
      artifact_key: null,
      artifact_bytes: null,
      gguf_key: null,
    },
  };
}

const proposed = (given: ProposalInput): Hyperparams =>
  nextHyperparams(given).stages.at(-1)?.hyperparams ?? {};

test('the hyperparameters of an iteration are at first those that are recommended', () => {
  expect(proposed(input([]))).toEqual(BASE);
});

test('the hyperparameters of an iteration after a loss that was not a number have a fifth of the rate, and a longer warmup', () => {
  const next = proposed(input([outcome(1, BASE, [], 0, 'diverged')]));

  expect(next).toEqual({ ...BASE, learning_rate: 2e-4, warmup_ratio: 0.1 });
});

test('the hyperparameters of an iteration after a later iteration that diverged keep its other values, those that were searched among them', () => {
  const searched = {
    ...BASE,
    learning_rate: 3e-3,
    n_epochs: 8,
    lora_r: 64,
    lora_alpha: 128,
    dpo_beta: 0.3,
  };
  const next = proposed(input([outcome(1, BASE, [3, 2, 1], 0.4), outcome(2, searched, [], 0, 'diverged')]));

  expect(next).toEqual({ ...searched, learning_rate: expect.closeTo(6e-4, 9), warmup_ratio: 0.1 });
});

test('the hyperparameters of an iteration after stages that diverged have a fifth of the rate of each, and keep its other values', () => {
  const sft: Hyperparams = { ...BASE, lora_r: 64, lora_alpha: 128, warmup_ratio: 0.2 };
  const dpo: Hyperparams = { ...sft, learning_rate: 2e-5, n_epochs: 3, dpo_beta: 0.3, warmup_ratio: 0.05 };
  const diverged = outcome(2, dpo, [], 0, 'diverged');
  const stages = [
    { method: 'sft', hyperparams: sft },
    { method: 'dpo', hyperparams: dpo },
  ];
  const history = [
    outcome(1, BASE, [3, 2, 1], 0.4),
    { ...diverged, stages: stages as IterationOutcome['stages'] },
  ];
  const recommended: ProposalInput['recommended'] = [
    { method: 'sft', hyperparams: BASE },
    { method: 'dpo', hyperparams: { ...BASE, dpo_beta: 0.1 } },
  ];

  const next = nextHyperparams(input(history, { recommended, pinned: { warmup_ratio: 0.05 } })).stages;
  const free = nextHyperparams(input(history, { recommended })).stages;

  expect(next).toEqual([
    { method: 'sft', hyperparams: { ...sft, learning_rate: expect.closeTo(2e-4, 9) } },
    { method: 'dpo', hyperparams: { ...dpo, learning_rate: expect.closeTo(4e-6, 9) } },
  ]);
  expect(free.map(({ hyperparams }) => hyperparams.warmup_ratio)).toEqual([0.2, 0.1]);
});

test('the hyperparameters of an iteration after an iteration that diverged and one that completed do not return to the rates that diverged', () => {
  const dpo: Hyperparams = { ...BASE, learning_rate: 1e-5, dpo_beta: 0.1 };
  const recommended: ProposalInput['recommended'] = [
    { method: 'sft', hyperparams: BASE },
    { method: 'dpo', hyperparams: dpo },
  ];
  const ended = (iteration: number, factor: number, status: IterationOutcome['status']) => {
    const tried = recommended.map(({ method, hyperparams }) => ({
      method,
      hyperparams: { ...hyperparams, learning_rate: (hyperparams.learning_rate ?? 0) * factor },
    })) as IterationOutcome['stages'];
    const last = tried.at(-1)?.hyperparams as Hyperparams;
    return { ...outcome(iteration, last, [3, 2, 2], 0.4, status), stages: tried };
  };
  const history = [ended(1, 1, 'diverged'), ended(2, 0.2, 'completed')];

  const next = nextHyperparams(input(history, { recommended })).stages;
  const pinned: Hyperparams = { learning_rate: 1e-5, warmup_ratio: 0.03 };
  const fixed = nextHyperparams(input(history, { recommended, pinned })).stages;

  expect(next).toMatchObject([
    { method: 'sft', hyperparams: { learning_rate: expect.closeTo(2e-4, 9), warmup_ratio: 0.1 } },
    { method: 'dpo', hyperparams: { learning_rate: expect.closeTo(3e-6, 9), warmup_ratio: 0.1 } },
  ]);
  expect(fixed).toMatchObject([
    { method: 'sft', hyperparams: { learning_rate: expect.closeTo(2e-4, 9), warmup_ratio: 0.03 } },
    { method: 'dpo', hyperparams: pinned },
  ]);
});

test('the hyperparameters of an iteration have in no stage a rate that diverged before, and keep the longer warmup, unless the caller pinned them', () => {
  const model = findModel('HuggingFaceTB/SmolLM2-135M-Instruct');
  if (model === null || model === undefined) throw new Error('The model is in the catalog.');
  const rows = 400;
  const ending = fc.record({
    status: fc.constantFrom('completed' as const, 'diverged' as const, 'failed' as const),
    losses: fc.constantFrom([3, 2, 2], [3, 2, 1], [1, 2, 3]),
    winRate: fc.constantFrom(0.2, 0.5, 0.6),
  });
  const fixed = fc.record(
    { learning_rate: fc.constant(1e-5), warmup_ratio: fc.constant(0.02) },
    { requiredKeys: [] },
  );

  fc.assert(
    fc.property(
      fc.constantFrom('instruction', 'alignment'),
      fixed,
      fc.array(ending, { maxLength: 4 }),
      fc.nat(),
      (training, pinned, endings, seed) => {
        const recommended = recommendStages(model, training, rows, pinned);
        const history: IterationOutcome[] = [];
        const diverged: Record<string, number> = {};
        const first = { status: 'diverged', losses: [3, 2, 2], winRate: 0 } as const;
        for (const { status, losses, winRate } of [first, ...endings, first]) {
          const stages = nextHyperparams({ recommended, pinned, history, seed }).stages.map(
            ({ method, hyperparams }) => ({
              method,
              hyperparams: toStageHyperparams(model, method, rows, hyperparams),
            }),
          );
          for (const { method, hyperparams } of stages) {
            const own = pinnedFor(pinned, method, training);
            const { learning_rate: rate, warmup_ratio: warmup } = hyperparams;
            if (own.learning_rate === undefined) expect(rate).toBeLessThan(diverged[method] ?? 1);
            if (own.warmup_ratio === undefined && history.length > 0) {
              expect(warmup).toBeGreaterThanOrEqual(0.1);
            }
            if (status === 'diverged') diverged[method] = Math.min(rate, diverged[method] ?? 1);
          }
          const tried = stages.at(-1)?.hyperparams as Hyperparams;
          history.push({ ...outcome(history.length + 1, tried, losses, winRate, status), stages });
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('the hyperparameters of an iteration stay rates that a trainer takes, however often a training diverges', () => {
  const tried = { ...BASE, learning_rate: 2e-8 };

  expect(proposed(input([outcome(1, tried, [], 0, 'diverged')])).learning_rate).toBe(1e-8);
});

test.each([
  ['diverged', [], {}, 'a fifth of its learning rate and a longer warmup'],
  ['diverged', [], { learning_rate: 1e-3 }, 'diverged: a longer warmup'],
  ['diverged', [], { learning_rate: 1e-3, warmup_ratio: 0 }, 'so it is tried again'],
  ['completed', [3, 1, 2], {}, 'Next: fewer epochs and a lower learning rate'],
  ['completed', [3, 1, 2], { n_epochs: 4 }, 'Next: a lower learning rate'],
  ['completed', [3, 2, 1], { n_epochs: 4, learning_rate: 1e-3 }, 'The same values again'],
] as const)(
  'the hyperparameters of an iteration are explained by what changes (%#)',
  (status, heldOut, pinned, words) => {
    const { why } = nextHyperparams(input([outcome(1, BASE, heldOut, 0.4, status)], { pinned }));

    expect(why).toContain(words);
  },
);

test('the hyperparameters of an iteration after a failure, which tells nothing of them, are the same again', () => {
  const tried = { ...BASE, learning_rate: 3e-3 };
  const { stages, why } = nextHyperparams(
    input([outcome(1, BASE, [3, 2, 1], 0.4), outcome(2, tried, [], 0, 'failed')]),
  );

  expect(stages).toEqual([{ method: 'sft', hyperparams: tried }]);
  expect(why).toContain('Iteration 2 failed');
});

test('the hyperparameters of an iteration after a failure are those that were proposed, not those that the trainer was told', () => {
  const failed = outcome(1, { ...BASE, batch_size: 'max' }, [], 0, 'failed');
  const told = { ...failed.stages[0]?.hyperparams, batch_size: 8, dpo_beta: 0.1, simpo_gamma: 0 };
  const stages = [{ method: 'sft', hyperparams: told }] as IterationOutcome['stages'];

  expect(proposed(input([{ ...failed, stages }]))).toEqual({ ...BASE, batch_size: 'max' });
});

test('the hyperparameters of an iteration have no other rank where all weights are trained, since there is no adapter', () => {
  const full: Hyperparams = { ...BASE, training_type: 'full' };
  const history = [1, 2, 3, 4].map((n) =>
    outcome(n, { ...full, lora_r: 2 ** (n + 2), lora_alpha: 2 ** (n + 3) }, [3, 2, 2], 0.3 + n / 10),
  );
  const ranks = [1, 2, 3, 4].map((count) => {
    const recommended = [{ method: 'sft' as const, hyperparams: full }];
    return proposed(input(history.slice(0, count), { recommended })).lora_r;
  });

  expect(ranks).toEqual([16, 16, 16, 16]);
});

test('the hyperparameters of an iteration after too much fitting have no more epochs than were good, and a lower rate', () => {
  const next = proposed(input([outcome(1, BASE, [3, 2, 2.2, 2.5, 2.9], 0.4)]));

  expect(next).toMatchObject({ n_epochs: 1, learning_rate: 7e-4 });
});

test('the hyperparameters of an iteration after too little fitting have more epochs', () => {
  const next = proposed(input([outcome(1, BASE, [3, 2.5, 2, 1.5, 1], 0.4)]));

  expect(next).toMatchObject({ n_epochs: 6, learning_rate: 1.2e-3 });
});

test('the hyperparameters of an iteration after two completed iterations are where the surrogate expects most, with epochs that the curves allow', () => {
  const history = [
    outcome(1, BASE, [3, 2, 2], 0.4),
    outcome(2, { ...BASE, learning_rate: 3e-3, n_epochs: 8 }, [3, 2, 1.9, 2.4], 0.6),
  ];
  const { stages, why } = nextHyperparams(input(history));
  const next = stages.at(-1)?.hyperparams ?? {};

  expect(why).toContain('largest expected improvement');
  expect(next.n_epochs).toBeLessThanOrEqual(8);
  expect(next.learning_rate).toBeGreaterThan(1e-3);
  expect([8, 16, 32, 64]).toContain(next.lora_r);
  expect(next.lora_alpha).toBe(2 * (next.lora_r ?? 0));
});

test('the hyperparameters of an iteration follow from the history and the seed alone', () => {
  const history = [outcome(1, BASE, [3, 2, 2], 0.4), outcome(2, { ...BASE, n_epochs: 8 }, [3, 2, 2], 0.5)];

  expect(nextHyperparams(input(history))).toEqual(nextHyperparams(input(history)));
  const others = [1, 2, 3, 4].map((seed) => JSON.stringify(nextHyperparams(input(history, { seed }))));
  expect(new Set(others).size).toBeGreaterThan(1);
});

test.each([1, 2, 3])(
  'the hyperparameters of an iteration never change what the caller fixed (after %i iterations)',
  (count) => {
    const pinned: Hyperparams = { learning_rate: 5e-4, n_epochs: 3, lora_r: 8, lora_alpha: 8 };
    const own = { ...BASE, ...pinned };
    const history = Array.from({ length: count }, (_, n) =>
      outcome(n + 1, own, [3, 2.5, 1, 2], 0.3 + n / 10),
    );

    const next = proposed(input(history, { pinned, recommended: [{ method: 'sft', hyperparams: own }] }));

    expect(next).toMatchObject(pinned);
  },
);

test('the hyperparameters of an iteration leave a rate that the caller fixed as it is, also where it made the loss no number', () => {
  const pinned: Hyperparams = { learning_rate: 5e-3 };
  const own = { ...BASE, ...pinned };

  const next = proposed(
    input([outcome(1, own, [], 0, 'diverged')], {
      pinned,
      recommended: [{ method: 'sft', hyperparams: own }],
    }),
  );

  expect(next).toEqual({ ...own, warmup_ratio: 0.1 });
});

test('the hyperparameters of an iteration of two stages change the second, and keep the first but for the rank that both train', () => {
  const dpo: Hyperparams = { ...BASE, learning_rate: 1e-5, n_epochs: 2, dpo_beta: 0.1 };
  const recommended: ProposalInput['recommended'] = [
    { method: 'sft', hyperparams: BASE },
    { method: 'dpo', hyperparams: dpo },
  ];
  const history = [
    outcome(1, dpo, [3, 2.5, 1], 0.4),
    outcome(2, { ...dpo, lora_r: 32, lora_alpha: 64, n_epochs: 3 }, [3, 2.5, 1], 0.6),
  ];

  const [first, second] = nextHyperparams(input(history, { recommended })).stages;

  expect(first?.hyperparams).toMatchObject({ learning_rate: BASE.learning_rate, n_epochs: BASE.n_epochs });
  expect(first?.hyperparams.lora_r).toBe(second?.hyperparams.lora_r);
  expect(second?.hyperparams.dpo_beta).toBeGreaterThanOrEqual(0.05);
  expect(second?.hyperparams.dpo_beta).toBeLessThanOrEqual(0.5);
});

test('the hyperparameters of an iteration are ones that trainers take, whatever the caller fixed and however the iterations went', () => {
  const model = findModel('HuggingFaceTB/SmolLM2-135M-Instruct');
  if (model === null || model === undefined) throw new Error('The model is in the catalog.');
  const rows = 400;
  const fixed = fc.record(
    {
      lora_r: fc.integer({ min: 1, max: 64 }),
      ratio: fc.constantFrom(1, 2),
      learning_rate: fc.constantFrom(1e-6, 4.321e-4, 0.01),
      n_epochs: fc.integer({ min: 1, max: 20 }),
      dpo_beta: fc.constantFrom(0.01, 0.3, 1),
      simpo_gamma: fc.constantFrom(0, 0.5),
      dpo_normalize_logratios_by_length: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const ending = fc.record({
    status: fc.constantFrom('completed', 'diverged'),
    losses: fc.constantFrom([3, 2, 2], [3, 2, 1], [1, 2, 3], []),
    winRate: fc.constantFrom(0.2, 0.5, 0.6),
  });

  fc.assert(
    fc.property(
      fc.constantFrom('instruction', 'alignment'),
      fixed,
      fc.array(ending, { maxLength: 4 }),
      (training, { ratio, ...own }, endings) => {
        const rank = own.lora_r ?? loraRankFor(rows);
        const pinned: Hyperparams = {
          ...own,
          ...(ratio === undefined ? {} : { lora_alpha: ratio * rank }),
        };
        const recommended = recommendStages(model, training, rows, pinned);
        const history: IterationOutcome[] = [];
        for (const { status, losses, winRate } of [
          ...endings,
          { status: 'completed', losses: [], winRate: 0 },
        ]) {
          const { stages } = nextHyperparams({ recommended, pinned, history, seed: 7 });
          const before = history.at(-1);
          if (before?.status === 'diverged') {
            const {
              learning_rate: _rate,
              warmup_ratio: _warmup,
              train_on_inputs: _null,
              ...kept
            } = before.hyperparams;
            expect(stages.at(-1)?.hyperparams).toMatchObject(kept);
          }
          const trained = stages.map(({ method, hyperparams }) => ({
            method,
            hyperparams: toStageHyperparams(model, method, rows, hyperparams),
          }));
          for (const [index, { method, hyperparams }] of stages.entries()) {
            const { lora_r = 0, lora_alpha = 0 } = hyperparams;
            expect([lora_r, 2 * lora_r]).toContain(lora_alpha);
            expect([lora_r, lora_alpha]).toEqual([
              stages[0]?.hyperparams.lora_r,
              stages[0]?.hyperparams.lora_alpha,
            ]);
            const { dpo_normalize_logratios_by_length: isNormalized, ...kept } = pinnedFor(
              pinned,
              method,
              training,
            );
            expect(hyperparams).toMatchObject(kept);
            if (method === 'dpo' && (pinned.simpo_gamma ?? 0) > 0) {
              expect(hyperparams.dpo_normalize_logratios_by_length).toBe(true);
            } else if (isNormalized !== undefined) {
              expect(hyperparams.dpo_normalize_logratios_by_length).toBe(isNormalized);
            }
            // What callers are shown is what is trained.
            const { batch_size: _, train_on_inputs: __, ...shown } = hyperparams;
            expect(trained[index]?.hyperparams).toMatchObject(shown);
          }
          const last = trained.at(-1)?.hyperparams as Hyperparams;
          history.push({
            ...outcome(history.length + 1, last, losses, winRate, status as IterationOutcome['status']),
            stages: trained,
          });
        }
      },
    ),
    { numRuns: 150 },
  );
});
