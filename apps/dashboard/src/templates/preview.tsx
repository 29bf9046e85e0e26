import { Icon } from "../kit/icon.tsx";
import { SafeText } from "../kit/safe-text.tsx";
import { t } from "../text/t.ts";
import type { PreviewParts } from "./parts.ts";
import "./templates.css";

/** The message as the customer's phone shows it, in either direction of reading. */
export function PhonePreview({
  parts: { file, header, body, footer, buttons },
  direction,
}: {
  readonly parts: PreviewParts;
  readonly direction: "ltr" | "rtl";
}) {
  return (
    <section
      className="template-phone"
      dir={direction}
      aria-label={t(`templates.preview.${direction}`)}
    >
      <div className="template-bubble">
        {file !== null && (
          <p className="template-file">
            <Icon name={file === "document" ? "file-text" : file === "video" ? "video" : "image"} />
            {t(`templates.file.${file}`)}
          </p>
        )}
        {header !== "" && (
          <strong className="template-header">
            <SafeText text={header} />
          </strong>
        )}
        <div className="template-body">
          {body === "" ? t("templates.preview.empty") : <SafeText text={body} />}
        </div>
        {footer !== "" && (
          <p className="template-footer">
            <SafeText text={footer} />
          </p>
        )}
      </div>
      {buttons.map(({ kind, text }, index) => (
        <p key={index} className="template-button">
          <Icon name={kind === "phone" ? "phone" : kind === "url" ? "external-link" : "reply"} />
          <bdi>{text === "" ? "…" : text}</bdi>
        </p>
      ))}
    </section>
  );
}
