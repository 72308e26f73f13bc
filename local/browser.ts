import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** Switches of a browser for serverless functions that would hide faults of CORS and isolation. */
const HIDING = [
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
];

/**
 * Starts a real browser, which its package carries with the libraries that it needs. It enforces CORS and the pages'
 * policies as a person's browser does.
 */
export async function startBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    // Without a language the browser takes the machine's, which is none in a container: `en-US@posix`.
    args: [...chromium.args.filter((argument) => !HIDING.includes(argument)), '--lang=en-US'],
  });
}
