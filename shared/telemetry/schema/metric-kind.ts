/** What the contract of a metric says, in `shared/platform/contracts/metrics.ts`. */
export interface MetricKind {
  readonly unit: 'Count' | 'Seconds' | 'Milliseconds' | 'Count/Second';
  readonly kind: 'sum' | 'values';
}
