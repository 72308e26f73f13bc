/** What can be done with the row that is looked at. */
export type ReviewAction =
  | 'right'
  | 'wrong'
  | 'take'
  | 'edit'
  | 'skip'
  | 'undo'
  | 'previous'
  | 'next'
  | 'alike'
  | 'keys';

interface KeyOf {
  readonly action: ReviewAction;
  /** The key as it is shown. */
  readonly key: string;
  /** What the button says. */
  readonly label: string;
  /** What it does, for the list of keys. */
  readonly meaning: string;
}

/** The keys of the page, in the order of their buttons. */
export const KEYS: readonly KeyOf[] = [
  { action: 'right', key: 'R', label: 'Right', meaning: 'The answer is right as it is.' },
  { action: 'wrong', key: 'W', label: 'Wrong', meaning: 'The answer is wrong, and stays.' },
  { action: 'take', key: 'T', label: 'Take it', meaning: 'Takes the proposal as the answer.' },
  {
    action: 'edit',
    key: 'E',
    label: 'Edit',
    meaning: 'Writes the right answer. Ctrl or Cmd with Enter saves it, Escape leaves it.',
  },
  { action: 'skip', key: 'S', label: 'Skip', meaning: 'Leaves the row for the end.' },
  { action: 'undo', key: 'U', label: 'Undo', meaning: 'Takes back what was done last.' },
  {
    action: 'previous',
    key: 'P',
    label: 'Previous',
    meaning: 'Shows the row before; the left arrow does too.',
  },
  { action: 'next', key: 'N', label: 'Next', meaning: 'Shows the row after; the right arrow does too.' },
  { action: 'keys', key: '?', label: 'Keys', meaning: 'Shows this list.' },
];

/** The key that opens the rows alike, where there are some. */
export const ALIKE_KEY = 'A';

const ACTIONS: Readonly<Record<string, ReviewAction>> = {
  ...Object.fromEntries(KEYS.map(({ action, key }) => [key.toLowerCase(), action])),
  [ALIKE_KEY.toLowerCase()]: 'alike',
  arrowleft: 'previous',
  arrowright: 'next',
};

export interface PressedKey {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
}

/**
 * What a key does; null if nothing. A key that is held does it once, so that no row is judged unseen. Where the layout has
 * no Latin letters, the place of the key counts.
 */
export function actionOf({ key, code, ctrlKey, metaKey, altKey, repeat }: PressedKey): ReviewAction | null {
  if (ctrlKey || metaKey || altKey) return null;
  const isForeign = key.length === 1 && /[^\p{ASCII}]/u.test(key);
  const pressed = isForeign ? code.replace(/^Key/, '') : key;
  const action = Object.hasOwn(ACTIONS, pressed.toLowerCase()) ? ACTIONS[pressed.toLowerCase()] : undefined;
  if (action === undefined) return null;
  return repeat && action !== 'previous' && action !== 'next' ? null : action;
}
