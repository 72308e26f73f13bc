import { posix } from 'node:path';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { DocumentLimits } from '../../decide/documents/limits.ts';
import type { Cell } from '../../decide/documents/passages.ts';
import {
  columnLetters,
  columnOf,
  type NumberKind,
  numberKind,
  sheetNumber,
} from '../../decide/documents/sheet-value.ts';
import { fileUnreadable, quoteName } from '../../decide/file-error.ts';
import type { ReadWarning } from '../../decide/row-reader.ts';
import type { Archive } from './archive.ts';
import { readXml } from './markup.ts';
import { mainPart, readRelationships } from './office-package.ts';

interface Workbook {
  readonly strings: readonly string[];
  /** The number format of each cell style. */
  readonly kinds: readonly NumberKind[];
  readonly has1904: boolean;
}

/** Takes the rows of a workbook, sheet by sheet. */
export interface SheetSink {
  beginSheet(name: string): void;
  row(cells: readonly Cell[]): void;
  endSheet(): void;
}

/** Names of sheets or cells in a warning. */
const NAMED_MAX = 10;

/**
 * The tables of a workbook, sheet by sheet: formatted values, and the saved results of formulas. Hidden sheets are left out.
 * @returns warnings of what was left out, and of formulas that have no result
 */
export async function readXlsx(
  archive: Archive,
  sink: SheetSink,
  { cellsMax }: Pick<DocumentLimits, 'cellsMax'>,
): Promise<ReadWarning[]> {
  const main = await mainPart(archive, 'xl', 'Excel workbook');
  const related = await readRelationships(archive, main);
  const parts = new Map(related.map((relationship) => [relationship.id, relationship]));
  const sheets: { name: string; path: string }[] = [];
  const hidden: string[] = [];
  let has1904 = false;
  await readXml(archive.stream(main), {
    open(name, attributes) {
      if (name === 'workbookPr') has1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const part = parts.get(attributes[':id'] ?? '');
      if (part === undefined)
        throw fileUnreadable('A sheet is missing. Save the workbook again and upload it.');
      if (part.type !== 'worksheet') return;
      const { name: sheet = '', state = 'visible' } = attributes;
      if (state === 'visible') sheets.push({ name: sheet, path: part.target });
      else hidden.push(sheet);
    },
  });
  const part = (type: string, usual: string): string | null => {
    const path =
      related.find((relationship) => relationship.type === type)?.target ??
      posix.join(posix.dirname(main), usual);
    return archive.has(path) ? path : null;
  };
  const workbook: Workbook = {
    strings: await readStrings(archive, part('sharedStrings', 'sharedStrings.xml')),
    kinds: await readKinds(archive, part('styles', 'styles.xml')),
    has1904,
  };
  let cells = 0;
  const countCell = (): void => {
    cells += 1;
    if (cells > cellsMax) {
      throw new ServiceError(
        'file_too_large',
        `It has more than ${cellsMax} cells, empty ones included. Delete cells that you do not need, or save its sheets as CSV.`,
      );
    }
  };
  const open = new OpenFormulas();
  for (const { name, path } of sheets) {
    sink.beginSheet(name);
    await readSheet(archive, path, workbook, sink, countCell, (cell) => open.add(name, cell));
    sink.endSheet();
  }
  return [...hiddenSheets(hidden), ...open.warnings];
}

function hiddenSheets(names: readonly string[]): ReadWarning[] {
  if (names.length === 0) return [];
  const more = names.length > NAMED_MAX ? ', and others' : '';
  const message = `${names.length} hidden sheets were left out: ${names.slice(0, NAMED_MAX).map(quoteName).join(', ')}${more}. Unhide those that hold rows, and upload the workbook again.`;
  return [{ code: 'sheets_hidden', message }];
}

/** Cells with a formula whose result is not in the file: programs that write workbooks without computing them save none. */
class OpenFormulas {
  readonly #named: string[] = [];
  #count = 0;

  add(sheet: string, cell: string): void {
    this.#count += 1;
    if (this.#named.length < NAMED_MAX) this.#named.push(`${quoteName(sheet)} ${cell}`);
  }

  get warnings(): ReadWarning[] {
    if (this.#count === 0) return [];
    const more = this.#count > this.#named.length ? ', and others' : '';
    const message = `${this.#count} cells hold a formula without a saved result, and are empty: ${this.#named.join(', ')}${more}. Rows of nothing else were left out. Open the workbook in a spreadsheet program, save it, and upload it again.`;
    return [{ code: 'formulas_without_results', message }];
  }
}

/** Characters that XML cannot hold are written as `_x000D_`, and an underscore before such a code as `_x005F_` (ECMA-376, 22.9.2.19). */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (code, hex: string) => {
        const unit = Number.parseInt(hex, 16);
        return unit === 0 || unit >= 0xd800 ? code : String.fromCharCode(unit);
      })
    : text;

async function readStrings(archive: Archive, path: string | null): Promise<string[]> {
  const strings: string[] = [];
  if (path === null) return strings;
  let text = '';
  let isText = false;
  let phonetic = 0;
  await readXml(archive.stream(path), {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 't') isText = true;
      else if (name === 'rPh') phonetic += 1;
    },
    text(piece) {
      if (isText && phonetic === 0) text += piece;
    },
    close(name) {
      if (name === 'si') strings.push(unescaped(text));
      else if (name === 't') isText = false;
      else if (name === 'rPh') phonetic -= 1;
    },
  });
  return strings;
}

async function readKinds(archive: Archive, path: string | null): Promise<NumberKind[]> {
  const kinds: NumberKind[] = [];
  if (path === null) return kinds;
  const codes = new Map<number, string>();
  let isCellStyle = false;
  await readXml(archive.stream(path), {
    open(name, { numFmtId, formatCode }) {
      if (name === 'cellXfs') isCellStyle = true;
      else if (name === 'numFmt' && formatCode !== undefined) codes.set(Number(numFmtId), formatCode);
      else if (name === 'xf' && isCellStyle) {
        const id = Number(numFmtId ?? 0);
        kinds.push(numberKind(id, codes.get(id)));
      }
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  return kinds;
}

async function readSheet(
  archive: Archive,
  path: string,
  { strings, kinds, has1904 }: Workbook,
  sink: Pick<SheetSink, 'row'>,
  countCell: () => void,
  onOpenFormula: (cell: string) => void,
): Promise<void> {
  let cells: Cell[] = [];
  let row = 0;
  let column = -1;
  let hasFormula = false;
  let type = 'n';
  let style = 0;
  let value = '';
  let isValue = false;
  const shown = (): string => {
    if (type === 's') return strings[Number(value)] ?? '';
    if (type === 'b') return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : value;
    if (type !== 'n' || value === '')
      return type === 'inlineStr' || type === 'str' ? unescaped(value) : value;
    return sheetNumber(value, kinds[style] ?? 'plain', has1904);
  };
  await readXml(archive.stream(path), {
    open(name, { r, t, s }) {
      if (name === 'row') {
        cells = [];
        row = Number(r ?? row + 1);
        column = -1;
      } else if (name === 'c') {
        countCell();
        column = columnOf(r) ?? column + 1;
        type = t ?? 'n';
        style = Number(s ?? 0);
        value = '';
        hasFormula = false;
      } else if (name === 'f') hasFormula = true;
      else if (name === 'v' || name === 't') isValue = true;
    },
    text(piece) {
      if (isValue) value += piece;
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'c') {
        const text = shown();
        if (text !== '') cells.push({ column, text });
        // A result that is an empty text is saved as one.
        else if (hasFormula && type !== 'str') onOpenFormula(`${columnLetters(column)}${row}`);
      } else if (name === 'row') sink.row(cells);
    },
  });
}
