import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { awsEnvironmentOf } from '#local/aws-environment.ts';
import { startBrowser } from '#local/browser.ts';
import { findFreePort } from '#local/ports.ts';
import { startFrontProcess } from '#local/start-front.ts';
import type { TestCloud } from '#test/helpers/cloud-setup.ts';

export interface OpenedPage {
  readonly page: Page;
  /** Errors of scripts and refusals of the page's policy, which no page may have. */
  readonly faults: string[];
}

export interface Console extends AsyncDisposable {
  /** Base URL of the API behind the front, with its stage. */
  readonly url: string;
  /** Opens a tab of its own, signed in with a key by the link that `npm run local` prints, or not signed in. */
  open(key: string | null, options?: BrowserContextOptions): Promise<OpenedPage>;
}

const INVALID_LANGUAGE =
  "Object.defineProperty(navigator, 'language', { get: () => 'en-US@posix', configurable: true })";

/** A real browser on the deployed console: the page from the front's origin, files at the bucket's. */
export async function startConsole(cloud: TestCloud): Promise<Console> {
  const port = await findFreePort();
  const { url, service } = await startFrontProcess({
    port,
    stage: 'local',
    apiUrl: cloud.apiUrl,
    awsEnvironment: awsEnvironmentOf(cloud.endpoint),
    logFile: join(cloud.stateDirectory, 'logs', `front-${port}.log`),
  });
  let browser: Browser;
  try {
    browser = await startBrowser();
  } catch (error) {
    await service.stop();
    throw error;
  }
  return {
    url,
    async open(key, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      // What Chromium says on Linux without a locale: no page may pass it on to `Intl`.
      await context.addInitScript({ content: INVALID_LANGUAGE });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
      page.on('console', (message) => {
        if (/Content Security Policy|Trusted|blocked by CORS/i.test(message.text()))
          faults.push(message.text());
      });
      await page.goto(key === null ? `${url}/console` : `${url}/console#key=${encodeURIComponent(key)}`);
      // The page is loaded before its script, which takes the key: another address until then would lose it.
      await page.waitForURL(({ hash }) => !hash.startsWith('#key='));
      return { page, faults };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await service.stop();
    },
  };
}
