import { useDatasetRecord } from '../datasets/record.ts';
import { hrefOf } from '../route.ts';

const NAME_FRESH_MS = 300_000;

/** A link to a dataset by its name; by the beginning of its id until that is known, or where it cannot be read. */
export function DatasetLink({ id }: { readonly id: string }) {
  const dataset = useDatasetRecord(id, [], { staleTime: NAME_FRESH_MS });
  return (
    <a href={hrefOf(['datasets', id])} title={id} dir="auto">
      {dataset.data?.name ?? <code>{id.slice(0, 8)}</code>}
    </a>
  );
}
