import type { PairsOfKind } from './pair.ts';

/** Texts with the same content, in the requested person or genre and in another one. */
export const VOICE_PAIRS: PairsOfKind = [
  {
    flaw: 'person changed',
    request: 'Continue the diary: "This morning I found the old key at last."',
    better:
      'I turned it in my hand for a while. Then I went up to the attic, where I knew the chest was waiting for me.',
    worse: 'She turned it in her hand. Then she went up to the attic, where she knew the chest was waiting.',
    original: 'better',
  },
  {
    flaw: 'person changed',
    request: 'Write two sentences about Tom and his first day at work, in the third person.',
    better:
      'Tom came to his new desk an hour too early because he could not sleep. By noon he had learnt all names and spilt one coffee.',
    worse:
      'I came an hour too early because I could not sleep. By noon I had learnt all names and spilt one coffee.',
    original: 'worse',
  },
  {
    flaw: 'verse changed to prose',
    request: 'Write a four-line poem about the first snow.',
    better:
      'The roofs are white, the street is still,\nno wheel has marked it yet.\nA crow looks down from on the hill\nat what it will forget.',
    worse:
      'The first snow has fallen over night, and now the roofs are white and the street is quiet. No car has driven through it yet, and a crow looks down on everything from the hill as if it would forget it soon.',
    original: 'better',
  },
  {
    flaw: 'prose changed to verse',
    request: 'Describe in plain prose, in two sentences, how a kettle works.',
    better:
      'A wire at the bottom gets hot when current flows through it and heats the water. Once it boils, steam bends a strip of metal that switches the kettle off.',
    worse:
      'The current flows, the wire grows hot,\nthe water starts to sing.\nThe steam then bends a strip of steel\nand off it goes: a ping.',
    original: 'worse',
  },
  {
    flaw: 'dialogue changed to prose',
    request: 'Write a short dialogue between a baker and a customer who wants rye bread.',
    better:
      'Customer: Good morning, have you any rye bread left?\nBaker: One loaf, still warm.\nCustomer: Then it is mine.',
    worse:
      'A customer comes into the shop and asks whether there is any rye bread left. The baker says that one warm loaf is left, and the customer is happy and takes it at once.',
    original: 'better',
  },
  {
    flaw: 'prose changed to dialogue',
    request:
      'Summarize the conversation in one sentence.\n\nAda: Shall we meet at six?\nBen: Seven is better for me.\nAda: Fine.',
    better: 'Ada and Ben agree to meet at seven, because that suits Ben better than six.',
    worse:
      'Ada: Shall we meet at six today?\nBen: Seven would be better for me.\nAda: That is fine, see you then.',
    original: 'worse',
  },
  {
    flaw: 'person changed',
    request: 'Rewrite in the first person plural: "The team tested the pump and found a leak."',
    better: 'We tested the pump and found a leak.',
    worse: 'The team carefully tested the whole pump and discovered a leak.',
    original: 'better',
  },
  {
    flaw: 'person changed',
    request: 'Correct the spelling only: "I beleive my freind is comming to see me."',
    better: 'I believe my friend is coming to see me.',
    worse: 'He believes that his friend is coming to see him.',
    original: 'worse',
  },
  {
    flaw: 'person changed',
    request: 'You are the old lighthouse. Tell a child in two sentences what you do at night.',
    better:
      'When it gets dark I open my eye and turn it round and round. So the ships can see me, and none of them runs onto my rocks.',
    worse:
      'When it gets dark the lighthouse turns its lamp round and round. So the ships can see where the coast lies, and none of them runs onto the dangerous rocks.',
    original: 'better',
  },
  {
    flaw: 'person added',
    request: 'Write one neutral sentence for an encyclopedia about the function of the heart.',
    better:
      'The heart is a hollow muscle that pumps blood through the vessels of the body and so supplies the organs with oxygen.',
    worse:
      'I think that my heart is the most wonderful muscle of all, since it pumps blood through me day and night.',
    original: 'worse',
  },
  {
    flaw: 'person changed',
    request: 'Write the opening of an apology from me to my neighbour for the loud party.',
    better:
      'I am sorry for the noise last night. I should have told you of the party, and I should have ended it sooner.',
    worse: 'The host regrets the noise. The neighbours should have been told of the party.',
    original: 'better',
  },
  {
    flaw: 'person added',
    request: 'Give the rule for crossing the street at a traffic light, as an impersonal instruction.',
    better:
      'Wait until the light is green, look left and right, let turning cars pass, and then cross at a walk.',
    worse: 'I wait until my light is green, look around, and then we cross.',
    original: 'worse',
  },
  {
    flaw: 'verse changed to prose',
    request: 'Write a haiku about rain on a tent.',
    better: 'Fingers on the cloth,\nall night long the same question.\nI sleep in its sound.',
    worse:
      'The rain falls on the tent all night long, as if fingers were tapping on the cloth and asking the same question again and again.',
    original: 'better',
  },
  {
    flaw: 'dialogue changed to prose',
    request:
      'Turn this into direct speech with names: Lea asked Jan for the salt, and Jan told her that there was none.',
    better: 'Lea: Could you pass the salt?\nJan: There is none left.',
    worse:
      'Lea kindly asked Jan whether he could give her the salt, but Jan replied to her that unfortunately none was left.',
    original: 'better',
  },
  {
    flaw: 'person changed',
    request:
      'Write a product note in the voice of our company, with "we": glass jars instead of plastic from May on.',
    better:
      'From May on we fill our jams into glass jars. We save plastic that way, and we take the empty jars back.',
    worse:
      'From May on the jams come in glass jars. That saves a lot of plastic, and the empty jars can be brought back to any shop.',
    original: 'worse',
  },
  {
    flaw: 'person changed',
    request: 'Continue the story: "Mira closed the door behind her and listened."',
    better:
      'She heard nothing but the clock. Then, somewhere above her, a board creaked, and the steps that she had feared came down the stairs.',
    worse: 'I heard nothing but my clock. Then, above me, an old board creaked.',
    original: 'better',
  },
];
