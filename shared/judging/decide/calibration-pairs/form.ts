import type { PairsOfKind } from './pair.ts';

/** Right answers in the requested form and in another one. */
export const FORM_PAIRS: PairsOfKind = [
  {
    flaw: 'prose for a label',
    request:
      'Classify the ticket as bug, feature or question. Reply with the label only.\n\nThe export button does nothing when I press it.',
    better: 'bug',
    worse:
      'This ticket reports that something that should work does not, so I would say that it describes a bug in the export.',
    original: 'better',
  },
  {
    flaw: 'prose for a number',
    request: 'What is 144 divided by 12? Reply with the number alone, it is read by a program.',
    better: '12',
    worse: 'If you divide 144 by 12, the result that you will get is the number 12.',
    original: 'better',
  },
  {
    flaw: 'prose for JSON',
    request: 'Return the name and the age as JSON.\n\nAnna turned 34 last week.',
    better: '{"name": "Anna", "age": 34}',
    worse: 'The name of the person is Anna, and since she turned 34 last week her age is 34.',
    original: 'worse',
  },
  {
    flaw: 'JSON for prose',
    request:
      'Explain in one friendly sentence to a customer when the parcel comes: it leaves on Monday and takes two days.',
    better: 'Your parcel leaves our house on Monday, so you can look forward to it on Wednesday.',
    worse: '{"departure": "Monday", "duration_days": 2, "arrival": "Wednesday"}',
    original: 'better',
  },
  {
    flaw: 'prose for code',
    request: 'Give me only the code, no words: a Python expression for the sum of the squares of 1 to 10.',
    better: 'sum(n * n for n in range(1, 11))',
    worse:
      'You can go through the numbers from one to ten, square each one of them and add up all of the squares as you go.',
    original: 'worse',
  },
  {
    flaw: 'code for prose',
    request: 'I do not program. In plain words, what does it mean to sort a list?',
    better:
      'It means to put the things on it into an order, for example names by the alphabet or prices from low to high.',
    worse: 'def sort_list(items):\n    return sorted(items)',
    original: 'better',
  },
  {
    flaw: 'prose for a list',
    request: 'List three things to take to the beach, as bullet points.',
    better: '- a towel\n- sun cream\n- a bottle of water',
    worse:
      'You should take a towel to lie on, some sun cream so that you do not get burnt, and a bottle of water for the heat.',
    original: 'worse',
  },
  {
    flaw: 'list for prose',
    request: 'Write one flowing sentence, not a list: what did I do today? Baker, post office, swimming.',
    better: 'Today you went to the baker first, then to the post office, and in the end you went swimming.',
    worse: '- Went to the baker\n- Went to the post office\n- Went swimming',
    original: 'better',
  },
  {
    flaw: 'label for an explanation',
    request: 'Is it a good idea to store tomatoes in the fridge? Please explain why or why not.',
    better:
      'Better not: the cold stops them from ripening and takes their taste. Keep them in a bowl at room temperature.',
    worse: 'no',
    original: 'worse',
  },
  {
    flaw: 'label for an explanation',
    request: 'Why is the sentence "He go to school" wrong?',
    better: 'With "he" a verb in the present takes an s, so it has to be: He goes to school.',
    worse: 'grammar',
    original: 'worse',
  },
  {
    flaw: 'prose for a choice',
    request: 'Which is a fruit: A) carrot, B) apple, C) leek? Your whole reply has to be one letter.',
    better: 'B',
    worse:
      'Of the three options that are given, only the apple is a fruit, while carrots and leeks are vegetables.',
    original: 'better',
  },
  {
    flaw: 'prose for a table',
    request: 'Make a Markdown table with the columns city and country: Rome in Italy, Oslo in Norway.',
    better: '| city | country |\n| --- | --- |\n| Rome | Italy |\n| Oslo | Norway |',
    worse: 'The first city is Rome, which lies in Italy, and the second city is Oslo, which lies in Norway.',
    original: 'worse',
  },
  {
    flaw: 'prose around JSON',
    request:
      'Reply with a JSON array of the two animals, nothing else: The cat watched the heron for an hour.',
    better: '["cat", "heron"]',
    worse:
      'Of course! I have found two animals in your sentence for you, and they are the cat and the heron.',
    original: 'better',
  },
  {
    flaw: 'list for code',
    request: 'Write a shell command that counts the lines of notes.txt.',
    better: '```sh\nwc -l notes.txt\n```',
    worse:
      '1. Open a terminal.\n2. Go to the folder of the file.\n3. Count the lines of the file one by one.',
    original: 'better',
  },
  {
    flaw: 'number for steps',
    request: 'Solve 3x + 6 = 18 and show the steps.',
    better: 'Subtract 6 from both sides, which gives 3x = 12. Divide both sides by 3, which gives x = 4.',
    worse: '4',
    original: 'better',
  },
  {
    flaw: 'label for a reply',
    request: 'A guest writes: "The room was clean but loud at night." Write a short answer to the guest.',
    better:
      'Thank you for telling us. We are sorry about the noise and will offer you a quieter room next time.',
    worse: 'mixed review',
    original: 'worse',
  },
];
