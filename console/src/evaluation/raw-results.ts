/** An interval of 95 %. */
export type Interval = readonly [low: number, high: number];

export interface ExpectedRows {
  readonly rows: number;
  readonly share: number;
  readonly interval: Interval | null;
}

interface JudgeKind {
  readonly kind: string;
  readonly pairs: number | null;
  readonly accuracy: number | null;
  readonly accuracyLow: number | null;
  readonly falseAcceptance: number | null;
  readonly falseAcceptanceHigh: number | null;
  readonly isBelieved: boolean;
}

export interface Judge {
  readonly model: string | null;
  /** Whether its scores of single answers are trusted. */
  readonly scoresAreTrusted: boolean;
  readonly agreement: number | null;
  readonly agreementLow: number | null;
  readonly pairAgreement: number | null;
  readonly positionBias: number | null;
  readonly longerNamed: number | null;
  readonly believedFor: readonly string[];
  readonly kinds: readonly JudgeKind[];
}

/** Scores of single answers, before or after. */
export interface Scores {
  readonly mean: number;
  readonly interval: Interval | null;
  readonly n: number | null;
  readonly criteria: ReadonlyMap<string, number>;
}

/** What `raw_results` of an evaluation says. Nothing in it is certain: a field that is missing is null. */
export interface Grading {
  readonly intervalBefore: Interval | null;
  readonly intervalAfter: Interval | null;
  readonly difference: number | null;
  readonly intervalDifference: Interval | null;
  readonly rows: Readonly<
    Record<'unchanged' | 'changed' | 'got_better' | 'got_worse' | 'undecided', ExpectedRows | null>
  >;
  readonly edits: readonly { readonly kind: string; readonly rows: number; readonly precision: number }[];
  readonly sample: {
    readonly population: number | null;
    readonly sampled: number | null;
    readonly checked: number | null;
    readonly scored: number | null;
  };
  readonly judge: Judge | null;
  readonly rates: {
    readonly model: string | null;
    readonly rows: number | null;
    readonly sensitivity: readonly [hits: number, of: number] | null;
    readonly specificity: readonly [hits: number, of: number] | null;
    readonly answerModel: string | null;
    readonly isSameModel: boolean | null;
  };
  readonly before: Scores | null;
  readonly after: Scores | null;
  readonly scoreDifference: { readonly mean: number; readonly interval: Interval | null } | null;
  readonly length: {
    readonly pairs: number | null;
    readonly winRate: number | null;
    readonly winRateCorrected: number | null;
    readonly winRateAtEqualLength: number | null;
    readonly interval: Interval | null;
    readonly reason: string | null;
  } | null;
  readonly unscored: readonly { readonly row: number; readonly code: string; readonly message: string }[];
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function intervalOf(value: unknown): Interval | null {
  if (!Array.isArray(value)) return null;
  const [low, high] = [numberOf(value[0]), numberOf(value[1])];
  return low === null || high === null ? null : [low, high];
}

function expectedOf(value: unknown): ExpectedRows | null {
  const fields = fieldsOf(value);
  const [rows, share] = [numberOf(fields?.rows), numberOf(fields?.share)];
  return rows === null || share === null ? null : { rows, share, interval: intervalOf(fields?.interval_95) };
}

function hitsOf(value: unknown): readonly [number, number] | null {
  const fields = fieldsOf(value);
  const [hits, of] = [numberOf(fields?.hits), numberOf(fields?.of)];
  return hits === null || of === null ? null : [hits, of];
}

function scoresOf(value: unknown): Scores | null {
  const fields = fieldsOf(value);
  const mean = numberOf(fields?.mean);
  if (mean === null) return null;
  const criteria = Object.entries(fieldsOf(fields?.criteria) ?? {}).flatMap(([name, score]) =>
    typeof score === 'number' ? [[name, score] as const] : [],
  );
  return {
    mean,
    interval: intervalOf(fields?.interval_95),
    n: numberOf(fields?.n),
    criteria: new Map(criteria),
  };
}

function judgeOf(value: unknown): Judge | null {
  const fields = fieldsOf(value);
  if (fields === null) return null;
  const believedFor = (Array.isArray(fields.believed_for) ? fields.believed_for : []).filter(
    (kind): kind is string => typeof kind === 'string',
  );
  const kinds = Object.entries(fieldsOf(fields.kinds) ?? {}).map(([kind, figures]): JudgeKind => {
    const of = fieldsOf(figures);
    return {
      kind,
      pairs: numberOf(of?.pairs),
      accuracy: numberOf(of?.accuracy),
      accuracyLow: numberOf(of?.accuracy_low),
      falseAcceptance: numberOf(of?.false_acceptance),
      falseAcceptanceHigh: numberOf(of?.false_acceptance_high),
      isBelieved: believedFor.includes(kind),
    };
  });
  return {
    model: textOf(fields.model),
    scoresAreTrusted: fields.mode === 'calibrated_judge',
    agreement: numberOf(fields.agreement),
    agreementLow: numberOf(fields.agreement_low),
    pairAgreement: numberOf(fields.pair_agreement),
    positionBias: numberOf(fields.position_bias),
    longerNamed: numberOf(fields.longer_named),
    believedFor,
    kinds,
  };
}

function lengthOf(value: unknown): Grading['length'] {
  const fields = fieldsOf(value);
  return fields === null
    ? null
    : {
        pairs: numberOf(fields.pairs),
        winRate: numberOf(fields.win_rate),
        winRateCorrected: numberOf(fields.win_rate_corrected),
        winRateAtEqualLength: numberOf(fields.win_rate_at_equal_length),
        interval: intervalOf(fields.interval_95),
        reason: textOf(fields.reason),
      };
}

/** Reads `raw_results`, which openapi.json declares as any JSON; docs/grades.md names its fields. */
export function readGrading(raw: Fields): Grading {
  const rows = fieldsOf(raw.rows);
  const sample = fieldsOf(raw.sample);
  const rates = fieldsOf(raw.rates);
  const measured = fieldsOf(rates?.measured);
  const difference = fieldsOf(raw.difference);
  const mean = numberOf(difference?.mean);
  const edits = Object.entries(fieldsOf(raw.by_edit) ?? {}).flatMap(([kind, value]) => {
    const fields = fieldsOf(value);
    const [of, precision] = [numberOf(fields?.rows), numberOf(fields?.precision)];
    return of === null || precision === null ? [] : [{ kind, rows: of, precision }];
  });
  const unscored = (Array.isArray(raw.unscored) ? raw.unscored : []).flatMap((value: unknown) => {
    const fields = fieldsOf(value);
    const row = numberOf(fields?.row);
    return row === null
      ? []
      : [{ row, code: textOf(fields?.code) ?? '', message: textOf(fields?.message) ?? '' }];
  });
  return {
    intervalBefore: intervalOf(raw.score_interval_before),
    intervalAfter: intervalOf(raw.score_interval_after),
    difference: numberOf(raw.score_difference),
    intervalDifference: intervalOf(raw.score_interval_difference),
    rows: {
      unchanged: expectedOf(rows?.unchanged),
      changed: expectedOf(rows?.changed),
      got_better: expectedOf(rows?.got_better),
      got_worse: expectedOf(rows?.got_worse),
      undecided: expectedOf(rows?.undecided),
    },
    edits: edits.sort((a, b) => b.rows - a.rows),
    sample: {
      population: numberOf(sample?.population),
      sampled: numberOf(sample?.sampled),
      checked: numberOf(sample?.checked),
      scored: numberOf(sample?.scored),
    },
    judge: judgeOf(raw.judge),
    rates: {
      model: textOf(measured?.model_id),
      rows: numberOf(measured?.rows),
      sensitivity: hitsOf(rates?.sensitivity),
      specificity: hitsOf(rates?.specificity),
      answerModel: textOf(rates?.answer_model),
      isSameModel: typeof rates?.same_model === 'boolean' ? rates.same_model : null,
    },
    before: scoresOf(raw.before),
    after: scoresOf(raw.after),
    scoreDifference: mean === null ? null : { mean, interval: intervalOf(difference?.interval_95) },
    length: lengthOf(raw.length_control),
    unscored,
  };
}
