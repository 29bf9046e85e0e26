import { useState } from "react";
import { Button, Dialog } from "react-aria-components";
import { CHANNEL_TYPES } from "../../../server/src/wire/words.ts";
import { channelWord } from "../kit/words.ts";
import { Choice, TextInput } from "../kit/fields.tsx";
import { t } from "../text/t.ts";
import { needsValue, opWord, type ContactRule, type Op, type RuleField } from "./rules.ts";

/** Stands among the fields; no field of a contact has this name. */
const SEGMENT = "segment";

/**
 * Asks for one rule: what it looks at, the condition, and the value in the field's own form. With `segments` it can be a
 * saved segment instead.
 */
export function RuleEditor({
  title,
  fields,
  rule,
  segments = [],
  chooseSegment,
  apply,
}: {
  readonly title: string;
  readonly fields: readonly RuleField[];
  readonly rule?: ContactRule;
  readonly segments?: readonly { readonly id: string; readonly name: string }[];
  readonly chooseSegment?: (id: string) => void;
  readonly apply: (rule: ContactRule) => void;
}) {
  const [name, setName] = useState(rule?.field ?? fields[0]?.name ?? "tag");
  const field = fields.find((one) => one.name === name) ?? fields[0];
  const [op, setOp] = useState<Op>(rule?.op ?? field?.ops[0] ?? "eq");
  const [text, setText] = useState(rule?.value === undefined ? "" : String(rule.value));
  const [missing, setMissing] = useState(false);
  if (!field) return null;
  const change = (next: string): void => {
    const other = fields.find((one) => one.name === next);
    setName(next);
    setText("");
    setMissing(false);
    if (other && !other.ops.includes(op)) setOp(other.ops[0] ?? "eq");
  };
  const ofSegment = name === SEGMENT;
  const submit = (): void => {
    if (ofSegment) {
      if (text === "") setMissing(true);
      else chooseSegment?.(text);
      return;
    }
    const value = valueOf(field, op, text);
    if (value === null) setMissing(true);
    else apply({ field: field.name, op, ...value });
  };
  return (
    <Dialog className="rule-editor" aria-label={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Choice
          label={t("contacts.filter.field")}
          value={name}
          options={[
            ...fields.map((one) => ({ value: one.name, name: one.label })),
            ...(segments.length > 0
              ? [{ value: SEGMENT, name: t("contacts.filter.segment") }]
              : []),
          ]}
          change={change}
        />
        {ofSegment ? (
          <Choice
            label={t("contacts.filter.value")}
            value={text}
            options={[
              { value: "", name: "—" },
              ...segments.map((one) => ({ value: one.id, name: one.name })),
            ]}
            change={setText}
          />
        ) : (
          <Choice
            label={t("contacts.filter.condition")}
            value={op}
            options={field.ops.map((one) => ({ value: one, name: opWord(one) }))}
            change={setOp}
          />
        )}
        {!ofSegment && needsValue(op) && (
          <ValueInput field={field} op={op} text={text} change={setText} />
        )}
        {missing && <p role="alert">{t("contacts.filter.missing")}</p>}
        <Button type="submit" className="primary">
          {t("contacts.filter.apply")}
        </Button>
      </form>
    </Dialog>
  );
}

function ValueInput({
  field,
  op,
  text,
  change,
}: {
  readonly field: RuleField;
  readonly op: Op;
  readonly text: string;
  readonly change: (text: string) => void;
}) {
  const label = t("contacts.filter.value");
  if (op === "within_days" || op === "not_within_days")
    return (
      <TextInput
        label={t("contacts.filter.days")}
        inputMode="numeric"
        code
        value={text}
        onChange={change}
      />
    );
  const options = optionsOf(field);
  if (options.length > 0)
    return <Choice label={label} value={text} options={options} change={change} />;
  if (field.kind === "date")
    return <TextInput label={label} type="date" code value={text} onChange={change} />;
  return (
    <TextInput
      label={label}
      value={text}
      onChange={change}
      code={field.name === "phone" || field.kind === "number"}
      inputMode={field.kind === "number" ? "decimal" : "text"}
    />
  );
}

/** An empty first choice: nothing is chosen yet. */
function optionsOf(field: RuleField): readonly { value: string; name: string }[] {
  const none = { value: "", name: "—" };
  switch (field.kind) {
    case "channel":
      return [none, ...CHANNEL_TYPES.map((type) => ({ value: type, name: channelWord(type) }))];
    case "flag":
      return [
        none,
        { value: "true", name: t("contacts.yes") },
        { value: "false", name: t("contacts.no") },
      ];
    case "choice":
      return [none, ...field.choices.map((choice) => ({ value: choice, name: choice }))];
    case "date":
    case "number":
    case "tag":
    case "text":
      return [];
  }
}

/** The rule's value in the type that the server needs; null: it is missing or invalid. */
function valueOf(field: RuleField, op: Op, text: string): Pick<ContactRule, "value"> | null {
  if (!needsValue(op)) return {};
  const plain = text.trim();
  if (plain === "") return null;
  if (op === "within_days" || op === "not_within_days") {
    const days = Number(plain);
    return Number.isInteger(days) && days > 0 && days <= 36_500 ? { value: days } : null;
  }
  if (field.kind === "flag") return { value: plain === "true" };
  if (field.kind === "number") {
    const number = Number(plain);
    return Number.isFinite(number) ? { value: number } : null;
  }
  return { value: plain };
}
