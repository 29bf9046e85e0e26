import { useState } from "react";
import { Icon } from "../kit/icon.tsx";
import { TextInput, Toggle } from "../kit/fields.tsx";
import { t } from "../text/t.ts";
import { fieldTexts, type ChannelForm } from "./platforms.ts";

export type Values = Readonly<Record<string, string>>;

/** The values of one form, each with its label, its hint and, below it, its fault. */
export function ValueFields({
  names,
  form,
  values,
  change,
  faults,
  placeholder,
}: {
  readonly names: readonly string[];
  readonly form: ChannelForm;
  readonly values: Values;
  readonly change: (name: string, value: string) => void;
  /** The faults, by the names of the fields. */
  readonly faults: Values;
  /** Shown in an empty secret: what leaving it empty means. */
  readonly placeholder?: string;
}) {
  return names.map((name) => {
    const texts = fieldTexts(name);
    if (!texts) return null;
    const rule = form.fields.find((one) => one.name === name);
    const value = values[name] ?? "";
    const hint =
      name === "apiUrl"
        ? t("channels.field.apiUrl.hint", { address: form.defaultApiUrl })
        : texts.hint && t(texts.hint);
    if (texts.as === "toggle")
      return (
        <div key={name} className="channel-toggle">
          <Toggle
            label={t(texts.label)}
            on={value === "true"}
            change={(on) => change(name, on ? "true" : "")}
          />
          {hint !== undefined && <p className="hint">{hint}</p>}
        </div>
      );
    return (
      <TextInput
        key={name}
        name={name}
        label={t(texts.label)}
        value={value}
        onChange={(text) => change(name, text)}
        code={name !== "name"}
        autoComplete="off"
        spellCheck="false"
        fault={faults[name]}
        {...(texts.as === "lines" && { rows: 3 })}
        {...(hint !== undefined && { hint })}
        {...(placeholder !== undefined && rule?.secret && { placeholder })}
      />
    );
  });
}

/** Values that few people need, closed at first. */
export function Advanced({
  open = false,
  children,
}: {
  readonly open?: boolean;
  readonly children: React.ReactNode;
}) {
  const [opened, setOpened] = useState(open);
  return (
    <details
      className="channel-advanced"
      open={opened || open}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary>
        <Icon name="chevron-down" />
        {t("channels.advanced")}
      </summary>
      <div>{children}</div>
    </details>
  );
}
