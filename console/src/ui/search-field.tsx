import { type CSSProperties, useEffect, useRef, useState } from 'react';

/** One request for a word, not one for each key. */
const TYPING_PAUSE_MS = 300;

/** A field for a search, which is made once the typing pauses. */
export function SearchField(props: {
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength?: number;
  readonly style?: CSSProperties;
  /** The search that is made now. */
  readonly search: string;
  readonly onSearch: (search: string) => void;
}) {
  const { label, search, onSearch, ...input } = props;
  const [typed, setTyped] = useState(search);
  const [from, setFrom] = useState(search);
  // A link or the way back may have changed the search.
  if (from !== search) {
    setFrom(search);
    setTyped(search);
  }
  const latest = useRef(onSearch);
  latest.current = onSearch;
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === search) return;
    const timer = setTimeout(() => latest.current(wanted), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, search]);
  return (
    <input
      {...input}
      type="search"
      aria-label={label}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
