import { readCells } from '#shared/answers/decide/read-cells.ts';
import { own } from '#shared/platform/own.ts';
import type { ExpansionTarget } from '#shared/runs/schema/expansion.ts';
import { type ExpandRunRequest, ORIGIN_COLUMNS } from './expand-request.ts';

type Identified = Pick<Extract<ExpandRunRequest, { kind: 'languages' }>, 'texts' | 'mapping'>;

const [, { name: COUNTRY }] = ORIGIN_COLUMNS;

/** The columns that tell a row from another: the same request may be about different contexts. */
export const tellingColumns = ({ texts, mapping }: Identified): string[] => [
  ...new Set([...texts, ...(mapping.context ?? []).filter((name) => name !== COUNTRY)]),
];

/** What a row that a dataset has says, and for which country: a text that needs no change for a country is a row of that country. */
export const identityOf = (line: string, request: Identified): (string | null)[] => [
  ...readCells(line, [...tellingColumns(request), COUNTRY]).values(),
];

/** The same, of a row that is generated from one: it has the texts that were made, and the other cells of its source. */
export const madeIdentity = (
  source: string,
  cells: Readonly<Record<string, string | null>>,
  target: ExpansionTarget | null,
  request: Identified,
): (string | null)[] => [
  ...[...readCells(source, tellingColumns(request))].map(([name, text]) =>
    request.texts.includes(name) ? (own(cells, name) ?? null) : text,
  ),
  target?.country ?? null,
];
