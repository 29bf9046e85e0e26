import { CHANNEL_SHAPES } from "../../kit/channel-sign.tsx";
import { hueOf, lettersOf } from "../../kit/face.tsx";
import { t } from "../../text/t.ts";
import { closesSoon, type DeskRow } from "../../api/shapes.ts";

const WINDOW_MS = 24 * 60 * 60 * 1000;

/** The customer's letters, and the channel's glyph in a ring that empties as the reply window runs out. */
export function RowAvatar({ row, now }: { row: DeskRow; now: number }) {
  return (
    <span className="face row-avatar" data-hue={hueOf(row.contactId)}>
      <span aria-hidden>{lettersOf(row.named ? row.name : null)}</span>
      <Glyph row={row} now={now} />
    </span>
  );
}

function Glyph({ row, now }: { row: DeskRow; now: number }) {
  const until = row.windowExpiresAt;
  const left = until === null ? 0 : Math.max(0, Date.parse(until) - now);
  const state = left === 0 ? "closed" : closesSoon(until, now) ? "soon" : "open";
  const path = (
    <path
      d={CHANNEL_SHAPES[row.channelType]}
      transform="translate(5.2 5.2) scale(0.4)"
      strokeWidth="2.4"
    />
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
