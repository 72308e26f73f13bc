/** The language of a browser whose own is no valid tag. */
const LANGUAGE = 'en-US';

/**
 * Gives the browser a language that `Intl` takes, if its own is none: Chromium on Linux without a locale says
 * `en-US@posix`, and libraries that ask it, such as uPlot as it is loaded, would throw.
 */
export function ensureValidLanguage(browser: Pick<Navigator, 'language'>): void {
  try {
    Intl.getCanonicalLocales(browser.language);
  } catch {
    Object.defineProperty(browser, 'language', { value: LANGUAGE, configurable: true });
  }
}
