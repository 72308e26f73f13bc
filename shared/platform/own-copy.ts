/**
 * The text in memory of its own. A piece of 13 characters or more that was cut from a text (`slice`, `trim`, a match) is a view of it in
 * V8, which holds the whole text for as long as the piece is kept.
 */
export const ownCopy = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
