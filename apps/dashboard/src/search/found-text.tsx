import type { ReactNode } from "react";

interface Hit {
  readonly from: number;
  readonly to: number;
}

/** A text with its matches marked. Its direction is that of its words. */
export function FoundText({
  text,
  hits,
}: {
  readonly text: string;
  readonly hits: readonly Hit[];
}) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { from, to } of hits) {
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}

/** The places of the typed text in a name or number, ignoring case. */
export function hitsOf(text: string, typed: string): readonly Hit[] {
  const words = typed.trim().toLowerCase();
  const from = words === "" ? -1 : text.toLowerCase().indexOf(words);
  return from < 0 ? [] : [{ from, to: from + words.length }];
}
