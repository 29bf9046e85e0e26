import { useState } from "react";
import { Button, Input, Label, TextArea, TextField } from "react-aria-components";
import { t } from "../text/t.ts";
import { copyText } from "./copy-text.ts";
import "./fields.css";

/** A text to copy: an address, a key, a snippet. `rows`: several lines. */
export function CopyField({
  label,
  value,
  rows,
}: {
  readonly label: string;
  readonly value: string;
  readonly rows?: number;
}) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="copy-field">
      <TextField isReadOnly value={value}>
        <Label>{label}</Label>
        {rows === undefined ? (
          <Input dir="ltr" onFocus={({ currentTarget }) => currentTarget.select()} />
        ) : (
          <TextArea dir="ltr" rows={rows} onFocus={({ currentTarget }) => currentTarget.select()} />
        )}
      </TextField>
      <Button onPress={() => void copyText(value).then(() => setCopied(true))}>
        {copied ? t("kit.copied") : t("kit.copy")}
      </Button>
      <span role="status" className="visually-hidden">
        {copied ? t("kit.copied") : ""}
      </span>
    </div>
  );
}
