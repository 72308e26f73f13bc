import { expect, test } from 'vitest';
import { findLanguage } from '#shared/languages/decide/catalog.ts';
import { createLanguageCheck, type LanguageVerdict } from '#shared/languages/decide/check-language.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';

const detect = await loadLanguageDetector();
const SOURCE = 'How can I reset my password if I lost my phone?';

function check(code: string, text: string, source = SOURCE, mayStay = false): LanguageVerdict {
  const language = findLanguage(code);
  if (language === null) throw new Error(`${code} is no language.`);
  return createLanguageCheck(language, detect, mayStay)(text, source);
}

test.each([
  ['es', '¿Cómo puedo restablecer mi contraseña si perdí el teléfono?'],
  ['ja', 'パスワードをリセットするにはどうすればいいですか？'],
  ['sr-Latn', 'Kako mogu da resetujem lozinku ako sam izgubio telefon?'],
  ['id', 'Bagaimana cara mengatur ulang kata sandi saya?'],
  ['ar', 'كيف يمكنني إعادة تعيين كلمة المرور إذا فقدت هاتفي؟'],
])('%s is recognised', (code, text) => {
  expect(check(code, text)).toBe('right');
});

test.each([
  ['es', SOURCE],
  ['es', 'HOW can I reset my password, if I lost my phone!'],
  ['es', 'How may I choose another password after losing my phone?'],
  ['de', '¿Cómo puedo restablecer mi contraseña si perdí el teléfono?'],
  ['ru', 'Kak mne sbrosit parol, esli ya poteryal telefon?'],
  ['sr', 'Kako mogu da resetujem lozinku ako sam izgubio telefon?'],
])('%s is not %j', (code, text) => {
  expect(check(code, text)).toBe('wrong');
});

test('a language that the detector knows may be what the text was in before', () => {
  expect(check('en', SOURCE)).toBe('right');
});

test('a language that the detector knows is looked for in the words, not in the code among them', () => {
  const code = '```js\nconst total = rows.filter((row) => row.total > 0).map((row) => row.name);\n```';

  expect(check('es', `${SOURCE}\n${code}`)).toBe('wrong');
  expect(check('es', `Este código muestra cómo se suman las filas de la tabla.\n${code}`)).toBe('right');
});

test.each<[string, string, LanguageVerdict]>([
  ['zh-Hans', '如果我丢了手机怎么重置密码？', 'right'],
  ['zh-Hant', '如果我丟了手機怎麼重置密碼？', 'right'],
  ['zh-Hans', '如果我丟了手機怎麼重置密碼？', 'wrong'],
  ['zh-Hant', '如果我丢了手机怎么重置密码？', 'wrong'],
])(
  'the two scripts of Chinese are told apart by the characters that only one has: %s, %s: %s',
  (code, text, verdict) => {
    expect(check(code, text)).toBe(verdict);
  },
);

test('a language that the detector does not know is not that of a text that came back as it was, whatever language that is', () => {
  const source = 'Zorvanti melquor ashi tenbrolo quin dasvarro.';
  expect(detect(source)).toBeNull();

  expect(check('haw', `${source.toUpperCase()}!`, source)).toBe('wrong');
  expect(check('haw', 'Pehea lāua e hoʻonohonoho hou ai i kaʻu huaʻōlelo?', source)).not.toBe('wrong');
});

test.each([
  ['sw', 'Watu wote wamezaliwa huru, hadhi na haki zao ni sawa.'],
  ['rw', 'Abantu bose bavuka aliho bakwiye agaciro no kwubahwa kimwe.'],
  ['qu', 'Tukuy kay pachapi paqarimujkuna libres nasekuntu tukuypunitaj kikin obligacionesniyoj.'],
])(
  'a language that the detector does not know may be that of a text that needs no change for a country: %s',
  (code, text) => {
    expect(check(code, text, text, true)).toBe('unknown');
    expect(check(code, text, text)).toBe('wrong');
    // What is known to be another language, or written in another script, was not localized.
    expect(check(code, SOURCE, SOURCE, true)).toBe('wrong');
    expect(check('tt', text, text, true)).toBe('wrong');
    expect(check('es', text, text, true)).toBe('wrong');
  },
);

test('a language that the detector does not know is recognised by a script that no other is written in', () => {
  expect(check('km', 'តើខ្ញុំអាចកំណត់ពាក្យសម្ងាត់ឡើងវិញដោយរបៀបណា')).toBe('right');
  expect(check('km', 'How may I choose another password after losing my phone?')).toBe('wrong');
});

test('a language that the detector does not know is not known in a script that others share, but the source is', () => {
  expect(check('sw', 'Ninawezaje kuweka upya nenosiri langu ikiwa nimepoteza simu?')).toBe('unknown');
  expect(check('sw', 'How may I choose another password after losing my phone?')).toBe('wrong');
  expect(check('tt', 'Ninawezaje kuweka upya nenosiri langu ikiwa nimepoteza simu?')).toBe('wrong');
});

test('of names and numbers nothing can be said', () => {
  expect(check('es', 'Madrid', 'Madrid')).toBe('unknown');
  expect(check('ja', '42', '42')).toBe('unknown');
});

test('a text without letters is no translation of one with many', () => {
  expect(check('es', '…', SOURCE)).toBe('wrong');
});

test.each([
  'William Shakespeare',
  'Franklin D. Roosevelt.',
  'Massachusetts Institute of Technology',
  'Leonardo DiCaprio, Kate Winslet, Billy Zane and Gloria Stuart',
])('a name may stay as it is: %s', (name) => {
  for (const code of ['de', 'es', 'sw', 'ja']) expect(check(code, name, name)).toBe('unknown');
});

test.each([
  'What is the time?',
  'Permission denied',
  'How Are You Today?',
  'How To Cook Rice',
  'Wait, Do Not Open It',
  'The cat is sad, and so am I',
])('a short text that is no name may not stay as it is: %s', (text) => {
  for (const code of ['de', 'es', 'sw', 'ja']) expect(check(code, text, text)).toBe('wrong');
});

test.each([
  ['de', 'Was ist Machine Learning?', 'What is machine learning?'],
  ['fr', 'Qui joue James Bond ?', 'Who plays James Bond?'],
  ['ja', 'PostgreSQL拡張', 'PostgreSQL extensions'],
])('names and terms of the source do not tell the language of a short text: %s, %s', (code, text, source) => {
  expect(check(code, text, source)).not.toBe('wrong');
});

test.each([
  ['fr', 'The capital of France est Paris.', 'The capital of France is Paris.'],
  ['es', 'Turn on the luces.', 'Turn on the lights.'],
  ['ja', 'The capital of France is パリ.', 'The capital of France is Paris.'],
])(
  'a short text of which most words are those of the source is not translated: %s, %s',
  (code, text, source) => {
    expect(check(code, text, source)).toBe('wrong');
  },
);
