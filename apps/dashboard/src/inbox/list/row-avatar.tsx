import { t } from "../../text/t.ts";
import { closesSoon, type DeskRow } from "../contract.ts";

const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Lucide's shapes, in a box of 24. */
const GLYPHS: Readonly<Record<DeskRow["channelType"], string>> = {
  WHATSAPP:
    "M13.8 16.6a1 1 0 0 0 1.2-.3l.4-.5A2 2 0 0 1 17 15h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2A18 18 0 0 1 2 4a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-.8 1.6l-.5.4a1 1 0 0 0-.3 1.2 14 14 0 0 0 6.4 6.4",
  MESSENGER: "M7.9 20A9 9 0 1 0 4 16.1L2 22Z",
  INSTAGRAM:
    "M7 2h10a5 5 0 0 1 5 5v10a5 5 0 0 1-5 5H7a5 5 0 0 1-5-5V7a5 5 0 0 1 5-5ZM16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM17.5 6.5h.01",
  TELEGRAM:
    "M14.5 21.7a.5.5 0 0 0 .9 0l6.5-19a.5.5 0 0 0-.6-.6l-19 6.5a.5.5 0 0 0 0 .9l7.9 3.2a2 2 0 0 1 1.1 1.1ZM21.9 2.1 10.9 13.1",
  TIKTOK: "M9 18V5l12-2v13M9 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM21 16a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z",
  WEB: "M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0ZM2 12h20M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20",
};

/** The customer's letters, and the channel's glyph in the ring that empties as the reply window runs out. */
export function RowAvatar({ row, now }: { row: DeskRow; now: number }) {
  return (
    <span className="row-avatar" data-hue={hueOf(row.contactId)}>
      <span aria-hidden>{row.named ? lettersOf(row.name) : "#"}</span>
      <Glyph row={row} now={now} />
    </span>
  );
}

function Glyph({ row, now }: { row: DeskRow; now: number }) {
  const until = row.windowExpiresAt;
  const left = until === null ? 0 : Math.max(0, Date.parse(until) - now);
  const state = left === 0 ? "closed" : closesSoon(until, now) ? "soon" : "open";
  const path = (
    <path d={GLYPHS[row.channelType]} transform="translate(5.2 5.2) scale(0.4)" strokeWidth="2.4" />
  );
  if (!row.hasWindow)
    return (
      <svg className="row-glyph" viewBox="0 0 20 20" aria-hidden>
        {path}
      </svg>
    );
  return (
    <svg className="row-glyph" data-state={state} viewBox="0 0 20 20" role="img">
      <title>{t(`kit.window.${state}`)}</title>
      <circle cx="10" cy="10" r="9" pathLength="100" className="ring-track" />
      {left > 0 && (
        <circle
          cx="10"
          cy="10"
          r="9"
          pathLength="100"
          className="ring-left"
          strokeDasharray={`${Math.min(100, (left / WINDOW_MS) * 100)} 100`}
          transform="rotate(-90 10 10)"
        />
      )}
      {path}
    </svg>
  );
}

function lettersOf(name: string): string {
  const words = name
    .split(/\s+/u)
    .filter((word) => /^\p{L}/u.test(word))
    // The Arabic article is no letter of the name.
    .map((word) => word.replace(/^ال(?=\p{L})/u, ""));
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, last]
    .map((word) => /^\p{L}\p{M}*/u.exec(word ?? "")?.[0] ?? "")
    .join("")
    .toUpperCase();
}

/** One of eight tints, always the same for a contact. */
function hueOf(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 8192;
  return sum % 8;
}
