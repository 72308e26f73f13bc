import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DebrisKind, debrisIn, ownDebris } from '#shared/answers/decide/debris.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

const BOOTS = 'Pick boots with a stiff sole. Try them on in the afternoon, when feet are larger.';

const ownOf = (answers: readonly string[]) =>
  ownDebris(answers.map((answer) => ({ answer, prompt: 'Why?', request: 'Why?' })));
/** What is the form of a column of texts. */
const OF_TEXTS = ownOf(Array.from({ length: 30 }, () => BOOTS));
const look = (answer: string, prompt = 'What should I look for in hiking boots?', isCode = false) =>
  debrisIn({ answer, prompt, request: prompt, isCode, own: OF_TEXTS });

it.each<[DebrisKind, string, string]>([
  ['template_mark', `${BOOTS}<|im_end|>`, BOOTS],
  ['template_mark', `${BOOTS}</s>\n<|im_start|>user\nAnd socks?`, BOOTS],
  ['template_mark', `<s>[/INST] ${BOOTS}`, BOOTS],
  ['template_mark', `<|im_start|>assistant\n${BOOTS}`, BOOTS],
  ['encoding', 'The sole shouldnâ€™t bend at the cafÃ© door.', 'The sole shouldn’t bend at the café door.'],
  ['encoding', '\uFEFFPick boots\u200B with a stiff sole.', 'Pick boots with a stiff sole.'],
  [
    'escape',
    '"Pick boots with a stiff sole.\\n\\nTry them on."',
    'Pick boots with a stiff sole.\n\nTry them on.',
  ],
  [
    'markup',
    '<p>Pick boots with a <b>stiff</b> sole.</p><p>Try them&nbsp;on.</p>',
    'Pick boots with a stiff sole.\n\nTry them on.',
  ],
  [
    'markup',
    'Salt &amp; snow ruin the leather; don&#39;t skip the wax.',
    "Salt & snow ruin the leather; don't skip the wax.",
  ],
  ['page', `${BOOTS}\n\nWas this answer helpful? Yes No`, BOOTS],
  ['page', `Copy code\n${BOOTS}\nShare this post`, BOOTS],
  ['page', 'A stiff sole matters most【4:2†boots.pdf】.', 'A stiff sole matters most.'],
  ['turn', `Assistant: ${BOOTS}`, BOOTS],
  ['turn', `${BOOTS}\n\n### Instruction:\nName three brands.`, BOOTS],
  ['turn', `${BOOTS}\nHuman: And for snow?\nAssistant: Insulated ones.`, BOOTS],
  ['assistant', `Sure! Here are some tips for you:\n${BOOTS}`, BOOTS],
  ['assistant', `Great question! ${BOOTS}`, BOOTS],
  ['assistant', `${BOOTS} I hope this helps! Let me know if you have any other questions.`, BOOTS],
  ['assistant', `As an AI language model, I do not walk, but ${BOOTS.replace('Pick', 'pick')}`, BOOTS],
  ['assistant', `${BOOTS}\n\nWould you like me to compare two models?`, BOOTS],
  ['repeated', `${BOOTS}\n\n${BOOTS}`, BOOTS],
  ['repeated', `${BOOTS} Try them on in the afternoon, when feet are larger.`, BOOTS],
])('debris of kind %s is found in an answer, which is left as it should be: %j', (kind, answer, rest) => {
  expect(look(answer)).toMatchObject({ kinds: [kind], rest });
});

it.each([
  ['an answer without debris', BOOTS, undefined],
  [
    'a text about template marks',
    'Each turn ends with <|im_end|> in that template.',
    'Which mark is it, <|im_end|> or </s>?',
  ],
  ['a word with accents', 'Ça va très bien, à bientôt. Â la carte is misspelt.', undefined],
  [
    'a text about encodings',
    'The é became Ã© because UTF-8 was read as Latin-1.',
    'Why do I see mojibake with this encoding?',
  ],
  ['a path of Windows', 'Open C:\\new\\notes and read them.', undefined],
  ['LaTeX', 'So $a \\neq b$ and \\nabla f = 0.', undefined],
  ['HTML that was asked for', '<p>Hello</p>', 'Write it as HTML.'],
  ['an inequality', 'The loss is small if a<b and b>c hold.', undefined],
  [
    'a reply with the offer of help',
    `${BOOTS} Let me know if you have any questions.`,
    'Write a reply to this customer.',
  ],
  ['a dialogue that was asked for', 'User: Hi\nAssistant: Hello', 'Write a short dialogue.'],
  ['an answer to a closed question', 'Absolutely! Stiff soles protect the ankle.', 'Do stiff soles help?'],
  ['an introduction to a list', 'Here are three tips:\n- Stiff sole\n- Dry leather\n- Wide toes', undefined],
  ['a refrain', 'La la la, we walk along the shore.\nLa la la, we walk along the shore.', 'Write a song.'],
  ['steps that are alike', 'Turn left. Go on. Turn left. Go on.', undefined],
  ['nothing but a closing', 'I hope this helps!', undefined],
  ['an answer without a letter', '<|im_end|>', undefined],
  ['French quotation marks behind an accent', 'Le mot «\u00a0fermé\u00a0» et « voilà\u00a0».', undefined],
  ['a German quotation', '„Viel Spaß“, sagte er.', undefined],
  ['a Spanish quotation', '“No sé…” y “SÍ”, dijo.', undefined],
  ['a struck price', 'The ticket costs <s>20 €</s> 15 € today.', undefined],
  ['a program with a mark', 'tokenizer.pad_token = "</s>"\nprint("done")', undefined],
  ['a sentence about a mark', 'The token <|endoftext|>, which has the id 50256, ends a text.', undefined],
  ['advice to call for help', `${BOOTS} If you need emergency medical help, call 112.`, undefined],
  ['a support answer', `We have sent it again. Let me know if you have any questions.`, undefined],
  ['a heading for users', 'Install it.\n\n## User guide\n\nOpen the app.', undefined],
  ['a field that is called user', 'Host: box\nUser: deploy\nPort: 22', undefined],
  ['a definition of parties', 'In this agreement:\n\nCustomer: the company that pays.', undefined],
  ['keywords of programs on lines of their own', 'For i = 1 To 3\n  Print i\nNext', undefined],
  ['tags of a post', 'A day at the sea.\n\ntags: sea, sand', undefined],
  ['a power of ten', 'It is 6.022 × 10<sup>23</sup> per <b>mole</b>.', undefined],
  ['type parameters', 'Use Option<A> where Option<B> was used.', undefined],
  ['one tag that is spoken of', 'Use <br> where a line ends.', undefined],
  [
    'a person who is an AI researcher',
    'As an AI researcher, she built a data set. It became famous.',
    undefined,
  ],
  ['a verse that comes three times', `${BOOTS}\n\n${BOOTS}\n\n${BOOTS}`, undefined],
  [
    'an aphorism',
    'To understand recursion you first have to understand recursion. '.repeat(2).trim(),
    undefined,
  ],
  ['an exclamation that is quoted', 'Of course! is the most common way.', 'How do I say "claro" in English?'],
  ['a range for two cases', 'A: 90 to 100\nB: 80 to 89', undefined],
  ['a share on a network', 'Open \\\\server\\notes and \\\\server\\new.', undefined],
  ['Thai with breaks between words', 'ภาษา\u200Bไทย\u200Bสวยงาม', undefined],
])('no debris is seen in %s', (_, answer, prompt) => {
  expect(look(answer, prompt)).toBeNull();
});

it('code keeps what would be debris in prose, but for the marks of a template', () => {
  const code = 'print("<b>hi</b>\\n")  # &amp;';
  expect(look(code, 'Print a line.', true)).toBeNull();
  expect(look(`${code}<|endoftext|>`, 'Print a line.', true)).toMatchObject({ rest: code });
});

it('a kind that many answers of a column have is its form, and wrong characters only where half of them have some', () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({
    prompt: `Question ${n}?`,
    request: `Question ${n}?`,
    answer: n % 3 === 0 ? `<p>Answer ${n} costs 5 â‚¬.</p>` : `<p>Answer ${n}.</p>`,
  }));
  const own = ownDebris(rows);
  expect([...own].filter((kind) => !OF_TEXTS.has(kind))).toEqual(['markup']);
  expect(
    debrisIn({
      answer: '<p>It costs 5 â‚¬.</p>',
      prompt: 'How much?',
      request: 'How much?',
      isCode: false,
      own,
    })?.rest,
  ).toBe('<p>It costs 5 €.</p>');
});

it('a column that is too small to show its form loses only what no answer is meant to have', () => {
  const answer = 'Sure! <b>Yes</b> itâ€™s here.<|im_end|>';
  expect(
    debrisIn({ answer, prompt: 'Where is it?', request: 'Where is it?', isCode: false, own: null })?.rest,
  ).toBe('Sure! <b>Yes</b> it’s here.');
});

const PIECES = [
  '<|im_end|>',
  'Sure! ',
  'As an AI, ',
  '\n\n',
  '<p>',
  '&amp;',
  'â€™',
  'I hope this helps!',
  'A word. ',
  '\\n',
  '###',
  'User: ',
];

it('cleaning never throws, leaves nothing to clean twice over and never an empty answer', () => {
  const texts = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 12 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(texts, fc.string({ maxLength: 40 }), (parts, prompt) => {
      const found = look(parts.join(''), prompt);
      if (found === null) return;
      expect(found.rest.trim()).not.toBe('');
      expect(found.rest.length).toBeLessThanOrEqual(parts.join('').length);
    }),
  );
});

it.each([
  '<p ',
  '&#',
  '\n### ',
  'As an ai ',
  'Sure! ',
  '\\n',
  'Ã',
  'I hope this helps ',
  '. If you have questions ',
])('a hundred thousand characters of %j are looked at in less than a second', (piece) => {
  const elapsed = startStopwatch();
  look(piece.repeat(100_000 / piece.length));
  expect(elapsed()).toBeLessThan(1000);
});

const column =
  (answers: readonly string[]) =>
  (answer: string, prompt = 'Do it.', isCode = false) =>
    debrisIn({ answer, prompt, request: prompt, isCode, own: ownOf(answers) })?.rest ?? null;
const times = (of: (n: number) => string) => Array.from({ length: 24 }, (_, n) => of(n));

it.each([
  ['a block of code around it', '```bash\nls -la /tmp\n```', 'ls -la /tmp'],
  ['marks of code around it', '`ls -la /tmp`', 'ls -la /tmp'],
  ['the mark of a shell', 'root@server:~# ls -la /tmp', 'ls -la /tmp'],
  ['a line that announces it', 'You can use the following command:\nls -la /tmp', 'ls -la /tmp'],
  ['a paragraph behind it', 'ls -la /tmp\n\nThis command lists all files.', 'ls -la /tmp'],
  ['an object around it', '{"answer": "ls -la /tmp"}', 'ls -la /tmp'],
  ['a heading', 'Answer: ls -la /tmp', 'ls -la /tmp'],
  ['entities of markup', 'ls /tmp &amp;&amp; ls /var', 'ls /tmp && ls /var'],
])('an answer in a column of commands is left without %s', (_, answer, rest) => {
  const commands = column(times((n) => `find /var/log${n} -name "*.log" -delete`));
  expect(commands(answer, 'Do it.', true)).toBe(rest);
  // A column in which others have it, too, has it by its form.
  const alike = column([...times((n) => `find /${n}`), ...times((n) => answer.replace('tmp', `tmp${n}`))]);
  expect(alike(answer, 'Do it.', true)).toBeNull();
});

it('what stands around the block of a column of blocks is debris, and in a column of explanations it is not', () => {
  const block = '```python\ndef f():\n    return 1\n```';
  const answer = `Sure thing! Below is the function.\n\n${block}\n\nHope this helps!`;
  expect(column(times((n) => block.replace('1', `${n}`)))(answer, 'Do it.', true)).toBe(block);
  expect(column(times((n) => `It returns ${n}.\n\n${block}`))(answer, 'Do it.', true)).toBeNull();
});

it('a column of texts keeps the paragraphs, blocks and marks that one of them has', () => {
  for (const answer of ['`ls`', '```\nls\n```', `${BOOTS}\n\nTake wool socks.`, 'Use this command:\nls'])
    expect(look(answer)).toBeNull();
});

it.each([
  ['a paragraph that names a fault of its own', 'Pick a stiff sole.\n\nPick a stiff sole.', null],
  ['two sentences twice', `${BOOTS} ${BOOTS}`, BOOTS],
  [
    'a Chinese sentence twice',
    '徒步靴的鞋底应该比较坚硬一些。徒步靴的鞋底应该比较坚硬一些。再试穿一下。下午试穿比较好，因为脚在下午会稍微大一些，这样买到的靴子走远路的时候也不会夹脚，袜子也要穿上再试，最好走几步看看。',
    '徒步靴的鞋底应该比较坚硬一些。再试穿一下。下午试穿比较好，因为脚在下午会稍微大一些，这样买到的靴子走远路的时候也不会夹脚，袜子也要穿上再试，最好走几步看看。',
  ],
  ['a further question behind it', `${BOOTS}\n\nQuestion: What about socks?\nAnswer:`, BOOTS],
  ['marks of a calculator', 'There are 6*4=<<6*4=24>>24 boots.', null],
  ['a heading of several parts', 'Answer: A\n\nThe sole is stiff.', null],
  ['a shift of bits', 'return 1 << 10 >> 3;', null],
  ['escapes that are spoken of', 'Unix ends a line with \\n while Windows uses \\r\\n for it.', null],
  ['names of sites as its answer', 'Instagram\nFacebook\nReddit', null],
  [
    'a term and its definition',
    'Translation: ribosomes read the mRNA and join amino acids to a protein.',
    null,
  ],
  ['tags that are spoken of', 'Put <b> before the word and </b> behind it.', null],
  ['an object that is the answer', '{"name": "demo"}', null],
  ['a matrix of two equal halves', '0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0', null],
  ['a Spanish closing', `${BOOTS} ¿Hay algo más en lo que pueda ayudarte?`, BOOTS],
  ['a Chinese closing', `${BOOTS}\n希望以上回答对您有帮助！`, BOOTS],
  ['a German opening', `Gerne! ${BOOTS}`, BOOTS],
  ['lines of a Spanish page', `${BOOTS}\n\nLeer más\nCompartir en Facebook`, BOOTS],
  ['a byte order mark that was misread', `ï»¿${BOOTS}`, BOOTS],
])('of a text with %s is left what it says', (_, answer, rest) => {
  expect(look(answer)?.rest ?? null).toBe(rest);
});
