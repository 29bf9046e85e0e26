import { useState } from "react";
import { Button } from "react-aria-components";
import { copyText } from "../kit/copy-text.ts";
import { t } from "../text/t.ts";

/** Recovery codes, shown once: to be copied or saved as a file. */
export function RecoveryCodes({
  codes,
  email,
  done,
}: {
  readonly codes: readonly string[];
  /** The owner of the codes, for the file. */
  readonly email: string;
  readonly done: () => void;
}) {
  const [copied, setCopied] = useState(false);
  const text = `${t("security.codes.file", { email })}\n\n${codes.join("\n")}\n`;
  return (
    <section className="codes" aria-label={t("security.codes")}>
      <p>{t("security.codes.text")}</p>
      <ul dir="ltr" aria-label={t("security.codes")}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="codes-actions">
        <Button onPress={() => void copyText(text).then(() => setCopied(true))}>
          {t(copied ? "security.codes.copied" : "security.codes.copy")}
        </Button>
        <Button onPress={() => download(text)}>{t("security.codes.download")}</Button>
        <Button className="primary" onPress={done}>
          {t("security.codes.kept")}
        </Button>
      </div>
      <span role="status" className="visually-hidden">
        {copied ? t("security.codes.copied") : ""}
      </span>
    </section>
  );
}

function download(text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = "parley-recovery-codes.txt";
  link.click();
  URL.revokeObjectURL(link.href);
}
