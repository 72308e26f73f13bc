import { setUpModels } from '#local/model/setup.ts';
import { createProgress } from '#local/progress.ts';
import { trainerModelIds } from '#trainer/embedded/models.ts';
import { type Benchmark, benchmark, figureOf, formatNumber, type Size } from './benchmark.ts';
import { benchCombine } from './combine.ts';
import { benchDatasetSearch } from './dataset-search.ts';
import { benchDuplicates } from './duplicates.ts';
import { benchEffort, type Effort } from './effort.ts';
import { benchExpansion } from './expansion.ts';
import { apiFunctionIds, benchImports, figuresOfImports } from './imports.ts';
import { benchIngest } from './ingest.ts';
import { benchLocalModel } from './local-model.ts';
import { benchPoolSearch } from './pool-search.ts';
import { benchRespond } from './respond.ts';
import { benchRows } from './rows.ts';
import { benchStorm } from './storm.ts';
import { benchTrainingData } from './training-data.ts';

const LATENCY_MS = 200;
const CALLS_AT_ONCE = 500;
/** A process that waits for nothing but the model. */
const ROWS_PER_SECOND_MAX = CALLS_AT_ONCE / (LATENCY_MS / 1000);

/** Milliseconds that the service may add to the first token. */
const FIRST_TOKEN_MS_MAX = 15;
/** Milliseconds that a chat completion may add to the first token of the response that it is. */
const CHAT_TOKEN_MS_MAX = 5;
const RECOMMEND_MS_MAX = 5000;

/** The options of a size; those of `full` are the defaults of each benchmark. */
function optionsOf<Options extends object>(size: Size, quick: Options, tiny: Options): Partial<Options> {
  return { full: {}, quick, tiny }[size];
}

/** `count` of the items, evenly spaced. */
const spread = <Item>(items: readonly Item[], count: number): Item[] =>
  Array.from({ length: count }, (_, n) => items[Math.floor((n * items.length) / count)] as Item);

/**
 * Every benchmark: `npm run bench` runs them, its table has their goals, and tests run each once with tiny inputs. Goals
 * without a source are what was measured on two shared cores, with a margin.
 */
export const benchmarks: readonly Benchmark[] = [
  benchmark({
    name: 'row-worker',
    needs: 'build',
    goals: {
      atOnce: { work: 'Row worker, a model of 0 ms', against: 'a bare Node pool', atLeast: 0.3 },
      latency: {
        work: `Row worker, a model of ${LATENCY_MS} ms, ${CALLS_AT_ONCE} calls at once`,
        against: `the ceiling of ${ROWS_PER_SECOND_MAX} rows/s`,
        atLeast: 0.8,
      },
    },
    async run(size) {
      const atOnce = await benchRows(
        optionsOf(size, { rows: 5000, repetitions: 3 }, { rows: 200, repetitions: 1 }),
      );
      const latency = await benchRows({
        latencyMilliseconds: LATENCY_MS,
        concurrency: CALLS_AT_ONCE,
        rows: 40_000,
        repetitions: 3,
        ...optionsOf(size, { rows: 10_000, repetitions: 1 }, { rows: 200, repetitions: 1 }),
      });
      return {
        atOnce: figureOf(atOnce, {
          recorded: 'Bespoke Curator 490 to 580, NeMo Data Designer 217 to 255, distilabel 103 to 142 rows/s',
        }),
        latency: {
          ...figureOf(latency, {
            recorded: 'Bespoke Curator 466, NeMo Data Designer 132, distilabel 64 rows/s',
          }),
          ratio: latency.value / ROWS_PER_SECOND_MAX,
        },
      };
    },
  }),
  benchmark({
    name: 'effort',
    needs: 'build',
    goals: {
      // The judge and the rewriting model, of rows that need both.
      changed: { work: 'Model calls of a changed row', against: 'one call', atMost: 2 },
    },
    async run(size) {
      const effort = await benchEffort(optionsOf(size, {}, { rowsMax: 12 }));
      const said = ({ rows, calls, inputTokens, outputTokens }: Effort): string =>
        `${calls.toFixed(2)} calls, ${Math.round(inputTokens)} tokens in, ${Math.round(outputTokens)} out (${rows} rows)`;
      return {
        changed: {
          figure: `${effort.changed.calls.toFixed(2)} calls`,
          ratio: effort.changed.calls,
          details: [`changed rows: ${said(effort.changed)}`, `all rows: ${said(effort.mixed)}`],
        },
      };
    },
  }),
  benchmark({
    name: 'storm',
    needs: 'build',
    goals: {
      rows: { work: 'Rows done, 429 to every second call', against: 'the rows', atLeast: 1 },
      after: { work: 'Answers a second after that', against: 'those before', atLeast: 0.9 },
    },
    async run(size) {
      const storm = await benchStorm(
        optionsOf(
          size,
          { stormSeconds: 20 },
          { warmSeconds: 1, calmSeconds: 6, stormSeconds: 1, afterSeconds: 3, concurrency: 8 },
        ),
      );
      const recovery =
        storm.recoverySeconds === null
          ? 'never back at 90 %'
          : `back at 90 % within ${storm.recoverySeconds} s of its end`;
      return {
        rows: {
          figure: `${storm.changed} rows`,
          ratio: storm.changed / storm.rows,
          details: ['recorded elsewhere: users of NeMo Data Designer report a stall to zero records'],
        },
        after: {
          figure: `${formatNumber(storm.after)} answers/s`,
          ratio: storm.after / storm.before,
          details: [
            `${storm.before} before, ${storm.during} during, ${storm.after} after the storm; ${recovery}`,
          ],
        },
      };
    },
  }),
  benchmark({
    name: 'duplicates',
    needs: 'build',
    goals: {
      rows: {
        work: 'Near-duplicates of rows of 100 words, on one core',
        against: 'the minima alone',
        atLeast: 0.35,
      },
    },
    async run(size) {
      const result = await benchDuplicates(
        optionsOf(size, { rows: 20_000, repetitions: 3 }, { rows: 500, repetitions: 1 }),
      );
      return {
        rows: figureOf(result, {
          recorded:
            'datasketch 2.0.0 with 128 permutations 3,900 to 4,300 signed, 3,500 signed and compared, rows/s',
        }),
      };
    },
  }),
  benchmark({
    name: 'pool-search',
    needs: 'build',
    goals: {
      // The kernel stays while it is faster than the library (ADR 0018): 1.4 to 4 times, by the processor.
      together: { work: 'Exact search, 100 queries together', against: 'usearch', atLeast: 1 },
      one: { work: 'Exact search, one query', against: 'what 300 ms allow', atLeast: 1 },
    },
    async run(size) {
      const [together, one] = await benchPoolSearch(
        optionsOf(size, { rows: 100_000 }, { rows: 1000, repetitions: 1 }),
      );
      return { together: figureOf(together, { against: 'usearch exactSearch' }), one: figureOf(one) };
    },
  }),
  benchmark({
    name: 'dataset-search',
    needs: 'build',
    goals: {
      // ADR 0027: 11 × there, 8 on a faster processor, and 2.9 s, of which 2.3 s are for reading.
      warm: {
        work: 'Hybrid search of a dataset, warm',
        against: 'plain JavaScript over every row',
        atLeast: 6,
      },
      cold: { work: 'Hybrid search of a dataset, cold', against: 'reading alone', atLeast: 0.7 },
    },
    async run(size) {
      const { warm, cold, note } = await benchDatasetSearch(
        optionsOf(size, { rows: 20_000, repetitions: 3 }, { rows: 500, repetitions: 1 }),
      );
      const coldFigure = figureOf(cold, { against: 'reading alone' });
      return {
        warm: figureOf(warm, { against: 'plain JavaScript over every row, in memory' }),
        cold: { ...coldFigure, details: [...coldFigure.details, note] },
      };
    },
  }),
  benchmark({
    name: 'ingest',
    needs: 'build',
    goals: {
      // ADR 0004: faster than papaparse parses alone.
      csv: { work: 'CSV to canonical chunks', against: 'papaparse, parse only', atLeast: 1 },
    },
    async run(size) {
      const result = await benchIngest(
        optionsOf(size, { fileBytes: 50_000_000, runs: 3 }, { fileBytes: 200_000, runs: 1 }),
      );
      return { csv: figureOf(result, { against: 'papaparse, parse only' }) };
    },
  }),
  benchmark({
    name: 'combine',
    needs: 'build',
    goals: {
      datasets: { work: 'Ten datasets combined', against: 'the seconds of DuckDB', atMost: 2 },
    },
    async run(size) {
      const result = await benchCombine(
        optionsOf(size, { rows: 20_000 }, { rows: 1000, datasets: 2, runs: 1 }),
      );
      return { datasets: figureOf(result, { against: '@duckdb/node-api, JSON lines by name' }) };
    },
  }),
  benchmark({
    name: 'expansion',
    needs: 'build',
    goals: {
      memory: {
        work: 'Most memory of a function, rows in five languages',
        against: 'its 1,024 MiB',
        atMost: 0.5,
      },
    },
    async run(size) {
      const result = await benchExpansion(optionsOf(size, { rows: 5000 }, { rows: 20 }));
      const memory = figureOf(result);
      const bytes = `${Math.round(result.chunkBytesMax / 1000)} KB`;
      return {
        memory: {
          ...memory,
          details: [
            ...memory.details,
            `${result.madeRows} rows; a worker makes at most ${result.batchRowsMax} and reads at most ${bytes}`,
            'the runs are taking the source, the workers and assembling',
          ],
        },
      };
    },
  }),
  benchmark({
    name: 'training-data',
    needs: 'build',
    goals: {
      rows: {
        work: 'Rows prepared for a training',
        against: 'their JSON read and written once',
        atLeast: 0.1,
      },
      recommend: {
        work: 'Hyperparameters recommended',
        against: `the ${RECOMMEND_MS_MAX} ms allowed`,
        atMost: 1,
      },
    },
    async run(size) {
      const { result, mebibytes, recommendMilliseconds } = await benchTrainingData(
        optionsOf(size, { rows: 100_000 }, { rows: 1000 }),
      );
      const rows = figureOf(result);
      return {
        rows: { ...rows, details: [...rows.details, `${mebibytes.toFixed(0)} MiB more than before at most`] },
        recommend: {
          figure: `${recommendMilliseconds.toFixed(1)} ms`,
          ratio: recommendMilliseconds / RECOMMEND_MS_MAX,
          details: [],
        },
      };
    },
  }),
  benchmark({
    name: 'imports',
    needs: 'build',
    goals: {
      most: {
        work: 'Import of nine in ten API functions',
        against: 'its SDK clients alone',
        atMost: 1.3,
        floor: 1.8,
      },
      all: {
        work: 'Import of the slowest API function',
        against: 'its SDK clients alone',
        atMost: 1.6,
        floor: 2.5,
      },
    },
    async run(size) {
      if (size === 'full') return figuresOfImports(await benchImports());
      return figuresOfImports(
        size === 'quick'
          ? await benchImports(spread(apiFunctionIds, 20), 3)
          : await benchImports(spread(apiFunctionIds, 2), 1),
      );
    },
  }),
  benchmark({
    name: 'respond',
    needs: 'cloud',
    goals: {
      first: {
        work: 'First token of an answer after the model’s own',
        against: `the ${FIRST_TOKEN_MS_MAX} ms allowed`,
        atMost: 1,
      },
      chat: {
        work: 'First token of a chat completion after that of a response',
        against: `the ${CHAT_TOKEN_MS_MAX} ms allowed`,
        atMost: 1,
      },
      // ADR 0029.
      whole: { work: 'Time of a whole answer', against: 'the model alone', atMost: 1.05 },
      intact: { work: 'Answers intact, 50 at once', against: 'the answers', atLeast: 1 },
    },
    async run(size, cloud) {
      const { direct, service, chat, ...together } = await benchRespond({
        ...optionsOf(size, { repetitions: 10 }, { repetitions: 1, streams: 2, warmUps: 1 }),
        ...(cloud === undefined ? {} : { cloud }),
      });
      const first = service.first - direct.first;
      const seconds = (together.togetherMilliseconds / 1000).toFixed(1);
      return {
        first: {
          figure: `${first.toFixed(1)} ms`,
          ratio: first / FIRST_TOKEN_MS_MAX,
          details: [`the model's own after ${direct.first.toFixed(0)} ms; medians`],
        },
        chat: {
          figure: `${(chat.first - service.first).toFixed(1)} ms`,
          ratio: (chat.first - service.first) / CHAT_TOKEN_MS_MAX,
          details: [`that of a response after ${service.first.toFixed(0)} ms; medians`],
        },
        whole: {
          figure: `${service.whole.toFixed(0)} ms`,
          ratio: service.whole / direct.whole,
          details: [`the model alone ${direct.whole.toFixed(0)} ms; medians`],
        },
        intact: {
          figure: `${together.intact} of ${together.streams}`,
          ratio: together.intact / together.streams,
          details: [`every word once and in order, the last after ${seconds} s`],
        },
      };
    },
  }),
  benchmark({
    name: 'local-model',
    needs: 'models',
    goals: {
      // ADR 0034: nine times.
      prefix: {
        work: 'Local model, requests at once with one prefix',
        against: 'the same without a common prefix',
        atLeast: 6,
      },
    },
    async run(size) {
      return {
        prefix: figureOf(await benchLocalModel(optionsOf(size, {}, { repetitions: 1, requests: 2 }))),
      };
    },
  }),
  benchmark({
    name: 'training',
    needs: 'models',
    goals: {
      steps: { work: 'Steps of training on the processor', against: 'TRL', atLeast: 0.2 },
    },
    async run(size) {
      // Imports packages that the set-up of local models installs.
      await setUpModels(trainerModelIds, createProgress());
      const { benchTraining } = await import('./training.ts');
      const result = await benchTraining(optionsOf(size, { steps: 3 }, { steps: 1, tokens: 32 }));
      return { steps: figureOf(result, { against: 'TRL' }) };
    },
  }),
];
