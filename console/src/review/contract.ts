import { dataOf, type Schemas, type TunesmithClient } from 'tunesmith';

export type ReviewRow = Schemas['ReviewRow'];
export type Verdict = Schemas['GivenVerdict'] & { readonly content_hash: string };
export type VerdictKind = Exclude<Verdict['verdict'], 'none'>;

export type ReviewGrade = Schemas['ReviewGrade'];
export type WitnessRecord = Schemas['WitnessRecord'];
export type Review = Schemas['Review'];
export type LookedAt = Schemas['LookedAt'];
export type Recorded = Schemas['RecordedVerdicts'];

/** What is left to look at, and what the verdicts say so far. */
export type ReviewSummary = Pick<Review, 'worth_a_look' | 'verdicts' | 'witnesses' | 'grade'>;

export type AlikeRow = Schemas['AlikeRow'];
export type AlikeRows = Schemas['AlikeRows'];

export type AppliedVerdicts = Schemas['AppliedVerdicts'];

export const readReview = async (
  client: TunesmithClient,
  datasetId: string,
  limit: number,
  signal: AbortSignal,
): Promise<Review> =>
  // The client's type of an answer forgets that an interval has two ends.
  (await dataOf(
    client.GET('/api/v1/datasets/{dataset_id}/review', {
      signal,
      params: { path: { dataset_id: datasetId }, query: { limit } },
    }),
  )) as Review;

export const sendVerdicts = async (
  client: TunesmithClient,
  datasetId: string,
  verdicts: readonly Verdict[],
): Promise<Recorded> =>
  (await dataOf(
    client.POST('/api/v1/datasets/{dataset_id}/verdicts', {
      params: { path: { dataset_id: datasetId } },
      body: { verdicts: [...verdicts] },
    }),
  )) as Recorded;

/** The rows with the same defect as one whose mended text is recorded. */
export const readAlike = (client: TunesmithClient, datasetId: string, row: number): Promise<AlikeRows> =>
  dataOf(
    client.GET('/api/v1/datasets/{dataset_id}/review/{row}/alike', {
      params: { path: { dataset_id: datasetId, row: String(row) } },
    }),
  );

export const applyVerdicts = (
  client: TunesmithClient,
  datasetId: string,
  wrong: 'keep' | 'drop',
  key: string,
): Promise<AppliedVerdicts> =>
  dataOf(
    client.POST('/api/v1/datasets/{dataset_id}/verdicts/apply', {
      params: { path: { dataset_id: datasetId } },
      body: { wrong, idempotency_key: key },
    }),
  );
