/** Whether a link leads to the web: other schemes run scripts or programs, and relative ones lead into the console. */
export function isWebAddress(href: string): boolean {
  return URL.canParse(href) && ['http:', 'https:'].includes(new URL(href).protocol);
}
