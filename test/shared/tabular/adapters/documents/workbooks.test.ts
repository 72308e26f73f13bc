import { describe, expect, test } from 'vitest';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';
import { type ZipMember, zip } from '#test/helpers/zip.ts';

/** Workbooks as programs and people leave them: what is not in the rows is told. */
interface Sheet {
  readonly name: string;
  readonly state?: 'hidden' | 'veryHidden';
  /** Rows of cells, each a text, or XML of a cell. */
  readonly rows: readonly (readonly string[])[];
}

const RELS =
  '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>';
const letter = (column: number): string => String.fromCharCode(65 + column);
const cellXml = (text: string, row: number, column: number): string =>
  text.startsWith('<c')
    ? text.replace('<c', `<c r="${letter(column)}${row}"`)
    : text === ''
      ? ''
      : `<c r="${letter(column)}${row}" t="inlineStr"><is><t>${text}</t></is></c>`;

function workbook(sheets: readonly Sheet[], styles = ''): Buffer {
  const members: ZipMember[] = [
    { name: '_rels/.rels', body: RELS },
    {
      name: 'xl/workbook.xml',
      body: `<workbook xmlns:r="r"><sheets>${sheets
        .map(
          ({ name, state }, n) =>
            `<sheet name="${name}" ${state === undefined ? '' : `state="${state}"`} sheetId="${n}" r:id="s${n}"/>`,
        )
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      body: `<Relationships>${sheets
        .map((_, n) => `<Relationship Id="s${n}" Type="x/worksheet" Target="worksheets/sheet${n}.xml"/>`)
        .join('')}</Relationships>`,
    },
    ...sheets.map(({ rows }, n) => ({
      name: `xl/worksheets/sheet${n}.xml`,
      body: `<worksheet><sheetData>${rows
        .map(
          (cells, row) =>
            `<row r="${row + 1}">${cells.map((text, column) => cellXml(text, row + 1, column)).join('')}</row>`,
        )
        .join('')}</sheetData></worksheet>`,
    })),
    ...(styles === '' ? [] : [{ name: 'xl/styles.xml', body: styles }]),
  ];
  return zip(members);
}

async function readBook(...[sheets, styles]: Parameters<typeof workbook>) {
  const bodies: Buffer[] = [];
  const manifest = await ingestFile({
    format: 'xlsx',
    name: 'book.xlsx',
    source: (async function* () {
      yield workbook(sheets, styles);
    })(),
    maxBytes: 1024 ** 2,
    mayBeTable: true,
    chunkKey: (n) => `${n}`,
    writeChunk: async (n, body) => {
      bodies[n] = body;
    },
  });
  const rows = Buffer.concat(bodies)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  return { rows, warnings: manifest.warnings };
}

const HEAD = ['prompt', 'completion'];
const FORMULA = '<c><f>A2</f><v></v></c>';

describe('a workbook', () => {
  test('a workbook with formulas without saved results names their cells', async () => {
    const { rows, warnings } = await readBook([
      { name: 'Data', rows: [HEAD, ['q1', 'a1'], ['q2', FORMULA], [FORMULA, FORMULA]] },
    ]);

    expect(rows).toEqual([
      { prompt: 'q1', completion: 'a1' },
      { prompt: 'q2', completion: null },
    ]);
    expect(warnings).toEqual([
      {
        code: 'formulas_without_results',
        message: expect.stringMatching(
          /^3 cells hold a formula without a saved result, and are empty: "Data" B3, "Data" A4, "Data" B4\. /,
        ),
      },
    ]);
  });

  test('a workbook with saved results says nothing, also where a result is an empty text', async () => {
    const { rows, warnings } = await readBook([
      {
        name: 'Data',
        rows: [HEAD, ['q', '<c t="str"><f>A1</f><v>x</v></c>'], ['r', '<c t="str"><f>A2</f><v></v></c>']],
      },
    ]);

    expect(rows).toEqual([
      { prompt: 'q', completion: 'x' },
      { prompt: 'r', completion: null },
    ]);
    expect(warnings).toEqual([]);
  });

  test.each(['hidden', 'veryHidden'] as const)(
    'a workbook has its sheets that are %s left out, and told',
    async (state) => {
      const { rows, warnings } = await readBook([
        { name: 'Data', rows: [HEAD, ['q', 'a']] },
        { name: 'old', state, rows: [HEAD, ['secret', 'secret']] },
      ]);

      expect(rows).toEqual([{ prompt: 'q', completion: 'a' }]);
      expect(warnings).toEqual([
        {
          code: 'sheets_hidden',
          message: expect.stringMatching(/^1 hidden sheets were left out: "old"\. Unhide/),
        },
      ]);
    },
  );

  test('a workbook whose rows are all in hidden sheets is refused with their names', async () => {
    await expect(
      readBook([{ name: 'old', state: 'hidden', rows: [HEAD, ['q', 'a']] }]),
    ).rejects.toMatchObject({ code: 'file_empty', message: expect.stringContaining('"old"') });
  });

  test('a workbook whose sheets have the same names in another order is one table', async () => {
    const { rows } = await readBook([
      { name: 'A', rows: [HEAD, ['q1', 'a1']] },
      { name: 'B', rows: [[...HEAD].reverse(), ['a2', 'q2']] },
    ]);

    expect(rows).toEqual([
      { prompt: 'q1', completion: 'a1' },
      { prompt: 'q2', completion: 'a2' },
    ]);
  });

  test.each<[string, string, readonly Sheet[]]>([
    [
      'a sheet of notes',
      'the sheet "Notes" has one cell in its first row',
      [{ name: 'Notes', rows: [['Read me']] }],
    ],
    [
      'another first row',
      'the sheet "B" has other names in its first row',
      [
        {
          name: 'B',
          rows: [
            ['question', 'answer'],
            ['q', 'a'],
          ],
        },
      ],
    ],
    [
      'a note beside the table',
      'the sheet "B" has a cell in column D, which has no name',
      [{ name: 'B', rows: [HEAD, ['q', 'a', '', 'see below']] }],
    ],
    [
      'a date as a name',
      'the sheet "B" has a number, a date or a long text in its first row, and no name: "2024-01"',
      [
        {
          name: 'B',
          rows: [
            ['prompt', '2024-01'],
            ['q', 'a'],
          ],
        },
      ],
    ],
  ])('a workbook with %s becomes passages, and says why', async (_, why, others) => {
    const { rows, warnings } = await readBook([{ name: 'Data', rows: [HEAD, ['q', 'a']] }, ...others]);

    expect(rows[0]).toMatchObject({ sheet: 'Data', format: 'xlsx' });
    expect(warnings).toEqual([
      { code: 'workbook_as_passages', message: expect.stringContaining(`as rows of a table: ${why}`) },
    ]);
  });

  test('a workbook with names alone becomes a passage, and says why', async () => {
    const { warnings } = await readBook([{ name: 'Data', rows: [HEAD] }]);

    expect(warnings).toMatchObject([{ message: expect.stringContaining('no row follows the first one') }]);
  });

  test('a workbook shows numbers with the zeros in front that their format writes', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="200" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs></styleSheet>';
    const code = (value: string) => `<c s="1"><v>${value}</v></c>`;
    const { rows } = await readBook(
      [
        {
          name: 'Data',
          rows: [
            ['city', 'code'],
            ['a', code('1234')],
            ['b', code('-7')],
            ['c', code('1.5')],
          ],
        },
      ],
      styles,
    );

    expect(rows.map((row) => row.code)).toEqual(['01234', '-00007', '1.5']);
  });
});
