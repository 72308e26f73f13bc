import { priceRows } from '#shared/access/decide/prices.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { AugmentRequest } from '../../schema/augment.ts';

/** Rows on its topics that a dataset is recommended to have, its own among them, and rows on others. */
export const DOMAIN_ROWS_RECOMMENDED = 20_000;
export const GENERAL_ROWS_RECOMMENDED = 8000;

export interface AugmentationQuote {
  readonly domain_rows: number;
  readonly general_rows: number;
  readonly similar_rows: number;
  readonly rows: number;
  readonly credits: number;
  /** Whether the request names a count, or asks for those that are recommended. */
  readonly is_explicit: boolean;
}

type Counts = Pick<AugmentRequest, 'domain_rows' | 'general_rows' | 'similar_rows' | 'fill_to_recommended'>;

/**
 * The rows that a request adds, and their price: the requested counts, or the recommended ones if none are given or
 * the request asks for them. Credits are those of the requested rows (spec §2.6), the most that is settled.
 */
export function quoteAugmentation(request: Counts, rowCount: number): AugmentationQuote {
  const { domain_rows, general_rows, similar_rows, fill_to_recommended } = request;
  const isNamed = [domain_rows, general_rows, similar_rows].some((rows) => rows !== undefined);
  const fills = fill_to_recommended === true || !isNamed;
  const quoted = {
    domain_rows: domain_rows ?? (fills ? Math.max(0, DOMAIN_ROWS_RECOMMENDED - rowCount) : 0),
    general_rows: general_rows ?? (fills ? GENERAL_ROWS_RECOMMENDED : 0),
    similar_rows: similar_rows ?? 0,
  };
  const rows = quoted.domain_rows + quoted.general_rows + quoted.similar_rows;
  return {
    ...quoted,
    rows,
    credits: priceRows(rows, 'augmented'),
    is_explicit: isNamed || fill_to_recommended === true,
  };
}

/**
 * Refuses a request that would add nothing; a real one, too, that leaves it open what to add.
 * @throws {ServiceError} `nothing_to_add`; of one that leaves it open, with the recommended rows and their price
 */
export function requireRowsToAdd(quote: AugmentationQuote, isEstimate: boolean): void {
  const { domain_rows: domain, general_rows: general, credits, is_explicit: isExplicit } = quote;
  if (!isExplicit && !isEstimate) {
    throw new ServiceError(
      'nothing_to_add',
      `The request names no rows. Recommended are ${domain} domain_rows and ${general} general_rows, for ${credits} credits: send fill_to_recommended: true to add these, or send the counts.`,
      {
        details: [
          { path: 'domain_rows', message: `is not named; recommended are ${domain}`, recommended: domain },
          { path: 'general_rows', message: `is not named; recommended are ${general}`, recommended: general },
        ],
      },
    );
  }
  if (quote.rows === 0) {
    throw new ServiceError(
      'nothing_to_add',
      'The request adds no rows. Raise domain_rows, general_rows or similar_rows.',
      { details: [{ path: 'domain_rows', message: 'adds no rows, and neither do the others' }] },
    );
  }
}
