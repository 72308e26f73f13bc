import { count, percentRange, plural, wholePercent } from '../format.ts';
import { NumberHead, Section, State, TableFrame } from '../ui/parts.tsx';
import { MarkedText, RowText } from '../ui/row-text.tsx';
import { Whisker, WhiskerScale } from '../ui/whisker.tsx';
import {
  ARM_STATES,
  type ArmResult,
  charactersWords,
  isRunnable,
  minutesWords,
  type Pilot,
  settingsWords,
  verdictWords,
  type WinRate,
  winRateWords,
} from './words.ts';

/** The name of an arm, which a caller has chosen, with its number. */
export function ArmName({ arm: { arm, name } }: { readonly arm: Pick<ArmResult, 'arm' | 'name'> }) {
  return (
    <>
      {arm}.{' '}
      <bdi className="pilot-name">
        <MarkedText text={name} />
      </bdi>
    </>
  );
}

/** The name of the arm with a number. */
export function NumberedArm({ arms, number }: { readonly arms: Pilot['arms']; readonly number: number }) {
  const arm = arms.find((each) => each.arm === number);
  return arm === undefined ? `Arm ${number}` : <ArmName arm={arm} />;
}

/** A win rate as a dot with its interval, and the same as text. */
function RateCell({
  rate,
  other,
}: {
  readonly rate: WinRate;
  /** What it is better or worse than. */
  readonly other: string;
}) {
  return (
    <>
      <Whisker value={rate.win_rate} interval={rate.interval} />
      <span className="nowrap">{winRateWords(rate)}</span>
      <br />
      <span className="hint">{verdictWords(rate, other)}</span>
    </>
  );
}

const NOTE =
  'The win rate is the share of better rows among the better and worse ones, corrected for the known errors of checks and judge; at 50 % nothing is gained. The intervals of the pilot hold the true win rates together with a probability of 95 %. Harm is the share of rows that got worse, with a 95 % interval. Price and time are those of the rest of the dataset.';

/** The arms beside each other. */
export function ArmsTable({
  pilot,
  onAdapt,
}: {
  readonly pilot: Pilot;
  readonly onAdapt: (arm: ArmResult) => void;
}) {
  const recommended = pilot.recommendation?.arm ?? null;
  return (
    <Section title="Arms" note={NOTE}>
      <TableFrame label="Arms and how they compare with the originals" className="pilot-table">
        <thead>
          <tr>
            <th scope="col">Arm</th>
            <th scope="col">Rows</th>
            <th scope="col">Against originals</th>
            <th scope="col">
              <span className="visually-hidden">Win rate on an axis from 0 to 100 %</span>
              <WhiskerScale />
            </th>
            <th scope="col">Harm</th>
            <NumberHead>Characters</NumberHead>
            <th scope="col">Whole dataset</th>
          </tr>
        </thead>
        <tbody>
          {pilot.arms.map((arm) => (
            <ArmRow
              key={arm.arm}
              arm={arm}
              isRecommended={arm.arm === recommended}
              onAdapt={isRunnable(pilot, arm) ? () => onAdapt(arm) : null}
            />
          ))}
        </tbody>
      </TableFrame>
    </Section>
  );
}

interface ArmProps {
  readonly arm: ArmResult;
  readonly isRecommended: boolean;
  /** Null while the arm cannot be run. */
  readonly onAdapt: (() => void) | null;
}

function ArmRow({ arm, isRecommended, onAdapt }: ArmProps) {
  return (
    <tr className={isRecommended ? 'pilot-recommended' : undefined}>
      <th scope="row" abbr={`Arm ${arm.arm}`}>
        <About arm={arm} isRecommended={isRecommended} onAdapt={onAdapt} />
      </th>
      <td>
        <Counts
          of={[
            ['changed', arm.rows.changed],
            ['kept', arm.rows.kept],
            ['failed', arm.rows.failed],
            ...(arm.rows.dropped > 0 ? ([['dropped', arm.rows.dropped]] as const) : []),
          ]}
        />
      </td>
      <td>
        {arm.against_original === null ? (
          <span className="quiet">
            {arm.status === 'running' ? 'not compared yet' : 'nothing to compare'}
          </span>
        ) : (
          <Counts
            of={[
              ['better', arm.against_original.better],
              ['worse', arm.against_original.worse],
              ['same', arm.against_original.same],
              ['undecided', arm.against_original.undecided],
            ]}
          />
        )}
      </td>
      <td>
        {arm.against_original === null ? '–' : <RateCell rate={arm.against_original} other="the originals" />}
      </td>
      <td>
        <Harm harm={arm.harm} />
      </td>
      <td className="number">{charactersWords(arm.characters)}</td>
      <td>
        <Whole of={arm.whole_dataset} />
      </td>
    </tr>
  );
}

function About({ arm, isRecommended, onAdapt }: ArmProps) {
  const { value, label, meaning } = ARM_STATES[arm.status];
  const blueprint = arm.brand_controls?.blueprint;
  return (
    <div className="pilot-about">
      <span>
        <ArmName arm={arm} />
      </span>
      <span className="hint">{settingsWords(arm)}</span>
      <span className="line">
        <State value={value} label={label} />
        {isRecommended ? <span className="hint">recommended</span> : null}
      </span>
      {meaning === null ? null : <span className="hint">{meaning}</span>}
      {blueprint === undefined ? null : (
        <details>
          <summary>Blueprint</summary>
          <RowText text={blueprint} />
        </details>
      )}
      {onAdapt === null ? null : (
        <div className="pilot-adapt">
          <button type="button" onClick={onAdapt}>
            Adapt with arm {arm.arm}
          </button>
        </div>
      )}
    </div>
  );
}

function Harm({ harm }: Pick<ArmResult, 'harm'>) {
  if (harm === null) return '–';
  const { share, interval } = harm;
  return (
    <>
      <span className="nowrap">{wholePercent(share)}</span>
      <br />
      <span className="hint nowrap">{percentRange(interval)}</span>
    </>
  );
}

/** What the adaptation of all rows takes. */
function Whole({ of: { credits, minutes, tokens } }: { readonly of: ArmResult['whole_dataset'] }) {
  return (
    <>
      <span className="nowrap">{plural(credits, 'credit')}</span>
      <br />
      {minutesWords(minutes)}
      {tokens === null ? null : (
        <>
          <br />
          <span className="hint">{plural(Math.round(tokens), 'token')}</span>
        </>
      )}
    </>
  );
}

/** Counts of rows with what they count, below each other. */
function Counts({ of }: { readonly of: readonly (readonly [string, number])[] }) {
  return (
    <ul className="pilot-counts">
      {of.map(([word, rows]) => (
        <li key={word} className={rows === 0 ? 'quiet' : undefined}>
          <strong>{count(rows)}</strong> {word}
        </li>
      ))}
    </ul>
  );
}
