import '../adapt/adapt.css';
import { Price, useEstimate } from '../adapt/quote.tsx';
import { useAdaptation } from '../adapt/use-adaptation.ts';
import { go, hrefOf } from '../route.ts';
import { Dialog, Failure } from '../ui/parts.tsx';
import { ArmName } from './arms-table.tsx';
import { type ArmResult, adaptRequestOfArm, type Pilot, settingsWords } from './words.ts';

/** Asks before the dataset is adapted by an arm: what it costs, and how many rows are taken over. */
export function AdaptWithArm(props: {
  readonly pilot: Pilot;
  readonly arm: ArmResult;
  readonly onClose: () => void;
}) {
  const { pilot, arm, onClose } = props;
  const id = pilot.dataset_id;
  const request = adaptRequestOfArm(pilot, arm.arm);
  const { quote, error, retry } = useEstimate(id, request);
  const launch = useAdaptation(id, () => go(hrefOf(['datasets', id, 'adapt'])));
  return (
    <Dialog title="Adapt the dataset?" onClose={onClose}>
      <div className="stack">
        <p>
          All rows, by arm <ArmName arm={arm} /> <span className="quiet">({settingsWords(arm)})</span>. The
          columns are used as in the pilot, and no rows in other languages are added.
        </p>
        <div role="status" className="stack">
          {quote === null && error === null ? <p className="quiet">Pricing this adaptation …</p> : null}
          {quote === null ? null : <Price quote={quote} />}
        </div>
        {error === null ? null : <Failure error={error} retry={retry} />}
        {launch.error === null ? null : <Failure error={launch.error} />}
        <p className="hint">
          The credits are reserved now. At the end only delivered rows are charged; the rest returns.
        </p>
      </div>
      <div className="dialog-foot">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="primary"
          disabled={quote === null || launch.isPending}
          onClick={() => launch.start(request)}
        >
          {launch.isPending ? 'Starting …' : 'Start the adaptation'}
        </button>
      </div>
    </Dialog>
  );
}
