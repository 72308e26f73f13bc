import type { PairsOfKind } from './pair.ts';

/** Answers with a visible defect. A judge that does not see these cannot judge similar answers. */
export const DEFECT_PAIRS: PairsOfKind = [
  {
    flaw: 'cut off',
    request: 'How do I remove a coffee stain from a cotton shirt?',
    better:
      'Blot the stain with a clean cloth, then rinse it from the back with cold water. Rub in a little dish soap mixed with white vinegar, wait ten minutes and wash the shirt as usual.',
    worse: 'Blot the stain with a clean cloth, then rinse it from the',
    original: 'better',
  },
  {
    flaw: 'cut off',
    request: 'What are the three states of matter, and how do they differ?',
    better:
      'The three states are solid, liquid and gas. A solid keeps its shape and volume, a liquid keeps its volume but takes the shape of its container, and a gas fills whatever space it is given.',
    worse: 'The three states are solid, liquid and',
    original: 'worse',
  },
  {
    flaw: 'cut off',
    request: 'Write a Python function that returns the larger of two numbers.',
    better: 'def larger(a, b):\n    """Return the larger of a and b."""\n    return a if a > b else b',
    worse: 'def larger(a, b):\n    """Return the lar',
    original: 'better',
  },
  {
    flaw: 'cut off',
    request: 'Give me a simple recipe for pancakes.',
    better:
      'Whisk 200 g flour, two eggs, 300 ml milk and a pinch of salt until smooth. Rest the batter for 15 minutes. Fry a ladle of it in a buttered pan for about a minute on each side, until golden.',
    worse: 'Whisk 200 g flour, two',
    original: 'worse',
  },
  {
    flaw: 'cut off',
    request: 'Explain what inflation means to someone who is new to economics.',
    better:
      'Inflation is a general rise in prices over time. When it is 3 % a year, something that costs 100 euros now will cost about 103 next year, so the same money buys a little less.',
    worse: 'Inflation is a general rise in',
    original: 'better',
  },
  {
    flaw: 'off topic',
    request: 'Why do leaves turn red in autumn?',
    better:
      'In autumn trees stop making chlorophyll, so the green of the leaves fades. Red pigments called anthocyanins, which many trees produce as sugars are trapped in the leaf, then become visible.',
    worse:
      'A marathon is 42.195 kilometres long. The distance was fixed in 1921 after the London games of 1908 had used it for the first time.',
    original: 'worse',
  },
  {
    flaw: 'off topic',
    request: 'How can I fall asleep faster at night?',
    better:
      'Go to bed at the same time every day, keep the room dark and cool, and put screens away an hour before. No coffee after lunch, and slow breathing in bed, help you to fall asleep as well.',
    worse:
      'To change a flat tyre, loosen the nuts, lift the car with a jack, take the wheel off and mount the spare one. Tighten the nuts crosswise.',
    original: 'better',
  },
  {
    flaw: 'off topic',
    request: 'What does the HTTP status 404 mean?',
    better:
      'The HTTP status 404 means that the server was reached but has nothing at that address: the page never existed, was moved, or the address is misspelt.',
    worse: 'Bread rises because yeast turns sugar into carbon dioxide, which makes bubbles in the dough.',
    original: 'worse',
  },
  {
    flaw: 'off topic',
    request: 'Which documents do I need to open a bank account?',
    better:
      'The usual documents are a valid passport or identity card and a recent proof of address such as a utility bill. Many banks also ask for your tax number and, if you study or work, a proof of it.',
    worse: 'Cats sleep up to sixteen hours a day because hunting takes much energy in short bursts.',
    original: 'better',
  },
  {
    flaw: 'off topic',
    request: 'Suggest a polite way to decline a meeting invitation.',
    better:
      'You could write: "Thank you for the invitation. I cannot make it on Tuesday, but I would gladly read the notes or meet later in the week. Would Thursday suit you?"',
    worse:
      'The Danube is the second longest river in Europe and flows through ten countries to the Black Sea.',
    original: 'worse',
  },
  {
    flaw: 'another language',
    request: 'What is photosynthesis?',
    better:
      'Photosynthesis is how plants use light to turn water and carbon dioxide into sugar and oxygen. It happens in the chloroplasts of their leaves.',
    worse:
      'La fotosíntesis es el proceso por el cual las plantas usan la luz para convertir el agua y el dióxido de carbono en azúcar y oxígeno. Ocurre en los cloroplastos de las hojas.',
    original: 'better',
  },
  {
    flaw: 'another language',
    request: 'How often should I water a cactus?',
    better:
      'Water it every two to three weeks in spring and summer, once the soil is dry, and about once a month in winter. Too much water makes the roots rot.',
    worse:
      'Gießen Sie ihn im Frühling und Sommer alle zwei bis drei Wochen, sobald die Erde trocken ist, und im Winter etwa einmal im Monat. Zu viel Wasser lässt die Wurzeln faulen.',
    original: 'worse',
  },
  {
    flaw: 'another language',
    request: 'Tell me one benefit of regular exercise.',
    better:
      'Regular exercise strengthens the heart: it pumps more blood with each beat, which lowers blood pressure and the risk of heart disease.',
    worse:
      "L'exercice régulier renforce le cœur : il pompe plus de sang à chaque battement, ce qui abaisse la tension et le risque de maladie cardiaque.",
    original: 'better',
  },
  {
    flaw: 'another language',
    request: 'What should I pack for a weekend in the mountains?',
    better:
      'Pack sturdy shoes, a rain jacket, a warm layer, water, snacks, sunscreen and a small first-aid kit. Take a map and a headlamp in case you come back late.',
    worse:
      'Zabierz solidne buty, kurtkę przeciwdeszczową, ciepłą warstwę, wodę, przekąski, krem z filtrem i małą apteczkę. Weź mapę i latarkę czołową na wypadek późnego powrotu.',
    original: 'worse',
  },
  {
    flaw: 'in circles',
    request: 'What is the capital of Japan?',
    better: 'The capital of Japan is Tokyo.',
    worse:
      'That is a very good question. Capitals are important and people ask about capitals. Capitals are important and people ask about capitals. Capitals are important and people ask about capitals. There are many opinions about capitals. Anyway, capitals are important and people ask about capitals.',
    original: 'better',
  },
  {
    flaw: 'in circles',
    request: 'How do I reverse a list in Python?',
    better: 'Call my_list.reverse() to reverse it in place, or use my_list[::-1] to get a reversed copy.',
    worse:
      'Python is a language. Python has lists. Lists are lists of things. Python is a language. Python has lists. Lists are lists of things. Python is a language. Python has lists. Reversing is possible. Python is a language. Python has lists. Lists are lists of things.',
    original: 'worse',
  },
  {
    flaw: 'in circles',
    request: 'Who painted the Mona Lisa?',
    better: 'Leonardo da Vinci painted the Mona Lisa, in the early sixteenth century.',
    worse:
      'Painting is an art. Many painters painted many paintings. Painting is an art. Many painters painted many paintings. Painting is an art. Many painters painted many paintings. Some paintings are famous. Painting is an art. Many painters painted many paintings.',
    original: 'better',
  },
  {
    flaw: 'in circles',
    request: 'How long should I boil an egg so that it is hard?',
    better: 'Boil it for nine to ten minutes, then put it into cold water so that it stops cooking.',
    worse:
      'Eggs are eggs. You boil an egg by boiling it. It depends on the egg. You boil an egg by boiling it. It depends on the egg. You boil an egg by boiling it. It depends on the egg. You boil an egg by boiling it. It depends on the egg.',
    original: 'worse',
  },
  {
    flaw: 'in circles',
    request: 'What is the difference between weather and climate?',
    better:
      'Weather is what the air does now and over the next days: rain, wind, heat. Climate is the average of the weather at a place over decades.',
    worse:
      'Weather is weather and climate is climate. They are different things and one should know the difference. Weather is weather and climate is climate. They are different things and one should know the difference. Weather is weather and climate is climate.',
    original: 'better',
  },
];
