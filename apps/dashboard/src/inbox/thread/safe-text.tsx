import { t } from "../../text/t.ts";
import { textParts } from "./text-parts.ts";
import "./safe-text.css";

/**
 * A text that a person wrote: in its own direction, with links, and with a mark for each character that hides or
 * turns others.
 */
export function SafeText({ text }: { text: string }) {
  return (
    <span className="safe-text" dir="auto">
      {textParts(text).map((part, index) => {
        switch (part.kind) {
          case "text":
            return part.text;
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
