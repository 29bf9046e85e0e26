import { useId, useRef, useState, type ReactNode } from "react";
import { Button, Input, Label, TextField } from "react-aria-components";
import { ApiError } from "../../api/api-error.ts";
import { t } from "../../text/t.ts";
import { Glyph } from "../thread/glyph.tsx";

type Kind = "text" | "code" | "phone";

/** One field of the contact: its value, or the box to change it. Enter saves, Escape restores. */
export function Editable({
  label,
  value,
  kind = "text",
  begins = false,
  onSave,
  onLeave,
}: {
  label: string;
  value: string | null;
  /** Of a number, which is stored without its plus, and a code: written from the left in every language. */
  kind?: Kind;
  /** Its box is open when it appears. */
  begins?: boolean;
  /** Rejects with the server's reason. */
  onSave: (value: string) => Promise<void>;
  /** The box was closed, and nothing was changed. */
  onLeave?: () => void;
}) {
  const [editing, setEditing] = useState(begins);
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const saving = useRef(false);
  const leave = (): void => {
    setEditing(false);
    onLeave?.();
  };
  const save = async (): Promise<void> => {
    if (saving.current) return;
    if (text.trim() === (value ?? "")) return leave();
    saving.current = true;
    try {
      await onSave(text.trim());
      setEditing(false);
    } catch (error) {
      const detail = error instanceof ApiError ? error.details[0]?.message : undefined;
      setFault(detail ?? t("kit.error"));
    } finally {
      saving.current = false;
    }
  };
  if (!editing)
    return (
      <Shown
        label={label}
        value={value}
        kind={kind}
        edit={() => {
          setText(value ?? "");
          setFault(null);
          setEditing(true);
        }}
      />
    );
  return (
    <div className="details-field">
      <TextField
        className="details-edit"
        value={text}
        onChange={setText}
        isInvalid={fault !== null}
        autoFocus
      >
        <Label>{label}</Label>
        <Input
          dir={kind === "text" ? "auto" : "ltr"}
          onBlur={() => void save()}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === "Enter") void save();
            if (event.key === "Escape") {
              event.stopPropagation();
              setText(value ?? "");
              leave();
            }
          }}
        />
        {fault !== null && (
          <p role="alert" className="details-fault">
            {fault}
          </p>
        )}
      </TextField>
    </div>
  );
}

/** The value, which leads to its box. */
function Shown({
  label,
  value,
  kind,
  edit,
}: {
  label: string;
  value: string | null;
  kind: Kind;
  edit: () => void;
}) {
  const shown = useId();
  return (
    <div className="details-field">
      <dt>{label}</dt>
      <dd>
        {/* Its name is what it does, and its description is the value. */}
        <Button className="details-value" aria-describedby={shown} onPress={edit}>
          <span className="visually-hidden">{t("details.edit", { field: label })}</span>
          {value === null || value === "" ? (
            <span id={shown} className="details-none" aria-hidden="true">
              {t("details.add")}
            </span>
          ) : (
            <bdi id={shown} dir={kind === "text" ? "auto" : "ltr"} aria-hidden="true">
              {kind === "phone" ? `+${value}` : parted(value)}
            </bdi>
          )}
          <Glyph name="pencil" />
        </Button>
      </dd>
    </div>
  );
}

/** A long address breaks after its @ rather than within a word. */
const parted = (value: string): ReactNode =>
  value
    .split(/(?<=@)/)
    .flatMap((part, index) => (index === 0 ? part : [<wbr key={index} />, part]));
