import { beforeEach, describe, expect, test } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { eraseDataset } from '#shared/lifecycle/erase-dataset.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { claimOfSearchIndex } from '#shared/responses/build-index.ts';
import { INDEX_SHARD_ROWS, IndexManifest } from '#shared/responses/decide/retrieval/index-manifest.ts';
import { termsOf } from '#shared/responses/decide/retrieval/terms.ts';
import { answerSearch, indexBuildId, searchDatasets } from '#shared/responses/search-datasets.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import { type ActiveRun, finishBatches, startRun, startRunOn } from '#test/helpers/active-run.ts';
import { NOW } from '#test/helpers/records.ts';
import {
  adapted,
  buildIndex,
  buildOf,
  discard,
  finish,
  finishWith,
  plan,
  searchPorts,
  settle,
  wordEmbedder,
  work,
} from '#test/helpers/searching.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;

beforeEach(() => {
  world = createWorld(() => NOW);
});

const teamOf = ({ caller }: ActiveRun): string => caller.team_id;
const idOf = ({ dataset }: ActiveRun): string => dataset.dataset_id;
const requestOf = (active: ActiveRun, query: string | null, limit = 10) => ({
  team_id: teamOf(active),
  dataset_ids: [idOf(active)],
  query,
  limit,
});
const builds = () => [...world.executions.started.keys()].filter((id) => id.includes('-index-'));
const ofIndex = (active: ActiveRun) =>
  world.objects.keys().filter((key) => key.startsWith(objectKeys.index(idOf(active))));
const manifestOf = (active: ActiveRun) =>
  IndexManifest.parse(JSON.parse(world.objects.text(objectKeys.indexManifest(idOf(active)))));

const ANIMALS: [string, string][] = [
  ['What do foxes eat?', 'Foxes eat mice, berries and beetles.'],
  ['How large is a blue whale?', 'A blue whale grows to thirty metres.'],
  ['Where do wolves live?', 'Wolves live in forests and in tundra.'],
  ['パンダは何を食べますか', 'パンダは竹を食べます'],
];

/** Texts of a vocabulary in which few words are frequent. */
function randomRows(count: number, seed: string): [string, string][] {
  const random = seededRandom(seed);
  const text = () =>
    Array.from({ length: Math.floor(1 + 12 * random()) }, () => `w${Math.floor(1 / random() ** 1.3)}`).join(
      ' ',
    );
  return Array.from({ length: count }, () => [text(), text()]);
}

/** Every product and every score, one after the other, and the ranks of both fused. */
async function searchByHand(texts: readonly string[], query: string, limit: number) {
  const vectors = await wordEmbedder().embed([...texts, query]);
  const asked = vectors.at(-1) as Float32Array;
  const byVector = texts
    .map((_, row) => {
      const vector = vectors[row] as Float32Array;
      return { row, score: vector.reduce((sum, value, n) => sum + value * (asked[n] as number), 0) };
    })
    .sort((a, b) => b.score - a.score || a.row - b.row);
  const rows = texts.map(termsOf);
  const mean = rows.reduce((sum, row) => sum + row.length, 0) / rows.length;
  const scores = rows.map(() => 0);
  for (const term of new Set(termsOf(query))) {
    const having = rows.filter((row) => row.includes(term)).length;
    for (const [n, row] of rows.entries()) {
      const times = row.filter((each) => each === term).length;
      const idf = Math.log(1 + (rows.length - having + 0.5) / (having + 0.5));
      scores[n] =
        (scores[n] as number) + (idf * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * row.length) / mean));
    }
  }
  const byWords = scores
    .map((score, row) => ({ row, score }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.row - b.row);
  const fused = new Map<number, number>();
  for (const ranking of [byVector, byWords]) {
    for (const [at, { row }] of ranking.slice(0, 100).entries()) {
      fused.set(row, (fused.get(row) ?? 0) + 61 / 2 / (61 + at));
    }
  }
  return [...fused]
    .map(([row, score]) => ({ row, score }))
    .sort((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, limit);
}

test('a search finds exactly the rows that a look at every row finds, in any number of shards', async () => {
  const rows = randomRows(2 * INDEX_SHARD_ROWS + 300, 'rows');
  const active = await adapted(world, rows);
  await buildIndex(world, buildOf(active));
  const ports = searchPorts(world);
  const texts = rows.map((row) => row.join('\n\n'));

  for (const query of ['w1 w2 w77', 'w5', 'w3 unheard', rows[1500]?.[0] ?? '']) {
    const found = await searchDatasets(ports, requestOf(active, query, 30));
    const expected = await searchByHand(texts, query, 30);

    expect(found.map(({ row }) => row)).toEqual(expected.map(({ row }) => row));
    for (const [at, { score, row, text }] of found.entries()) {
      expect(score).toBeCloseTo(expected[at]?.score ?? 0, 12);
      expect(text).toBe(texts[row]);
    }
  }
  expect(manifestOf(active).shards).toHaveLength(3);
});

test('a search finds the same with less memory than the index takes', async () => {
  const active = await adapted(world, randomRows(INDEX_SHARD_ROWS + 50, 'rows'));
  await buildIndex(world, buildOf(active));
  const request = requestOf(active, 'w2 w9 w40');

  const held = await searchDatasets(searchPorts(world), request);
  expect(await searchDatasets(searchPorts(world, { bytesMax: 1 }), request)).toEqual(held);
  expect(held).toHaveLength(10);
});

test('a search of several datasets is one of all their rows together', async () => {
  const rows = randomRows(400, 'rows');
  const [first, second] = [await adapted(world, rows.slice(0, 150)), await adapted(world, rows.slice(150))];
  await world.store.datasets.find(idOf(second));
  for (const active of [first, second]) await buildIndex(world, buildOf(active));
  const whole = await adapted(world, rows);
  await buildIndex(world, buildOf(whole));
  const ports = searchPorts(world);
  // They belong to one team as far as the search is concerned.
  const datasets = {
    find: async (id: string) => {
      const found = await world.store.datasets.find(id);
      return found === null ? null : { ...found, team_id: teamOf(whole), name: id };
    },
  };

  const apart = await searchDatasets(
    { ...ports, datasets },
    { ...requestOf(whole, 'w1 w3 w50'), dataset_ids: [idOf(first), idOf(second), idOf(first)] },
  );

  const together = await searchDatasets(ports, requestOf(whole, 'w1 w3 w50'));
  expect(apart.map(({ dataset_id, row }) => (dataset_id === idOf(first) ? row : row + 150))).toEqual(
    together.map(({ row }) => row),
  );
  expect(apart.map(({ text, score }) => ({ text, score }))).toEqual(
    together.map(({ text, score }) => ({ text, score })),
  );
  expect(new Set(apart.map(({ dataset_name }) => dataset_name)).size).toBe(2);
});

test('a search cites a row by its place in the download, where rows were dropped too', async () => {
  const active = await adapted(world, ANIMALS, { dropped: [0] });
  await buildIndex(world, buildOf(active));

  const [best] = await searchDatasets(searchPorts(world), requestOf(active, 'wolves in tundra'));

  expect(best).toEqual({
    dataset_id: idOf(active),
    dataset_name: active.dataset.name,
    row: 1,
    text: 'Where do wolves live?\n\nWolves live in forests and in tundra.',
    score: 1,
  });
  expect(manifestOf(active)).toMatchObject({ row_count: 3, rows_of: active.run.run_id });
});

test('a search finds and embeds no rows of an upload beyond those that its run has worked on', async () => {
  const active = await adapted(world, ANIMALS, { selected: 2 });
  const embedder = wordEmbedder();
  await buildIndex(world, buildOf(active), embedder);

  const found = await searchDatasets(searchPorts(world), requestOf(active, 'wolves'));

  expect(embedder.embedded).toHaveLength(2);
  expect(found.map(({ row }) => row).sort()).toEqual([0, 1]);
  expect(manifestOf(active).row_count).toBe(4);
});

test('a search finds rows of no dataset whose runs took no credits, and starts no build of it', async () => {
  const active = await startRun(world, { rows: ANIMALS.length });
  await finishWith(world, active, ANIMALS);
  const free: typeof world.store.runs = {
    ...world.store.runs,
    listOfDataset: async () => [],
    async find(...of) {
      const run = await world.store.runs.find(...of);
      return run === null ? null : { ...run, settled_credits: 0, counts: null };
    },
  };

  await expect(
    searchDatasets({ ...searchPorts(world), runs: free }, requestOf(active, 'wolves')),
  ).rejects.toMatchObject({ code: 'dataset_not_adapted' });
  expect(builds()).toEqual([]);
});

test('a search of a dataset whose index is not built yet reads one run of it, where that was paid for', async () => {
  const active = await startRun(world, { rows: ANIMALS.length });
  await finishWith(world, active, ANIMALS);
  let lists = 0;
  const runs: typeof world.store.runs = {
    ...world.store.runs,
    listOfDataset(datasetId) {
      lists += 1;
      return world.store.runs.listOfDataset(datasetId);
    },
  };

  await expect(
    searchDatasets({ ...searchPorts(world), runs }, requestOf(active, 'wolves')),
  ).rejects.toMatchObject({ code: 'index_not_ready' });
  expect([lists, builds().length]).toEqual([0, 1]);
});

test('a search finds a word in a sentence of a script without spaces', async () => {
  const active = await adapted(world, ANIMALS);
  await buildIndex(world, buildOf(active), null);

  const found = await searchDatasets(searchPorts(world, { embedder: null }), requestOf(active, 'パンダ'));

  expect(found.map(({ row }) => row)).toEqual([3]);
});

test('a search reads nothing of an index again but its manifest and the texts that it found', async () => {
  const active = await adapted(world, ANIMALS);
  await buildIndex(world, buildOf(active));
  const ports = searchPorts(world);
  await searchDatasets(ports, requestOf(active, 'whale'));
  const read: string[] = [];
  const objects = {
    ...world.objects,
    read: async (key: string) => {
      read.push(key);
      return world.objects.read(key);
    },
  };

  const found = await searchDatasets({ ...ports, objects }, requestOf(active, 'whale'));

  expect(found[0]?.row).toBe(1);
  expect(read).toEqual([objectKeys.indexManifest(idOf(active))]);
});

test('a search without words or meaning finds nothing, and one of a dataset without text neither', async () => {
  const active = await adapted(world, ANIMALS);
  await buildIndex(world, buildOf(active));
  expect(await searchDatasets(searchPorts(world), requestOf(active, ' '))).toEqual([]);

  const silent = await adapted(world, [['', ' ']]);
  await buildIndex(world, buildOf(silent));
  expect(await searchDatasets(searchPorts(world), requestOf(silent, 'whale'))).toEqual([]);
  expect(manifestOf(silent)).toMatchObject({ shards: [], row_count: 1 });
});

test('a search uses words alone where no model embeds, and says so in the manifest', async () => {
  const active = await adapted(world, ANIMALS);
  await buildIndex(world, buildOf(active), null);

  const found = await searchDatasets(searchPorts(world, { embedder: null }), requestOf(active, 'blue whale'));

  expect(found).toMatchObject([{ row: 1, score: 1 }]);
  expect(manifestOf(active).embedding).toBeNull();
});

test('a search without a model uses the words of an index that has vectors', async () => {
  const active = await adapted(world, ANIMALS);
  await buildIndex(world, buildOf(active));
  const found = await searchDatasets(searchPorts(world, { embedder: null }), requestOf(active, 'blue whale'));
  expect(found.map(({ row }) => row)).toEqual([1]);
});

describe('a search is refused', () => {
  const refusalOf = async (active: ActiveRun, ports = searchPorts(world), query: string | null = 'whale') =>
    (await answerSearch(ports, requestOf(active, query))).refusal;

  test('a search is refused where the dataset is another team’s, or there is none, alike', async () => {
    const [own, other] = [await adapted(world, ANIMALS), await adapted(world, ANIMALS)];
    for (const id of [idOf(other), crypto.randomUUID(), `../${idOf(own)}`, `${idOf(own)}/`]) {
      const { rows, refusal } = await answerSearch(searchPorts(world), {
        ...requestOf(own, 'whale'),
        dataset_ids: [id],
      });
      expect([rows, refusal?.code]).toEqual([[], 'dataset_not_found']);
    }
    expect(builds()).toEqual([]);
  });

  test('a search is refused where no adaptation has succeeded', async () => {
    const running = await startRun(world, { rows: 3 });
    expect(await refusalOf(running)).toMatchObject({ code: 'dataset_not_adapted' });
    await settle(world, running, 0, true);
    expect(await refusalOf(running)).toMatchObject({ code: 'dataset_not_adapted' });
    expect(builds()).toEqual([]);
  });

  test('a search reads the rows that a run which makes a dataset delivered before it was cancelled, and none of one without rows', async () => {
    const active = await startRun(world, { rows: 3 });
    const { dataset_id, run_id } = active.run;
    const grown = { ...active.dataset, state: 'failed' as const, run_id: null, made_by_run_id: run_id };
    const ended = {
      ...active.run,
      pipeline: 'expand' as const,
      status: 'failed' as const,
      settled_credits: 3,
      counts: {
        ...{ total: 0, changed: 0, kept: 0, dropped: 0, failed: 0, not_selected: 0 },
        ...{ expanded: 3, expansion_failed: 0 },
      },
    };
    const ports = (result: DatasetRecord['result']) => ({
      ...searchPorts(world),
      datasets: { find: async () => ({ ...grown, ...(result === undefined ? {} : { result }) }) },
      runs: { find: async () => ended, listOfDataset: async () => [ended] },
    });

    expect(await refusalOf(active, ports(undefined))).toMatchObject({ code: 'dataset_not_adapted' });
    const result = { run_id: null, configured_column_mapping: null };
    expect(await refusalOf(active, ports(result))).toMatchObject({ code: 'index_not_ready' });
    expect(world.executions.started.get(indexBuildId(run_id, 1))).toMatchObject({ dataset_id });
  });

  test('a search is refused while the index is built, which it sets off once', async () => {
    const active = await adapted(world, ANIMALS);

    for (const query of ['whale', null, 'fox']) {
      expect(await refusalOf(active, searchPorts(world), query)).toMatchObject({
        code: 'index_not_ready',
        retry_after_seconds: 15,
      });
    }

    expect(builds()).toEqual([indexBuildId(active.run.run_id, 1)]);
    expect(world.executions.started.get(indexBuildId(active.run.run_id, 1))).toEqual(buildOf(active));
    await buildIndex(world, buildOf(active));
    expect(await refusalOf(active)).toBeNull();
    expect(await refusalOf(active, searchPorts(world), null)).toBeNull();
  });

  test('a search is refused and sets another build off where one has failed, until that has failed too often', async () => {
    const active = await adapted(world, ANIMALS);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await refusalOf(active)).toMatchObject({ code: 'index_not_ready' });
      world.executions.set(indexBuildId(active.run.run_id, attempt), 'failed');
    }

    expect(builds()).toHaveLength(5);
    expect(await refusalOf(active)).toMatchObject({ code: 'service_unavailable' });
  });

  test('a search is refused where the vectors of the index are another model’s, which are built anew', async () => {
    const active = await adapted(world, ANIMALS);
    await buildIndex(world, buildOf(active));
    world.executions.set(indexBuildId(active.run.run_id, 1), 'succeeded');
    const ports = searchPorts(world, { embedder: wordEmbedder('another') });

    expect(await refusalOf(active, ports)).toMatchObject({ code: 'index_not_ready' });
    expect(builds()).toEqual([indexBuildId(active.run.run_id, 2)]);

    await buildIndex(world, buildOf(active, 2), wordEmbedder('another'));
    expect(await refusalOf(active, ports)).toBeNull();
    expect(ofIndex(active).filter((key) => key.includes('-index-1/'))).toEqual([]);
  });

  test('a search is refused where the index is of an earlier adaptation', async () => {
    const active = await adapted(world, ANIMALS);
    await buildIndex(world, buildOf(active));
    const manifest = manifestOf(active);
    const key = objectKeys.indexManifest(idOf(active));
    await world.objects.write(
      key,
      JSON.stringify({ ...manifest, rows_of: crypto.randomUUID() }),
      'application/json',
    );
    expect(await refusalOf(active)).toMatchObject({ code: 'index_not_ready' });
  });

  test('a search is refused for now where a newer build takes the place of the one that it reads', async () => {
    const active = await adapted(world, ANIMALS);
    await buildIndex(world, buildOf(active));
    const ports = searchPorts(world);
    const key = objectKeys.indexManifest(idOf(active));
    let isReplaced = false;
    const objects = {
      ...ports.objects,
      read: async (asked: string) => {
        const body = await ports.objects.read(asked);
        if (asked === key && !isReplaced) {
          isReplaced = true;
          await buildIndex(world, buildOf(active, 2));
        }
        return body;
      },
    };

    const refusal = await refusalOf(active, { ...ports, objects });

    expect(refusal).toMatchObject({ code: 'index_not_ready', retry_after_seconds: 1 });
    expect(builds()).toEqual([]);
    expect(await refusalOf(active, ports)).toBeNull();
  });

  test.each([
    ['words', objectKeys.indexWords],
    ['vectors', objectKeys.indexVectors],
    ['texts', objectKeys.indexTexts],
  ])('a search is refused where %s of the index are lost, which is built anew', async (_, keyOf) => {
    const active = await adapted(world, ANIMALS);
    await buildIndex(world, buildOf(active));
    world.executions.set(indexBuildId(active.run.run_id, 1), 'succeeded');
    await world.objects.remove([keyOf(idOf(active), manifestOf(active).build_id, 0)]);

    for (const query of ['whale', 'fox']) {
      expect(await refusalOf(active, searchPorts(world), query)).toMatchObject({
        code: 'index_not_ready',
        retry_after_seconds: 15,
      });
    }

    expect(builds()).toEqual([indexBuildId(active.run.run_id, 2)]);
    await buildIndex(world, buildOf(active, 2));
    expect(await refusalOf(active)).toBeNull();
  });

  test('a search is refused where the model does not embed the query, and never answered by words alone in silence', async () => {
    const active = await adapted(world, ANIMALS);
    await buildIndex(world, buildOf(active));
    const embed = async (): Promise<never> => {
      throw new Error('down');
    };
    const ports = searchPorts(world, { embedder: { ...wordEmbedder(), embed } });
    await expect(searchDatasets(ports, requestOf(active, 'whale'))).rejects.toThrow();
  });
});

describe('a build', () => {
  /** Adapts the dataset again, with these rows. */
  async function adaptAgain({ caller, dataset }: ActiveRun, rows: readonly (readonly [string, string])[]) {
    const found = await world.store.datasets.find(dataset.dataset_id);
    if (found === null) throw new Error('The dataset is gone.');
    const again = await startRunOn(world, caller, found);
    return finishWith(world, again, rows);
  }

  test('a build of unchanged rows embeds nothing again, and one of changed rows embeds those alone', async () => {
    const rows = randomRows(INDEX_SHARD_ROWS + 40, 'rows');
    const first = await adapted(world, rows);
    await buildIndex(world, buildOf(first));

    const again = await adaptAgain(first, rows);
    const unchanged = wordEmbedder();
    expect(await buildIndex(world, buildOf(again), unchanged)).toEqual({ status: 'built' });
    expect(unchanged.embedded).toEqual([]);

    // Two rows are new, with the same text.
    const moved = rows.map((row, n) => (n === 900 || n === 2000 ? (['new', 'text'] as const) : row));
    const last = await adaptAgain(again, moved);
    const changed = wordEmbedder();
    await buildIndex(world, buildOf(last), changed);
    expect(changed.embedded).toEqual(['new\n\ntext']);

    const texts = moved.map((row) => row.join('\n\n'));
    const found = await searchDatasets(searchPorts(world), requestOf(last, 'w3 w40', 20));
    const expected = await searchByHand(texts, 'w3 w40', 20);
    expect(found.map(({ row }) => row)).toEqual(expected.map(({ row }) => row));
  });

  test('a build finds the vectors of rows that have moved to another shard', async () => {
    const rows = randomRows(INDEX_SHARD_ROWS + 40, 'rows');
    const first = await adapted(world, rows);
    await buildIndex(world, buildOf(first));

    const moved = [...rows.slice(30), ...rows.slice(0, 30)];
    const again = await adaptAgain(first, moved);
    const embedder = wordEmbedder();
    await buildIndex(world, buildOf(again), embedder);

    expect(embedder.embedded).toEqual([]);
    const found = await searchDatasets(searchPorts(world), requestOf(again, 'w2 w9', 20));
    const expected = await searchByHand(
      moved.map((row) => row.join('\n\n')),
      'w2 w9',
      20,
    );
    expect(found.map(({ row }) => row)).toEqual(expected.map(({ row }) => row));
  });

  test('a build embeds rows anew where the model is another one, or the vectors are lost', async () => {
    const first = await adapted(world, ANIMALS);
    await buildIndex(world, buildOf(first));
    const again = await adaptAgain(first, ANIMALS);
    const another = wordEmbedder('another');
    await buildIndex(world, buildOf(again), another);
    expect(another.embedded).toHaveLength(ANIMALS.length);

    const planned = await plan(world, buildOf(again, 2));
    await world.objects.remove([objectKeys.indexVectors(idOf(again), buildOf(again).run_id, 0)]);
    const embedder = wordEmbedder('another');
    await work(world, planned, embedder);
    expect(embedder.embedded).toHaveLength(ANIMALS.length);
  });

  test('a build does nothing while another one of the dataset runs, which a search does not add to', async () => {
    const first = await adapted(world, ANIMALS);
    const running = await plan(world, buildOf(first));
    const again = await adaptAgain(first, [['new', 'text'], ...ANIMALS.slice(1)]);

    const second = await plan(world, buildOf(again));
    const refused = await answerSearch(searchPorts(world), requestOf(again, 'whale'));

    expect([second.rows_of, second.chunk_count]).toEqual([null, 0]);
    expect(await finish(world, buildOf(again), second)).toEqual({ status: 'superseded' });
    expect(refused.refusal).toMatchObject({ code: 'index_not_ready' });
    expect(builds()).toEqual([]);

    // It ends with rows that are not the newest: the next search starts the build of those, which takes its vectors.
    await work(world, running);
    expect(await finish(world, buildOf(first), running)).toEqual({ status: 'superseded' });
    world.executions.set(buildOf(again).run_id, 'succeeded');
    await answerSearch(searchPorts(world), requestOf(again, 'whale'));
    expect(builds()).toContain(indexBuildId(again.run.run_id, 2));
    const embedder = wordEmbedder();
    expect(await buildIndex(world, buildOf(again, 2), embedder)).toEqual({ status: 'built' });
    expect(embedder.embedded).toEqual(['new\n\ntext']);
    expect((await answerSearch(searchPorts(world), requestOf(again, 'whale'))).refusal).toBeNull();
  });

  test('a build that fails lets the next one run', async () => {
    const active = await adapted(world, ANIMALS);
    await plan(world, buildOf(active));
    expect(await world.store.claims.isTaken(claimOfSearchIndex(idOf(active)))).toBe(true);

    await finish(world, buildOf(active), null);

    expect((await plan(world, buildOf(active, 2))).rows_of).toBe(active.run.run_id);
  });

  test('a build of earlier rows takes no place of one of the newest rows', async () => {
    const first = await adapted(world, ANIMALS);
    const late = await plan(world, buildOf(first));
    await work(world, late);
    await world.store.claims.release(claimOfSearchIndex(idOf(first)));
    const again = await adaptAgain(first, ANIMALS);
    await buildIndex(world, buildOf(again));

    expect(await finish(world, buildOf(first), late)).toEqual({ status: 'superseded' });

    expect(manifestOf(again).rows_of).toBe(again.run.run_id);
    expect(ofIndex(again).filter((key) => key.includes(buildOf(first).run_id))).toEqual([]);
  });

  test('a build of a version that was deleted meanwhile is removed', async () => {
    const first = await adapted(world, ANIMALS);
    const planned = await plan(world, buildOf(first));
    await work(world, planned);
    const again = await adaptAgain(first, ANIMALS);
    const version = await world.store.versions.find(idOf(first), 2);
    expect(version?.run_id).toBe(first.run.run_id);
    if (version !== null) expect(await world.store.versions.delete(version, NOW)).toBeNull();

    expect(await finish(world, buildOf(first), planned)).toEqual({ status: 'superseded' });

    expect(ofIndex(again)).toEqual([]);
  });

  test('a build that is repeated asks the model for nothing again', async () => {
    const active = await adapted(world, ANIMALS);
    const embedder = wordEmbedder();
    const planned = await plan(world, buildOf(active));
    await work(world, planned, embedder);
    await work(world, planned, embedder);
    expect(embedder.embedded).toHaveLength(ANIMALS.length);
  });

  test('a build is removed where it failed, and where the dataset was adapted anew or deleted meanwhile', async () => {
    const failed = await adapted(world, ANIMALS);
    await work(world, await plan(world, buildOf(failed)));
    expect(await finish(world, buildOf(failed), null)).toEqual({ status: 'failed' });

    const superseded = await adapted(world, ANIMALS);
    const planned = await plan(world, buildOf(superseded));
    await work(world, planned);
    const other = { ...planned, rows_of: crypto.randomUUID() };
    expect(await finish(world, buildOf(superseded), other)).toEqual({ status: 'superseded' });

    const deleted = await adapted(world, ANIMALS);
    const plannedLast = await plan(world, buildOf(deleted));
    await work(world, plannedLast);
    await world.store.datasets.delete(deleted.caller, idOf(deleted), NOW);
    expect(await finish(world, buildOf(deleted), plannedLast)).toEqual({ status: 'superseded' });

    for (const active of [failed, superseded, deleted]) expect(ofIndex(active)).toEqual([]);
    expect(world.objects.keys().filter((key) => key.startsWith('runs/index-'))).toEqual([]);
  });

  test('a build that the manifest names stays, whatever failed after that', async () => {
    const active = await adapted(world, ANIMALS);
    const planned = await plan(world, buildOf(active));
    await work(world, planned);
    let looks = 0;
    const find = async (id: string) => {
      looks += 1;
      if (looks === 2) throw new Error('The table does not answer.');
      return world.store.datasets.find(id);
    };
    const failing: World = {
      ...world,
      store: { ...world.store, datasets: { ...world.store.datasets, find } },
    };
    await expect(finish(failing, buildOf(active), planned)).rejects.toThrow('does not answer');
    const left = ofIndex(active);

    await discard(world, buildOf(active), planned);

    expect(manifestOf(active).build_id).toBe(buildOf(active).run_id);
    expect(ofIndex(active)).toEqual(left);
    const [best] = await searchDatasets(searchPorts(world), requestOf(active, 'blue whale'));
    expect(best?.row).toBe(1);
  });

  test('a build that failed takes nothing from the index that is there', async () => {
    const active = await adapted(world, ANIMALS);
    await buildIndex(world, buildOf(active));
    const left = ofIndex(active);
    const planned = await plan(world, buildOf(active, 2));
    await work(world, planned);

    await discard(world, buildOf(active, 2), planned);

    expect(ofIndex(active)).toEqual(left);
    expect(await searchDatasets(searchPorts(world), requestOf(active, 'whale'))).not.toEqual([]);
  });

  test('a build that the manifest names goes where the dataset was deleted before its end could be seen', async () => {
    const active = await adapted(world, ANIMALS);
    const planned = await plan(world, buildOf(active));
    await work(world, planned);
    await finish(world, buildOf(active), planned);
    await world.store.datasets.delete(active.caller, idOf(active), NOW);

    await discard(world, buildOf(active), planned);

    expect(ofIndex(active)).toEqual([]);
  });

  test('a build is the index though the one before it cannot be removed, which is told', async () => {
    const active = await adapted(world, ANIMALS);
    await buildIndex(world, buildOf(active));
    const planned = await plan(world, buildOf(active, 2));
    await work(world, planned);
    const down = new Error('The store does not answer.');
    const objects = {
      ...world.objects,
      remove: async (keys: readonly string[]) => {
        if (keys.some((key) => key.includes('-index-1/'))) throw down;
        await world.objects.remove([...keys]);
      },
    };
    const told: unknown[] = [];

    const ended = await finish({ ...world, objects }, buildOf(active, 2), planned, {
      onFailure: (failure) => told.push(failure),
    });

    expect([ended, told]).toEqual([{ status: 'built' }, [down]]);
    expect(manifestOf(active).build_id).toBe(buildOf(active, 2).run_id);
    expect(await searchDatasets(searchPorts(world), requestOf(active, 'whale'))).not.toEqual([]);
  });

  test('a build leaves nothing where the dataset is erased while it ends', async () => {
    const active = await adapted(world, ANIMALS);
    const planned = await plan(world, buildOf(active));
    await work(world, planned);
    const write = world.objects.write;
    const racing: World = {
      ...world,
      objects: {
        ...world.objects,
        write: async (...args: Parameters<typeof write>) => {
          await world.store.datasets.delete(active.caller, idOf(active), NOW);
          await eraseDataset(
            {
              ...world.store,
              objects: world.objects,
              listCopies: async () => [],
              retireDeployment: async () => null,
            },
            idOf(active),
            NOW,
          );
          await write(...args);
        },
      },
    };
    expect(await finish(racing, buildOf(active), planned)).toEqual({ status: 'superseded' });
    expect(ofIndex(active)).toEqual([]);
  });

  test('a build is none of a dataset whose rows cannot be searched', async () => {
    const active = await startRun(world, { rows: 2 });
    await finishBatches(world, active);
    await expect(plan(world, buildOf(active))).rejects.toMatchObject({ code: 'run_interrupted' });
  });

  test('a build with a shard missing is no index', async () => {
    const active = await adapted(world, ANIMALS);
    const planned = await plan(world, buildOf(active));
    await expect(finish(world, buildOf(active), planned)).rejects.toThrow('does not exist');
    expect(world.objects.keys()).not.toContain(objectKeys.indexManifest(idOf(active)));
  });

  test('a build goes with its dataset', async () => {
    const active = await adapted(world, ANIMALS);
    await buildIndex(world, buildOf(active));
    await plan(world, buildOf(active, 2));
    expect(ofIndex(active).length).toBeGreaterThan(4);

    await eraseDataset(
      {
        ...world.store,
        objects: world.objects,
        listCopies: async () => [],
        retireDeployment: async () => null,
      },
      idOf(active),
      NOW,
    );

    expect(world.objects.keys().filter((key) => key.includes(idOf(active)))).toEqual([]);
  });
});
