import { priceBatchedRows, priceRows } from '#shared/access/decide/prices.ts';
import type { RowPrice } from '#shared/platform/schema/row-prices.ts';
import { deliveredCount } from '#shared/runs/decide/outcomes.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import type { Processing } from '../schema/adaptation.ts';
import type { RunRequestObject } from './run-request.ts';
import type { AdaptationSpecification } from './specification.ts';

/** Rows with an image among their context cost more (spec §4.8). */
export function rowPriceOf({ mapping }: Pick<AdaptationSpecification, 'mapping'>): RowPrice {
  return mapping.image !== undefined && mapping.context.includes(mapping.image) ? 'image_context' : 'text';
}

/** Whole credits for rows of the dataset, and for those that a language expansion adds, which batch jobs do not make. */
export function priceProcessed(
  { rows, added }: { readonly rows: number; readonly added: number },
  price: RowPrice,
  processing: Processing | undefined,
): number {
  return processing === 'batch' ? priceBatchedRows(rows, price, added) : priceRows(rows + added, price);
}

/**
 * Prices the results of a run in credits: changed, kept and added rows are billed; failed and dropped ones, reused ones,
 * those of a pilot among them, and those that lack a pair which was asked for are not. In a run with batch jobs every changed
 * and kept row costs half, also one whose calls had to be made singly: the caller cannot help that.
 */
export function priceDelivered(
  { specification, processing, reuse }: Pick<RunRequestObject, 'specification' | 'processing' | 'reuse'>,
  { rows, reused = 0, unpaired = { rows: 0, added: 0 } }: Pick<StoredReport, 'rows' | 'reused' | 'unpaired'>,
): number {
  // No reused row, though a pilot has delivered some: the run was planned before releases marked those, and may count them as unpaired.
  const billedBefore = reused === 0 ? (reuse?.rows ?? 0) : reused;
  const billed = {
    rows: Math.max(0, deliveredCount(rows) - billedBefore - unpaired.rows),
    added: rows.expanded - unpaired.added,
  };
  return priceProcessed(billed, rowPriceOf(specification), processing);
}
