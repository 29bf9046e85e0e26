import { TextInput } from "../kit/fields.tsx";
import { t, type PlainKey } from "../text/t.ts";

/** A text in both languages of customers. `rows` null: one line. */
export function TextPair({
  labels: [en, ar],
  textOf,
  write,
  isReadOnly,
  most,
  rows,
  hint,
  placeholders,
}: {
  readonly labels: readonly [en: PlainKey, ar: PlainKey];
  readonly textOf: (language: "en" | "ar") => string;
  readonly write: (language: "en" | "ar", text: string) => void;
  readonly isReadOnly: boolean;
  readonly most: number;
  readonly rows: number | null;
  readonly hint?: string | undefined;
  /** What an empty field shows: the words that are used then. */
  readonly placeholders?: Readonly<Record<"en" | "ar", string>> | undefined;
}) {
  return (
    <div className="bots-pair">
      {(
        [
          ["en", en],
          ["ar", ar],
        ] as const
      ).map(([language, label]) => (
        <TextInput
          key={language}
          label={t(label)}
          isReadOnly={isReadOnly}
          maxLength={most}
          lang={language}
          value={textOf(language)}
          onChange={(text) => write(language, text)}
          {...(rows !== null && { rows })}
          {...(placeholders && { placeholder: placeholders[language] })}
          {...(hint !== undefined && language === "en" && { hint })}
        />
      ))}
    </div>
  );
}
