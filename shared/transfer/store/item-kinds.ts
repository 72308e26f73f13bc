import { type Key, keys } from '#shared/platform/store/keys.ts';
import { ANY, patternOf, type RecordFate, type RecordKind, recordFates } from '../decide/belongings.ts';
import type { StoredItem } from '../decide/ports.ts';

/** A kind of item without a fate does not compile. */
const fates: Readonly<Record<keyof typeof keys, RecordFate>> = recordFates;

/** The partitions that hold what moves, and what goes into statements. */
export const partitions = {
  team: (teamId: string) => keys.team(teamId).pk,
  approvals: (teamId: string) => keys.approval(teamId, '').pk,
  idempotency: (teamId: string) => keys.idempotency(teamId, '', '', '').pk,
  credits: (teamId: string) => keys.balance(teamId).pk,
  meter: (teamId: string, shard: number) => keys.meterShard(teamId, shard).pk,
  dataset: (datasetId: string) => keys.dataset(datasetId).pk,
  verdicts: (datasetId: string) => keys.verdict(datasetId, 0, '').pk,
  run: (runId: string) => keys.chunk(runId, 0).pk,
  training: (experimentId: string) => keys.training(experimentId).pk,
} as const;

/** The key of a kind of item, with `ANY` for each parameter. */
export function anyKeyOf(kind: RecordKind): Key {
  return (keys[kind] as unknown as (...parts: string[]) => Key)(ANY, ANY, ANY, ANY);
}

const patterns = (Object.keys(fates) as RecordKind[]).map((kind) => {
  const { pk, sk } = anyKeyOf(kind);
  return { kind, pk: patternOf(pk, '.+'), sk: patternOf(sk, '.+') };
});

/** The kinds whose keys look like this one; more than one if their keys cannot be told apart. */
export function kindsOf({ pk, sk }: StoredItem): RecordKind[] {
  return patterns
    .filter((each) => each.pk.test(String(pk)) && each.sk.test(String(sk)))
    .map(({ kind }) => kind);
}
