import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useApi } from '../api.tsx';
import { Section } from '../ui/parts.tsx';
import type { ResponseRequest } from './request.ts';
import { type SampleLanguage, sampleOf } from './samples.ts';

const LANGUAGES: readonly SampleLanguage[] = ['curl', 'Python', 'TypeScript'];

/** The request as code, without the key. */
export function RequestCode({ request }: { readonly request: ResponseRequest }) {
  const { url } = useApi();
  const id = useId();
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const [said, setSaid] = useState('');
  const tabs = useRef<HTMLDivElement>(null);
  const code = sampleOf(language, url, request);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = (LANGUAGES.indexOf(language) + step + LANGUAGES.length) % LANGUAGES.length;
    setLanguage(LANGUAGES[at] ?? 'curl');
    setSaid('');
    tabs.current?.querySelectorAll('button')[at]?.focus();
  };
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(code);
      setSaid('Copied.');
    } catch {
      setSaid('The browser does not let this page copy. Select the code and copy it.');
    }
  };
  return (
    <Section
      title="The request as code"
      note="It reads your API key from the environment variable ADAPTION_API_KEY. Python and TypeScript use OpenAI’s client."
      actions={
        <span className="line">
          <span className="hint" role="status">
            {said}
          </span>
          <button type="button" onClick={copy}>
            Copy
          </button>
        </span>
      }
    >
      <div className="tabs" role="tablist" aria-label="Language" ref={tabs} onKeyDown={move}>
        {LANGUAGES.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`${id}-${each}`}
            aria-selected={each === language}
            aria-controls={`${id}-code`}
            tabIndex={each === language ? 0 : -1}
            onClick={() => {
              setLanguage(each);
              setSaid('');
            }}
          >
            {each}
          </button>
        ))}
      </div>
      <div
        className="code-panel"
        role="tabpanel"
        id={`${id}-code`}
        aria-labelledby={`${id}-${language}`}
        // A panel that scrolls has to be reached by the keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
      >
        <pre className="code">{code}</pre>
      </div>
    </Section>
  );
}
