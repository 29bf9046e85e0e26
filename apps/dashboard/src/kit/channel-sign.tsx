import type { Bootstrap } from "../api/shapes.ts";

type ChannelType = Bootstrap["channels"][number]["type"];

/** Each shaped like its platform's own sign, in one colour and a box of 24: Tabler's shapes (MIT); the globe is Lucide's. */
export const CHANNEL_SHAPES: Readonly<Record<ChannelType, string>> = {
  WHATSAPP:
    "M3 21l1.65-3.8a9 9 0 1 1 3.4 2.9L3 21M9 10a.5.5 0 0 0 1 0V9a.5.5 0 0 0-1 0v1a5 5 0 0 0 5 5h1a.5.5 0 0 0 0-1h-1a.5.5 0 0 0 0 1",
  MESSENGER: "M3 20l1.3-3.9a9 8 0 1 1 3.4 2.9L3 20M8 13l3-2 2 2 3-2",
  INSTAGRAM:
    "M7 2h10a5 5 0 0 1 5 5v10a5 5 0 0 1-5 5H7a5 5 0 0 1-5-5V7a5 5 0 0 1 5-5ZM16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM17.5 6.5h.01",
  TELEGRAM: "M15 10l-4 4 6 6 4-16L3 11l4 2 2 6 3-4",
  TIKTOK:
    "M21 7.917v4.034A9.948 9.948 0 0 1 16 10v4.5a6.5 6.5 0 1 1-8-6.326V12.5a2.5 2.5 0 1 0 4 2V3h4.083A6.005 6.005 0 0 0 21 7.917Z",
  WEB: "M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0ZM2 12h20M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20",
};

/** The sign of a kind of channel, beside its name. */
export function ChannelSign({ type }: { readonly type: ChannelType }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={CHANNEL_SHAPES[type]} />
    </svg>
  );
}
