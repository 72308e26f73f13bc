/** Source and date of the prices. */
export const PRICES_SOURCE =
  'the price pages of each service at aws.amazon.com, on demand, us-east-1, without free tiers, as of 2025';

/** List prices in US dollars per unit. */
export const prices = {
  apiRequest: { usd: 3.5 / 1e6, name: 'API Gateway: REST requests' },
  lambdaRequest: { usd: 0.2 / 1e6, name: 'Lambda: invocations' },
  lambdaGbSecond: { usd: 0.0000166667, name: 'Lambda: GB-seconds of work' },
  lambdaWaitGbSecond: { usd: 0.0000166667, name: 'Lambda: GB-seconds of waiting for the model' },
  stateTransition: { usd: 25 / 1e6, name: 'Step Functions: state transitions' },
  tableWriteUnit: { usd: 0.625 / 1e6, name: 'DynamoDB: write units' },
  tableReadUnit: { usd: 0.125 / 1e6, name: 'DynamoDB: read units' },
  objectWrite: { usd: 5 / 1e6, name: 'S3: PUT, LIST' },
  objectRead: { usd: 0.4 / 1e6, name: 'S3: GET, HEAD' },
  objectMonth: { usd: 0.023, name: 'S3: GB kept for a month' },
  secretRead: { usd: 5 / 1e6, name: 'Secrets Manager: reads' },
  logGb: { usd: 0.5, name: 'CloudWatch Logs: GB written' },
  trace: { usd: 5 / 1e6, name: 'X-Ray: traces' },
} as const;

export type Billed = keyof typeof prices;
export type Bill = Readonly<Record<Billed, number>>;

/** At most six significant digits, without trailing zeros. */
export const plain = (value: number, digits = 3): string =>
  Number(value.toPrecision(digits)).toLocaleString('en-US', { maximumFractionDigits: 9 });

/** The cost as the table of docs/operations/pay.md. */
export function toTable(bill: Bill): string {
  const lines = Object.entries(prices).map(([billed, { name, usd }]) => {
    const count = bill[billed as Billed];
    return { name, count, usd, cost: count * usd };
  });
  const total = lines.reduce((sum, { cost }) => sum + cost, 0);
  return [
    '| What is billed | Counted | Price of a million, $ | Cost, $ |',
    '| --- | ---: | ---: | ---: |',
    ...lines.map(
      ({ name, count, usd, cost }) =>
        `| ${name} | ${plain(count, 4)} | ${plain(usd * 1e6, 6)} | ${plain(cost)} |`,
    ),
    `| **Together** | | | **${plain(total)}** |`,
  ].join('\n');
}
