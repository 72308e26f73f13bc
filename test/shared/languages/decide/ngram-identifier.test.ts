import { eld } from 'eld/small';
import { beforeAll, describe, expect, test } from 'vitest';
import { createNgramIdentifier } from '#shared/languages/decide/ngram-identifier.ts';

let identify: (text: string) => string | null;

beforeAll(async () => {
  const [{ packedNgrams }, { dictionary }, { avgScore }, { separators }] = await Promise.all([
    import('#shared/languages/decide/packed-ngrams.ts'),
    import('../../../../node_modules/eld/src/dictionary.js'),
    import('../../../../node_modules/eld/src/avgScore.js'),
    import('../../../../node_modules/eld/src/regexPatterns.js'),
  ]);
  identify = createNgramIdentifier({ ngrams: packedNgrams, dictionary, averages: avgScore, separators });
});

function identifyByEld(text: string): string | null {
  const result = eld.detect(text);
  return result.isReliable() && result.language !== '' ? result.language : null;
}

function expectAgreement(texts: readonly string[]): void {
  const wrong = texts.filter((text) => identify(text) !== identifyByEld(text));

  expect(wrong).toEqual([]);
}

const SENTENCES = [
  'How can I reset my password if I lost my phone?',
  '¿Cómo puedo restablecer mi contraseña si perdí el teléfono?',
  'Wie oft soll ich die Pflanze auf dem Balkon gießen, wenn sie gelbe Blätter hat?',
  "Qu'est-ce qu'il faut faire quand l’arbre n'a plus d'eau ?",
  'Kako mogu da resetujem lozinku ako sam izgubio telefon?',
  'Как часто нужно поливать растение, которое стоит на балконе?',
  'كيف يمكنني إعادة تعيين كلمة المرور إذا فقدت هاتفي؟',
  'パスワードをリセットするにはどうすればいいですか？',
  '如果我丢了手机，怎么重设密码？',
  '휴대전화를 잃어버리면 비밀번호를 어떻게 재설정하나요?',
  'मैं अपना पासवर्ड कैसे रीसेट कर सकता हूँ?',
  'Πώς μπορώ να επαναφέρω τον κωδικό μου;',
  'Làm thế nào để đặt lại mật khẩu nếu tôi mất điện thoại?',
];

/** Numbers in [0, 1) that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** First and last code points of letters, surrogates without a partner among them. */
const ALPHABETS = [
  [0x61, 0x7a],
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x590, 0x6ff],
  [0x900, 0xdff],
  [0xe00, 0xeff],
  [0x3040, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xd800, 0xdfff],
  [0x1_0000, 0x10_ffff],
] as const;

function randomText(random: () => number): string {
  const [first, last] = ALPHABETS[Math.floor(random() * ALPHABETS.length)] as readonly [number, number];
  // Some words are longer than those whose n-grams all count.
  const gap = random() < 0.2 ? 0.005 : 0.15;
  const length = random() * 600;
  let text = '';
  while (text.length < length) {
    const drawn = random();
    if (drawn < gap) text += ' ';
    else if (drawn < gap + 0.02) text += "'’`-.,0".charAt(Math.floor(random() * 7));
    else if (drawn < gap + 0.1) text += String.fromCharCode(97 + Math.floor(random() * 26));
    else text += String.fromCodePoint(first + Math.floor(random() * (last - first)));
  }
  return text;
}

describe('the identifier agrees with eld', () => {
  test('about every beginning of sentences in several languages', () => {
    expectAgreement(
      SENTENCES.flatMap((text) => Array.from({ length: text.length }, (_, n) => text.slice(0, n + 1))),
    );
    expect(new Set(SENTENCES.map(identify)).size).toBe(SENTENCES.length);
  });

  test('about texts in which the language changes', () => {
    const all = SENTENCES.join(' ');
    expectAgreement(Array.from({ length: all.length }, (_, n) => all.slice(n, n + 240)));
  });

  test('about random letters of all scripts, long words and broken characters', () => {
    const random = createRandom(7);
    expectAgreement(Array.from({ length: 5000 }, () => randomText(random)));
  });

  test('about random ASCII with apostrophes, control characters and gaps of any length', () => {
    const random = createRandom(11);
    const between = " '`.,-0_@[\t\n\0\u007f";
    const texts = Array.from({ length: 5000 }, (_, n) => {
      const share = [0.02, 0.15, 0.4][n % 3] as number;
      return Array.from({ length: random() * 600 }, () =>
        random() < share
          ? between.charAt(Math.floor(random() * between.length))
          : String.fromCharCode((random() < 0.2 ? 65 : 97) + Math.floor(random() * 26)),
      ).join('');
    });
    expectAgreement([...texts, ...texts.map((text) => `Water the plant once a week. ${text}`)]);
  });

  test('about words that are repeated, and texts that are longer than it reads', () => {
    const long = 'donaudampfschifffahrtsgesellschaftskapitänsmützenknopfmacherlehrlingsausbildung';
    expectAgreement([
      '',
      'a a a a a a',
      'water '.repeat(60),
      `${long} ${long} und ${long}s`,
      'é'.repeat(400),
      `${'ü'.repeat(100)} ${'я'.repeat(300)}`,
      ...SENTENCES.map((text) => `${text} `.repeat(12)),
    ]);
  });
});
