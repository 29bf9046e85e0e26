import type { AnswerOf } from "../api/call.ts";
import { CHANNEL_SHAPES } from "./channel-sign.tsx";
import "./page.css";

type ChannelType = AnswerOf<"listChannels">["channels"][number]["type"];

const SMS =
  "M14 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3M12 18h.01M16 4h6v6h-3l-3 3Z";

/** The sign of a platform in a tile of its own. Screen readers skip it: its name is beside it. */
export function ChannelGlyph({ type }: { readonly type: ChannelType | "SMS" }) {
  return (
    <span className="channel-glyph" aria-hidden="true">
      <svg viewBox="0 0 24 24">
        <path d={type === "SMS" ? SMS : CHANNEL_SHAPES[type]} />
      </svg>
    </span>
  );
}
