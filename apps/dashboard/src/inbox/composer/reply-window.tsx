import { useEffect, useState } from "react";
import { formatLocale } from "../../text/locale.ts";
import { t } from "../../text/t.ts";
import type { DeskRow } from "../../api/shapes.ts";
import { Glyph } from "../thread/glyph.tsx";
import { useInbox } from "../../desk/use-inbox.ts";

const SOON_MS = 4 * 3_600_000;
const number = (unit: "hour" | "minute") =>
  new Intl.NumberFormat(formatLocale, { style: "unit", unit, unitDisplay: "narrow" });
const hours = number("hour");
const minutes = number("minute");

/** How long a free reply may still be sent, in ms; null: there is no limit. 0: no longer. */
export function useWindowLeft(row: DeskRow): number | null {
  const inbox = useInbox();
  const [now, setNow] = useState(inbox.now);
  const ends = row.windowExpiresAt === null ? 0 : Date.parse(row.windowExpiresAt);
  const left = Math.max(0, ends - now);
  useEffect(() => {
    setNow(inbox.now());
    if (!row.hasWindow || ends <= inbox.now()) return undefined;
    const timer = setInterval(() => setNow(inbox.now()), 10_000);
    // The moment itself, so that nothing is written in vain.
    const end = setTimeout(
      () => setNow(inbox.now()),
      Math.min(ends - inbox.now() + 50, 2 ** 31 - 1),
    );
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [inbox, row.hasWindow, ends]);
  return row.hasWindow ? left : null;
}

/** The countdown of the reply window. */
export function ReplyWindow({ left }: { left: number }) {
  // Rounded down: a clock that is behind by a second would say 24h 1m. The last minute is no "0m".
  const all = left > 60_000 ? Math.floor(left / 60_000) : Math.ceil(left / 60_000);
  const words = [all >= 60 ? hours.format(Math.floor(all / 60)) : "", minutes.format(all % 60)]
    .join(" ")
    .trim();
  const kind = left === 0 ? "closed" : left < SOON_MS ? "soon" : "open";
  return (
    <span
      role="timer"
      aria-label={t("composer.window")}
      className={`composer-window composer-window-${kind}`}
    >
      <Glyph name="clock" />
      {left === 0 ? t("composer.windowClosed") : t("composer.windowOpen", { left: words })}
    </span>
  );
}
