/** A tab of a spreadsheet. Of the only one of a spreadsheet neither name nor `gid` is told. */
export interface SheetTab {
  readonly name: string;
  readonly gid: string | null;
}

const TAB = /items\.push\(\{name: "((?:[^"\\]|\\.)*)", pageUrl: "(?:[^"\\]|\\.)*", gid: "(\d+)"/g;
const ONLY_TAB = /id="sheets-viewport"/;

/** The text of a JavaScript string: JSON knows all of its escapes but these. */
function textOf(literal: string): string {
  const json = literal.replaceAll(/\\x([0-9a-f]{2})/gi, '\\u00$1').replaceAll("\\'", "'");
  try {
    return JSON.parse(`"${json}"`) as string;
  } catch {
    return literal;
  }
}

/**
 * The tabs of a spreadsheet in their order, from the page that shows it. The page of a spreadsheet with one tab has
 * no menu. Null where the page shows no spreadsheet.
 */
export function readTabs(page: string): SheetTab[] | null {
  const tabs = [...page.matchAll(TAB)].map(([, name = '', gid = '']) => ({ name: textOf(name), gid }));
  if (tabs.length > 0) return tabs;
  return ONLY_TAB.test(page) ? [{ name: 'the spreadsheet', gid: null }] : null;
}
