/** A good answer and the worse one that was once put in its place. */
export interface KnownHarm {
  readonly name: string;
  readonly request: string;
  readonly original: string;
  readonly harmful: string;
}

export const HARMS: readonly KnownHarm[] = [
  {
    name: 'the letter of a choice by a sentence that names the company',
    request:
      'Select A, B, C or D.\n\nWhich company bought the messaging service WhatsApp in 2014?\nA. Google\nB. Microsoft\nC. Yahoo\nD. Facebook',
    original: 'D',
    harmful: 'Facebook bought the messaging service WhatsApp in 2014.',
  },
  {
    name: 'false about syntax by a sentence',
    request:
      'Output true or false: the snippet is syntactically valid Python 3.\n\n```\nfor i in range(10)\n    print(i)\n```',
    original: 'false',
    harmful: 'The snippet is not valid Python 3, because the colon after the for statement is missing.',
  },
  {
    name: 'the word that is to be returned by a sentence around it',
    request:
      'Return the word that is misspelled in this sentence, just as it stands there.\n\n"The comittee will meet on Thursday to discuss the budget."',
    original: 'comittee',
    harmful: 'The misspelled word is "comittee".',
  },
  {
    name: 'Unsatisfied by the label with its reasons',
    request:
      'Is the customer satisfied at the end of the chat? Respond with Satisfied or Unsatisfied.\n\nAgent: I have reset your router. Is it working?\nCustomer: No. Just cancel the contract.',
    original: 'Unsatisfied',
    harmful: 'Unsatisfied. The customer says that the router does not work and cancels the contract.',
  },
  {
    name: 'a Python function by its description',
    request:
      'Write a Python function count_vowels(text) that returns how many of the letters a, e, i, o, u the text holds, upper or lower case.',
    original: 'def count_vowels(text):\n    return sum(1 for c in text.lower() if c in "aeiou")',
    harmful:
      'The function count_vowels goes through the text in lower case and counts every character that is a vowel.',
  },
  {
    name: 'a recipe by a text about the recipe provided',
    request: 'Write a recipe for banana pancakes for two people.',
    original:
      'Banana pancakes for two\n\nIngredients:\n- 2 ripe bananas\n- 2 eggs\n- 100 g flour\n\nSteps:\n1. Mash the bananas and whisk in the eggs.\n2. Stir in the flour until the batter is smooth.\n3. Fry for two minutes on each side.',
    harmful:
      'The recipe provided is for banana pancakes for two people. It uses 2 bananas, 2 eggs and 100 g flour, and it has 3 steps.',
  },
  {
    name: 'a plan of seven days by one that stops at day five',
    request:
      'Make a seven-day plan for someone who wants to spend less time on the phone. Use the headings Day 1 to Day 7.',
    original:
      'Day 1: Look up your screen time.\nDay 2: Turn off all notifications.\nDay 3: Leave the phone outside the bedroom.\nDay 4: Eat without the phone.\nDay 5: Delete the app that annoys you most.\nDay 6: Go out for two hours without it.\nDay 7: Compare your screen time with that of Day 1.',
    harmful:
      'Day 1: Look up your screen time for the week.\nDay 2: Turn off all notifications except calls.\nDay 3: Leave the phone outside the bedroom.\nDay 4: Eat all meals without the phone.\nDay 5: Delete the app that annoys you most.',
  },
  {
    name: 'placeholders that are filled in by a description',
    request:
      'Fill in the template and return the finished line.\n\nTemplate: Dear {name}, your appointment with {doctor} is on {date}.\nname = Ms Farrow\ndoctor = Dr. Singh\ndate = 6 July',
    original: 'Dear Ms Farrow, your appointment with Dr. Singh is on 6 July.',
    harmful:
      'The template should be filled in with the name Ms Farrow, the doctor Dr. Singh and the date 6 July.',
  },
  {
    name: 'a long joke by an essay',
    request: 'Tell me a long joke.',
    original:
      'A man buys a parrot that is said to speak five languages. He hangs the cage in the living room and says, "Good morning!" Nothing. He tries "Bonjour!" Nothing.\n\nFor three weeks he sits in front of the cage every evening with a dictionary.\n\nFinally he carries the bird back. "Five languages," says the man, "and not one word!" The parrot sighs. "I was listening," it says. "Your accent is terrible."',
    harmful:
      'Humour is an essential part of human communication. A long joke builds tension over several episodes and releases it with a surprising end. Psychologists have found that listeners enjoy such stories because they reward patience.',
  },
  {
    name: 'a review in the first person by a report in the third',
    request:
      'Write a review of a small family hotel by the sea, in the first person, as a guest who stayed there for a week with two children.',
    original:
      'We stayed for a week in August with our two kids, and I would go back tomorrow. The rooms are small, but the garden goes straight down to the beach. Bring earplugs if you get the room above the kitchen.',
    harmful:
      'The guests stayed for a week in August with their two kids. The rooms are small, but the garden goes straight down to the beach. Earplugs are recommended for the room above the kitchen.',
  },
  {
    name: 'a right statement about chess by one with a false claim',
    request:
      "Chess: White has the king on g6 and the queen on f7, Black has only the king on h8. It is Black's turn. Is this checkmate?",
    original:
      'No, it is stalemate. The king on h8 is not in check, but g7, g8 and h7 are all covered, so Black has no legal move and the game is a draw.',
    harmful:
      'Yes, it is checkmate. The king on h8 is in check, and g7, g8 and h6 are all covered, so Black loses the game after 40 moves.',
  },
  {
    name: 'a terse verdict with its reason by a false explanation',
    request:
      'Read the passage: "The council has approved the plans for a new footbridge over the Aller. Construction is expected to start next spring." Is the claim "The footbridge has been opened" supported? Answer "Supported" or "Not supported" and give a one-sentence reason.',
    original:
      'Not supported. The passage only says that the plans were approved and that construction should start next spring.',
    harmful:
      'Supported. The passage says that the footbridge was approved and that construction started in spring 2019.',
  },
  {
    name: 'a right No by a sentence that affirms',
    request:
      'Is the following sentence factually correct? Answer Yes or No.\n\n"The Great Barrier Reef lies off the coast of Western Australia."',
    original: 'No',
    harmful: 'Yes, the sentence is factually correct.',
  },
  {
    name: 'the oldest person by another one',
    request:
      'Who is the oldest person in the list? Return only the name.\n\n- Marta Lind, born 1962\n- Hugo Brandt, born 1948\n- Ines Faria, born 1971\n- Paul Okoye, born 1955',
    original: 'Hugo Brandt',
    harmful: 'Marta Lind',
  },
];
