import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDeflate } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DOCUMENT_LIMITS } from '#shared/tabular/decide/documents/limits.ts';
import { type ZipMember, zip } from '#test/helpers/zip.ts';
import { read, said, sample } from './read.ts';

const RELS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  '<Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="TARGET"/>' +
  '</Relationships>';
const rels = (target: string): ZipMember => ({ name: '_rels/.rels', body: RELS.replace('TARGET', target) });
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const documentXml = (body: string): string =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
const docx = (body: string | Buffer, fields: Partial<ZipMember> = {}): Buffer =>
  zip([rels('word/document.xml'), { name: 'word/document.xml', body, ...fields }]);
const xlsx = (sheet: string, more: readonly ZipMember[] = []): Buffer =>
  zip([
    rels('xl/workbook.xml'),
    {
      name: 'xl/workbook.xml',
      body: '<workbook xmlns:r="r"><sheets><sheet name="One" sheetId="1" r:id="s"/></sheets></workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      body: '<Relationships><Relationship Id="s" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    },
    { name: 'xl/worksheets/sheet1.xml', body: `<worksheet><sheetData>${sheet}</sheetData></worksheet>` },
    ...more,
  ]);
const text = { name: 'notes/log.txt', body: 'Calm. Lenses cleaned.' };
/** Processor time, not elapsed time: other processes slow down elapsed time. */
const secondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;
const failed = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

/** A PDF of one page that draws what `content` says. */
function pdf(content: Buffer, fields = ''): Buffer {
  const head =
    '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n' +
    '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<<>>>>\nendobj\n' +
    `4 0 obj\n<</Length ${content.length}${fields}>>\nstream\n`;
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream\nendobj\n')]);
  const at = (n: number): string =>
    `${String(body.indexOf(`\n${n} 0 obj`) + 1).padStart(10, '0')} 00000 n \n`;
  const table = `xref\n0 5\n0000000000 65535 f \n${[1, 2, 3, 4].map(at).join('')}`;
  return Buffer.concat([
    body,
    Buffer.from(`${table}trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`),
  ]);
}

describe('a bomb is stopped by what comes out of it', () => {
  const zeros = Buffer.alloc(42_000_000);

  test.each([
    [
      '42 KB that inflate to 42 MB',
      'bomb.zip',
      zip([text, { name: 'zeros.txt', body: zeros }]),
      'file_unreadable',
      /^"zeros\.txt": .*to far more than real data does/,
    ],
    [
      'an archive in an archive',
      'nested.zip',
      zip([text, { name: 'deep/inner.zip', body: zip([text]) }]),
      'file_unreadable',
      /^"nested\.zip": "deep\/inner\.zip" is an archive inside the archive/,
    ],
    [
      'an Office document whose header lies',
      'lies.docx',
      docx(zeros, { claims: 100 }),
      'file_unreadable',
      /^"lies\.docx": .*states 100 bytes for "word\/document\.xml"/,
    ],
    [
      'an Office document that says what it is',
      'bomb.docx',
      docx(zeros),
      'file_unreadable',
      /^"bomb\.docx": "word\/document\.xml" inflates to far more than real data does/,
    ],
    [
      'members that share their bytes',
      'shared.zip',
      zip([text, { ...text, name: 'again.txt', sharesBefore: true }]),
      'file_unreadable',
      /^"shared\.zip": .*damaged/,
    ],
  ])('a bomb is stopped by what comes out of it: %s', async (_what, name, body, code, message) => {
    const began = process.cpuUsage();

    await expect(read(name, body)).rejects.toEqual(failed(code, message));
    expect(secondsOf(process.cpuUsage(began))).toBeLessThan(5);
  });

  test('a bomb is stopped by what comes out of it: members that are small each, but not together, those of documents in the archive included', async () => {
    const body = docx(documentXml(paragraph('word '.repeat(10_000))));
    const archive = zip(['a', 'b', 'c'].map((name) => ({ name: `${name}.docx`, body, method: 0 })));

    await expect(read('many.zip', archive, { inflatedBytesMax: 130_000 })).rejects.toEqual(
      failed('file_too_large', /^"c\.docx": It inflates to more than/),
    );
    expect((await read('many.zip', archive)).rows).not.toEqual([]);
  });

  test('a bomb is stopped by what comes out of it: more members than are read', async () => {
    const members = [0, 1, 2, 3].map((n) => ({ ...text, name: `${n}.txt` }));

    await expect(read('many.zip', zip(members), { entriesMax: 3 })).rejects.toEqual(
      failed('file_unreadable', /^"many\.zip": .*has 4 members; at most 3/),
    );
  });

  test('a bomb is stopped by what comes out of it: a PDF whose page inflates to 800 MB, by the memory that its reader takes', async () => {
    const block = Buffer.alloc(1_000_000, ' ');
    const blocks = Readable.from(Array.from({ length: 800 }, () => block));
    const content = await buffer(blocks.pipe(createDeflate({ level: 1 })));

    await expect(
      read('bomb.pdf', pdf(content, '/Filter/FlateDecode'), { residentMebibytes: 300 }),
    ).rejects.toEqual(
      failed('file_unreadable', /^"bomb\.pdf": Reading it needs more than 300 MiB of memory/),
    );
  }, 180_000);
});

test.each([
  ['a name that climbs out of it', { ...text, name: '../../etc/cron.txt' }, /"\.\.\/\.\.\/etc\/cron\.txt"/],
  ['a name that climbs out with backslashes', { ...text, name: '..\\..\\cron.txt' }, /leaves the archive/],
  ['a name that begins at the root', { ...text, name: '/etc/cron.txt' }, /"\/etc\/cron\.txt"/],
  ['a name that begins at a drive', { ...text, name: 'C:/cron.txt' }, /"C:\/cron\.txt"/],
  ['a link', { ...text, name: 'link.txt', body: '/etc/passwd', mode: 0o120777 }, /the link "link\.txt"/],
  ['an encrypted member', { ...text, flags: 1 }, /^"notes\/log\.txt": It is encrypted/],
  ['a member compressed in another way', { ...text, method: 12 }, /compression method is not supported/],
  ['a member whose sum is wrong', { ...text, sum: 1 }, /^"notes\/log\.txt": .*damaged/],
  ['one name twice', { ...text, name: 'first.txt' }, /"first\.txt" twice/],
])('an archive is refused that holds %s', async (_what, member, message) => {
  const archive = zip([{ name: 'first.txt', body: 'Fine.' }, member]);

  await expect(read('archive.zip', archive)).rejects.toEqual(failed('file_unreadable', message));
});

test('an archive is refused that holds nothing of the documents that are read', async () => {
  await expect(read('photos.zip', zip([{ name: 'a.jpg', body: 'x' }]))).rejects.toEqual(
    failed('file_empty', /^"photos\.zip": "a\.jpg" was left out/),
  );
});

test('an archive is refused that holds a document that cannot be read, whose name is said', async () => {
  const archive = zip([text, { name: 'in/secret.pdf', body: await sample('encrypted.pdf') }]);

  await expect(read('archive.zip', archive)).rejects.toEqual(
    failed('file_unreadable', /^"in\/secret\.pdf": The PDF is encrypted/),
  );
});

test('an archive of documents becomes their rows; what systems leave in it is passed over, other files are named', async () => {
  const archive = zip([
    { name: 'docs/', body: '', method: 0 },
    { name: 'docs/handbook.docx', body: await sample('handbook.docx'), method: 0 },
    { name: 'docs/page.HTM', body: '<h1>Fog</h1><p>Ring the bell.' },
    { name: '__MACOSX/docs/._page.HTM', body: 'x' },
    { name: 'docs/.DS_Store', body: 'x' },
    { name: 'docs/photo.jpg', body: 'x' },
    { name: 'docs/blank.txt', body: ' \n' },
  ]);

  const { rows, warnings } = await read('all.zip', archive);

  expect(new Set(rows.map(({ source_file, format }) => [source_file, format].join()))).toEqual(
    new Set(['docs/handbook.docx,docx', 'docs/page.HTM,html']),
  );
  expect(said(rows).at(-1)).toBe('Fog :: Ring the bell.');
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^"docs\/photo\.jpg" was left out/),
    '"docs/blank.txt": It holds no text.',
  ]);
});

describe('a file that is not what it is called', () => {
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(2000, 7)]);

  test.each([
    ['a picture called docx', 'photo.docx', jpeg, /^"photo\.docx": .*those of a JPEG image/],
    ['a picture called pdf', 'photo.pdf', jpeg, /those of a JPEG image/],
    ['a picture called txt', 'photo.txt', jpeg, /those of a JPEG image/],
    ['noise called txt', 'noise.txt', Buffer.from([0x61, 0xfe, 0xc3, 0x28]), /not valid UTF-8/],
    ['words called zip', 'words.zip', Buffer.from('Calm.'), /not those of one/],
    [
      'an encrypted or old document called docx',
      'old.docx',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      /encrypted, or was written by a version of Office before 2007/,
    ],
    ['an archive called docx', 'archive.docx', zip([text]), /not a Word document/],
  ])('%s is refused by name', async (_what, name, body, message) => {
    await expect(read(name, body)).rejects.toEqual(failed('file_unreadable', message));
  });

  test('a workbook called docx is refused by name', async () => {
    await expect(read('book.docx', await sample('tides.xlsx'))).rejects.toEqual(
      failed('file_unreadable', /^"book\.docx": .*not a Word document/),
    );
  });
});

describe('a damaged file', () => {
  test('a PDF with a password is refused by name', async () => {
    await expect(read('encrypted.pdf', await sample('encrypted.pdf'))).rejects.toEqual(
      failed('file_unreadable', /^"encrypted\.pdf": The PDF is encrypted with a password/),
    );
  });

  test.each(['handbook.docx', 'slides.pptx', 'stores.xlsx', 'page.pdf', 'report.pdf'])(
    '%s cut off at any point is refused by name',
    async (name) => {
      const whole = await sample(name);
      for (const share of [0.1, 0.5, 0.9]) {
        await expect(read(name, whole.subarray(0, Math.floor(whole.length * share)))).rejects.toEqual(
          failed('file_unreadable', new RegExp(`^"${name}": `)),
        );
      }
    },
  );

  test('a PDF that was cut off is refused also where what is left of it could be read', async () => {
    const whole = await sample('page-linear.pdf');
    expect((await read('page.pdf', whole)).rows).toHaveLength(2);

    await expect(read('page.pdf', whole.subarray(0, Math.floor(whole.length * 0.8)))).rejects.toEqual(
      failed('file_unreadable', /^"page\.pdf": The PDF is truncated/),
    );
  });

  test('a PDF whose middle is overwritten is refused by name', async () => {
    const bytes = await sample('page.pdf');
    bytes.fill(0x20, 200, bytes.length - 1000);

    await expect(read('hurt.pdf', bytes)).rejects.toEqual(failed('file_unreadable', /^"hurt\.pdf": /));
  });

  test('a document whose elements do not end is refused by name', async () => {
    await expect(read('open.docx', docx('<w:document><w:body><w:p>'))).rejects.toEqual(
      failed('file_unreadable', /^"open\.docx": It is damaged/),
    );
  });

  test.each(['txt', 'html', 'pdf', 'docx', 'zip'])('an empty %s is refused by name', async (format) => {
    await expect(read(`nothing.${format}`, '')).rejects.toEqual(
      failed('file_empty', new RegExp(`^"nothing\\.${format}": `)),
    );
  });

  test('a PDF of pictures asks for its text', async () => {
    await expect(read('scan.pdf', pdf(Buffer.from('0 0 100 100 re f')))).rejects.toEqual(
      failed('file_empty', /^"scan\.pdf": .*OCR/),
    );
  });
});

/** A text that takes longer to read than the reader waits until it looks at the time again. */
const LONG = 'The sea was calm. '.repeat(1_000_000);

test('what takes too much is refused by name: an HTML page that is larger than is read, which is 32 MiB', async () => {
  const page = Array.from({ length: 5 }, () => Buffer.from('<p>The sea was calm.</p>\n'.repeat(10_000)));

  expect(DOCUMENT_LIMITS.htmlBytesMax).toBe(32 * 1024 * 1024);
  await expect(read('large.html', page, { htmlBytesMax: 1024 * 1024 })).rejects.toEqual(
    failed('file_too_large', /^"large\.html": It is larger than 1 MiB/),
  );
});

test('what takes too much is refused by name: a PDF that is larger than is read, which is 128 MiB', async () => {
  const whole = await sample('page-linear.pdf');

  expect(DOCUMENT_LIMITS.pdfBytesMax).toBe(128 * 1024 * 1024);
  await expect(read('large.pdf', whole, { pdfBytesMax: whole.length - 1 })).rejects.toEqual(
    failed('file_too_large', /^"large\.pdf": It is larger than .*, the limit for a PDF/),
  );
  expect((await read('fits.pdf', whole, { pdfBytesMax: whole.length })).rows).not.toEqual([]);
});

test('what takes too much is refused by name: a workbook of three hundred thousand empty cells, in seconds', {
  timeout: 120_000,
}, async () => {
  const cells = (row: number): string =>
    Array.from({ length: 100 }, (_, n) => `<c r="${String.fromCharCode(65 + (n % 26))}${row}" s="1"/>`).join(
      '',
    );
  const sheet = (rows: number): string =>
    Array.from({ length: rows }, (_, n) => `<row r="${n + 1}">${cells(n + 1)}</row>`).join('');
  const began = process.cpuUsage();

  await expect(read('empty.xlsx', xlsx(sheet(3000)))).rejects.toEqual(
    failed('file_empty', /^"empty\.xlsx": It holds no text/),
  );
  expect(secondsOf(process.cpuUsage(began))).toBeLessThan(8);
  await expect(read('empty.xlsx', xlsx(sheet(100)), { cellsMax: 9_999 })).rejects.toEqual(
    failed('file_too_large', /more than 9999 cells/),
  );
});

test('what takes too much is refused by name: a page whose elements are nested without an end', async () => {
  await expect(read('deep.html', '<div>'.repeat(100_000))).rejects.toEqual(
    failed('file_unreadable', /^"deep\.html": Its elements are nested/),
  );
});

test.each([
  ['in pieces', '<b> </b>'.repeat(300_000)],
  ['in one', `<pre>${' '.repeat(3_000_000)}`],
  ['in lines', `<p>${' <br> '.repeat(300_000)}`],
])(
  'what takes too much is refused by name: a page of nothing but space %s, in seconds',
  async (_how, space) => {
    const began = process.cpuUsage();

    expect(said((await read('space.html', `<p>Calm.${space}<p>Sea.`)).rows).join(' ')).toMatch(
      /Calm\..*Sea\./s,
    );
    expect(secondsOf(process.cpuUsage(began))).toBeLessThan(5);
  },
);

test('what takes too much is refused by name: entities that would expand to the thousandfold are not expanded', async () => {
  const laughs = `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${documentXml(paragraph('Calm &b; sea'))}`;

  expect(said((await read('laughs.docx', docx(laughs))).rows)).toEqual(['Calm &b; sea']);
});

test('what takes too much is refused by name: more text than is read', async () => {
  await expect(read('long.txt', 'Calm. '.repeat(2000), { textBytesMax: 5000 })).rejects.toEqual(
    failed('file_too_large', /^"long\.txt": It holds more than 4\.9 KiB of text/),
  );
});

test('what takes too much is refused by name: a PDF of more pages than are read', async () => {
  await expect(read('report.pdf', await sample('report.pdf'), { pagesMax: 1 })).rejects.toEqual(
    failed('file_too_large', /^"report\.pdf": The PDF has 2 pages; at most 1/),
  );
});

test('what takes too much is refused by name: a document that is not read in time', async () => {
  await expect(read('slow.txt', LONG, { documentMilliseconds: 1 })).rejects.toEqual(
    failed('file_unreadable', /^"slow\.txt": Reading it took longer than 0\.001 s/),
  );
});

test('what takes too much is refused by name: an archive that is not read in time, with the document that it had come to', async () => {
  const slow = zip([{ ...text, body: LONG }]);

  await expect(read('slow.zip', slow, { uploadMilliseconds: 1 })).rejects.toEqual(
    failed(
      'file_unreadable',
      /^"slow\.zip": Reading it took longer than 0\.001 s; the last file was "(?:slow\.zip|log\.txt)"/,
    ),
  );
});

test('what takes too much is refused by name: a document whose reader needs more memory than it has', async () => {
  const strings = Array.from({ length: 300_000 }, (_, n) => `<si><t>String ${n} of a book</t></si>`).join('');
  const book = xlsx('<row><c t="s"><v>1</v></c></row>', [
    { name: 'xl/sharedStrings.xml', body: `<sst>${strings}</sst>` },
  ]);

  await expect(read('book.xlsx', book, { heapMebibytes: 24 })).rejects.toEqual(
    failed('file_unreadable', /^"book\.xlsx": Reading it needs more than 24 MiB of memory/),
  );
  expect((await read('book.xlsx', book)).rows).toHaveLength(1);
  expect((await read('log.txt', 'Calm.', { heapMebibytes: 24 })).rows).toHaveLength(1);
});
