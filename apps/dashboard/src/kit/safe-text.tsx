import { t } from "../text/t.ts";
import { textParts, type Mentioned } from "./text-parts.ts";
import "./safe-text.css";

/**
 * A text that a person wrote: in its own direction, with links, with its mentions, and with a mark for each character
 * that hides or turns others.
 */
export function SafeText({ text, mentioned }: { text: string; mentioned?: readonly Mentioned[] }) {
  return (
    <span className="safe-text" dir="auto">
      {textParts(text, mentioned).map((part, index) => {
        switch (part.kind) {
          case "text":
            return part.text;
          case "mention":
            return (
              <mark key={index} className="mention" data-mine={part.mine || undefined}>
                <bdi>{part.text}</bdi>
              </mark>
            );
          case "link":
            return (
              <a key={index} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
                {part.text}
              </a>
            );
          case "hidden":
            return (
              <bdi
                key={index}
                dir="ltr"
                className="safe-text-mark"
                title={t("thread.hidden", { code: part.code })}
              >
                {part.code}
              </bdi>
            );
        }
      })}
    </span>
  );
}
