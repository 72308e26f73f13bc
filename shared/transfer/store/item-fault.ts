import { indexes, type Key, keys, lists } from '#shared/platform/store/keys.ts';
import { activeWork } from '../decide/active-work.ts';
import { type RecordFate, type RecordKind, recordFates, type TeamIds } from '../decide/belongings.ts';
import type { Belonging, StoredItem } from '../decide/ports.ts';
import { kindsOf, partitions } from './item-kinds.ts';

/** The key that an item must have, by its own ids; those of other kinds are not in their items. */
const ownKeys: Partial<Record<RecordKind, (item: Readonly<Record<string, string>>, team: string) => Key>> = {
  team: ({ team_id = '' }) => keys.team(team_id),
  member: ({ user_id = '' }, team) => keys.member(team, user_id),
  stack: ({ team_id = '', slug = '' }) => keys.stack(team_id, slug),
  dataset: ({ dataset_id = '' }) => keys.dataset(dataset_id),
  version: ({ dataset_id = '', version = '' }) => keys.version(dataset_id, Number(version)),
  verdict: ({ dataset_id = '', row = '', reviewer = '' }) => keys.verdict(dataset_id, Number(row), reviewer),
  verdictText: ({ dataset_id = '', text_id = '' }) => keys.verdictText(dataset_id, text_id),
  run: ({ dataset_id = '', run_id = '' }) => keys.run(dataset_id, run_id),
  evaluation: ({ dataset_id = '', run_id = '' }) => keys.evaluation(dataset_id, run_id),
  customEval: ({ dataset_id = '', custom_eval_id = '' }) => keys.customEval(dataset_id, custom_eval_id),
  finetuneJob: ({ dataset_id = '', finetune_job_id = '' }) => keys.finetuneJob(dataset_id, finetune_job_id),
  training: ({ experiment_id = '' }) => keys.training(experiment_id),
  organization: ({ organization_id = '' }) => keys.organization(organization_id),
  user: ({ user_id = '' }) => keys.user(user_id),
  plan: ({ name = '' }) => keys.plan(name),
  voucher: ({ code = '' }) => keys.voucher(code),
};

/** Kinds whose items name their team. */
const NAMES_TEAM: readonly RecordKind[] = ['team', 'stack', 'dataset', 'run', 'training', 'voucher'];

/** The lists that an item of a kind may be on; none for other kinds. */
const ownLists: Partial<Record<RecordKind, (team: string, dataset: string) => readonly string[]>> = {
  team: () => [lists.teams],
  dataset: (team) => [lists.datasets(team)],
  run: (_, dataset) => [lists.pilots(dataset)],
  customEval: (_, dataset) => [lists.customEvals(dataset)],
  training: (team) => [lists.trainings(team), lists.comparisons(team)],
  evaluation: () => [lists.grades],
  organization: () => [lists.organizations],
  user: () => [lists.users],
  plan: () => [lists.plans],
  voucher: () => [lists.vouchers],
};

/**
 * Says in words why an item is not one that an export of this team holds as `kind`; null if it is. It compares the key
 * with the ids of the item, the ids with those of the team, and the list of the indexes with those of the kind.
 */
export function itemFault({ kind, item }: Belonging, ids: TeamIds): string | null {
  if (!kindsOf(item).includes(kind)) return `its key is not that of a ${kind}`;
  const own = ownKeys[kind]?.(textsOf(item), ids.team);
  if (own !== undefined && (own.pk !== item.pk || own.sk !== item.sk))
    return 'its key is not that of its ids';
  if ((NAMES_TEAM.includes(kind) || 'team_id' in item) && item.team_id !== ids.team)
    return 'it is of another team';
  if (!isWithin({ kind, item }, ids)) return 'it is of none of the datasets, runs and trainings of the team';
  if (kind === 'training' && !ids.datasets.has(String(item.dataset_id)))
    return 'its dataset is not in the archive';
  const work = activeWork({ kind, item });
  if (work !== null) return `it is active work, which no archive holds: ${work}`;
  return listFault({ kind, item }, ids.team);
}

/** Whether an item lies in a partition of the team, or in one of its datasets, runs and trainings. */
function isWithin({ kind, item: { pk } }: Belonging, ids: TeamIds): boolean {
  const fate: RecordFate = recordFates[kind];
  if ('settings' in fate) return true;
  if (!('moves' in fate)) return false;
  const { moves } = fate;
  const of = partitions[moves];
  if (moves === 'team' || moves === 'approvals' || moves === 'idempotency') return pk === of(ids.team);
  const id = String(pk).slice(of('').length);
  const own = { dataset: ids.datasets, verdicts: ids.datasets, run: ids.runs, training: ids.trainings }[
    moves
  ];
  return pk === of(id) && own.has(id);
}

function listFault({ kind, item }: Belonging, team: string): string | null {
  const { list_pk: list } = item;
  if (list === undefined) return null;
  const isOwn = ownLists[kind]?.(team, String(item.dataset_id)).some((each) => each === list) ?? false;
  if (!isOwn) return `a ${kind} of the team is not on the list ${list}`;
  if (kind !== 'evaluation') return null;
  const isOfDataset = String(item[indexes.created_at.sortKey]).endsWith(`#${item.dataset_id}`);
  return isOfDataset ? null : 'its grade is of another dataset';
}

const textsOf = (item: StoredItem): Record<string, string> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, String(value)]));
