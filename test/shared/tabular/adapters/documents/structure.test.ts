import { describe, expect, test } from 'vitest';
import { withDocumentRows } from '#shared/tabular/adapters/documents/ingest-documents.ts';
import { type ZipMember, zip } from '#test/helpers/zip.ts';
import { read, said } from './read.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (...all: [id: string, type: string, target: string][]): string =>
  `<Relationships>${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

const STYLES =
  '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>' +
  '<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="berschrift1"/></w:style>' +
  '<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>' +
  '<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>';

function docx(body: string, more: readonly ZipMember[] = [], styles = STYLES): Buffer {
  return zip([
    { name: '_rels/.rels', body: relationships(['a', 'officeDocument', '/word/document.xml']) },
    { name: 'word/document.xml', body: `<w:document><w:body>${body}</w:body></w:document>` },
    { name: 'word/styles.xml', body: `<w:styles>${styles}</w:styles>` },
    ...more,
  ]);
}
const p = (text: string, style?: string): string =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

test('a Word document has its headings by what styles are, and by what they are based on, whatever they are called', async () => {
  const body =
    p('Contents … 1', 'TOC1') + p('Eins', 'berschrift1') + p('a') + p('Zwei', 'Own') + p('b', 'Loop');

  expect(said((await read('a.docx', docx(body))).rows)).toEqual(['Eins :: a', 'Zwei :: b']);
});

test('a Word document of many styles, each based on the one before it, is read in time that grows with them', async () => {
  const styles = Array.from(
    { length: 20_000 },
    (_, n) =>
      `<w:style w:type="paragraph" w:styleId="S${n}"><w:name w:val="${n === 0 ? 'heading 1' : n}"/><w:basedOn w:val="S${n - 1}"/></w:style>`,
  );
  const { rows } = await read('a.docx', docx(p('Eins', 'S9') + p('a', 'S19999'), [], styles.join('')));

  expect(said(rows)).toEqual(['Eins :: a']);
});

test('a Word document keeps breaks, tabs and hyphens of a run, and not the stops that tabs have', async () => {
  const run = '<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r>';

  const { rows } = await read(
    'a.docx',
    docx(`<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>${run}</w:p>`),
  );

  expect(said(rows)).toEqual(['a\tb\nc-d']);
});

test('a Word document says a text box once, and nothing that was deleted, moved or is an instruction', async () => {
  const box = `<mc:AlternateContent><mc:Choice><w:txbxContent>${p('In a box.')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${p('In a box.')}</w:txbxContent></mc:Fallback></mc:AlternateContent>`;
  const changes =
    '<w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom>' +
    '<w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>Kept.</w:t></w:r>';

  const { rows } = await read('a.docx', docx(`<w:p><w:r>${box}</w:r>${changes}</w:p>`));

  expect(said(rows)).toEqual(['In a box.\n\nKept.']);
});

test('a Word document has tables in cells as text of the cell, and cells over several columns in their places', async () => {
  const tc = (inner: string, span = 1): string =>
    `<w:tc><w:tcPr><w:gridSpan w:val="${span}"/></w:tcPr>${inner}</w:tc>`;
  const inner = `<w:tbl><w:tr>${tc(p('x'))}${tc(p('y'))}</w:tr></w:tbl>`;
  const table = `<w:tbl><w:tr>${tc(p('A'), 2)}${tc(p('B'))}</w:tr><w:tr>${tc(p('1'))}${tc(inner)}${tc(p('3'))}</w:tr></w:tbl>`;

  expect(said((await read('a.docx', docx(table))).rows)).toEqual([
    '| A |  | B |\n| --- | --- | --- |\n| 1 | x y | 3 |',
  ]);
});

describe('an HTML page', () => {
  const page = async (html: string | Buffer): Promise<string[]> => said((await read('a.html', html)).rows);

  test('an HTML page leaves out what nobody sees', async () => {
    const html =
      '<head><title>T</title><style>p{}</style></head><body><script>if (a<b) "x"</script><p hidden>no</p>' +
      '<template><p>no</p></template><noscript>no</noscript><p>Seen<!-- not this --> &amp; heard.</p>';

    expect(await page(html)).toEqual(['Seen & heard.']);
  });

  test('an HTML page reads its text in the encoding that it states', async () => {
    const html = Buffer.from('<meta charset="windows-1252"><p>caf\xe9 \x80 5', 'latin1');

    expect(await page(html)).toEqual(['café € 5']);
    expect(await page(Buffer.from('\ufeff<p>café', 'utf16le'))).toEqual(['café']);
  });

  test('an HTML page keeps lists in lists, breaks and code', async () => {
    const html = '<ul><li>a<ol><li>b</ol><li>c</ul><p>one<br>two<pre>\n  x = 1\n\n  y</pre>';

    expect(await page(html)).toEqual(['- a\n  - b\n- c\n\none\ntwo\n\n```\n  x = 1\n\n  y\n```']);
  });

  test('an HTML page keeps cells over several rows and columns in their places', async () => {
    const html =
      '<table><tr><th rowspan=2>A<th colspan=2>B<tr><td>c<td>d<tr><td>1<td>2<td><table><tr><td>x<td>y</table></table>';

    expect(await page(html)).toEqual(['| A | B |  |\n| --- | --- | --- |\n|  | c | d |\n| 1 | 2 | x y |']);
  });

  test('an HTML page reads a table that lays out the page as the page', async () => {
    const html =
      '<table role="presentation"><tr><td><h1>Fog</h1><p>Ring.</td><td><table><tr><td>a<td>b<tr><td>1<td>2</table></table>';

    expect(await page(html)).toEqual(['Fog :: Ring.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |']);
  });
});

test('a text is parted by empty lines, whatever ends its lines, and by headings of Markdown', async () => {
  const { rows } = await read('a.txt', '# Log\r\n\r\nCalm.\r\nStill.\r\n\r\n## Night\r\nFog.\rBell.');

  expect(said(rows)).toEqual(['Log :: Calm.\nStill.', 'Log > Night :: Fog.\nBell.']);
});

test('a text may be UTF-16', async () => {
  expect(said((await read('a.txt', Buffer.from('\ufeffé☃', 'utf16le'))).rows)).toEqual(['é☃']);
});

test('a text of one line of megabytes loses no word and cuts none', async () => {
  const { rows } = await read('a.txt', 'abcde '.repeat(500_000));

  const words = rows.flatMap(({ text }) => text.split(/\s+/));
  expect(words).toHaveLength(500_000);
  expect(new Set(words)).toEqual(new Set(['abcde']));
});

test('a presentation says its title first, pictures of the same shape once, and no slide numbers', async () => {
  const shape = (type: string, text: string): string =>
    `<p:sp><p:nvSpPr><p:nvPr>${type === '' ? '' : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const slide =
    shape('sldNum', '7') +
    shape('', 'A box.') +
    shape('title', 'Tides') +
    `<mc:AlternateContent><mc:Choice>${shape('', 'Once.')}</mc:Choice><mc:Fallback>${shape('', 'Once.')}</mc:Fallback></mc:AlternateContent>`;
  const deck = zip([
    { name: '_rels/.rels', body: relationships(['a', 'officeDocument', 'ppt/presentation.xml']) },
    {
      name: 'ppt/presentation.xml',
      body: '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="two"/><p:sldId id="257" r:id="one"/></p:sldIdLst></p:presentation>',
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      body: relationships(['one', 'slide', 'slides/slide1.xml'], ['two', 'slide', 'slides/slide2.xml']),
    },
    { name: 'ppt/slides/slide1.xml', body: `<p:sld>${shape('', 'Last.')}</p:sld>` },
    { name: 'ppt/slides/slide2.xml', body: `<p:sld>${slide}</p:sld>` },
  ]);

  expect(said((await read('a.pptx', deck)).rows)).toEqual(['1 :: Tides :: A box.\n\nOnce.', '2 :: Last.']);
});

test('a document is read from the source too, where nothing is built', async () => {
  const { rows } = await read('fog.html', '<h1>Fog</h1><p>Ring the bell.', {}, withDocumentRows);

  expect(said(rows)).toEqual(['Fog :: Ring the bell.']);
});
