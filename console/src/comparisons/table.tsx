import { hrefOf } from '../route.ts';
import { TRAINING_WORDS } from '../training/words.ts';
import { DatasetLink } from '../ui/dataset-link.tsx';
import { NumberHead, State, TableFrame, Time } from '../ui/parts.tsx';
import type { ComparisonSummary } from './words.ts';

/** Comparisons in a table, with the dataset of each where they are of several. */
export function ComparisonsTable(props: {
  readonly label: string;
  readonly comparisons: readonly ComparisonSummary[];
  readonly hasDatasets?: boolean;
}) {
  const { label, comparisons, hasDatasets = false } = props;
  return (
    <TableFrame label={label}>
      <thead>
        <tr>
          <th scope="col">Started</th>
          {hasDatasets ? <th scope="col">Dataset</th> : null}
          <th scope="col">State</th>
          <th scope="col">Base model</th>
          <NumberHead>Seeds</NumberHead>
          <NumberHead>Trainings done</NumberHead>
        </tr>
      </thead>
      <tbody>
        {comparisons.map((each) => (
          <tr key={each.comparison_id}>
            <th scope="row" className="nowrap">
              <a href={hrefOf(['trainings', 'comparisons', each.comparison_id])}>
                <Time iso={each.created_at} />
              </a>
            </th>
            {hasDatasets ? (
              <td>
                <DatasetLink id={each.dataset_id} />
              </td>
            ) : null}
            <td>
              <State value={each.status} label={TRAINING_WORDS[each.status]} />
            </td>
            <td dir="auto">{each.model}</td>
            <td className="number">{each.seeds}</td>
            <td className="number">
              {each.trainings_completed} of {each.trainings_total}
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

/** What a comparison is, for those who have none yet. */
export const WHAT_IT_IS =
  'A comparison trains the same base model twice, on the original rows and on the adapted rows, and lets both answer prompts that neither has seen. It says whether the adaptation makes a better model. It costs no credits.';
