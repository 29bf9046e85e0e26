import { Button } from "react-aria-components";
import { CHANNEL_TYPES } from "../../../server/src/wire/words.ts";
import { Choice, TextInput, Tick } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import {
  textOf,
  ATTRIBUTE,
  emptyRule,
  FIELDS,
  isDaysOp,
  isListOp,
  kindOf,
  offeredValues,
  OPS_OF,
  takesNone,
  type Choices,
  type Kind,
  type Rule,
} from "./definition.ts";
import { fieldName } from "./reading.ts";

/** How many values are offered below a text. */
const OFFERED = 8;

/** One rule: its field, its condition, its value, and the server's fault. */
export function RuleRow({
  name,
  rule,
  choices,
  fault,
  change,
  remove,
}: {
  readonly name: string;
  readonly rule: Rule;
  readonly choices: Choices;
  readonly fault: string | null;
  readonly change: (rule: Rule) => void;
  readonly remove: () => void;
}) {
  const { field, op } = rule;
  const kind = kindOf(field, choices);
  const fields = [...Object.keys(FIELDS), ...choices.attributes.map(({ key }) => ATTRIBUTE + key)];
  const ops = OPS_OF[kind].includes(op) ? OPS_OF[kind] : [op, ...OPS_OF[kind]];
  return (
    <div
      className="rule field-beside"
      role="group"
      aria-label={name}
      data-faulty={fault !== null || undefined}
    >
      <Choice
        label={t("segments.rule.field")}
        hidden
        options={(fields.includes(field) ? fields : [field, ...fields]).map((value) => ({
          value,
          name: fieldName(value, choices),
        }))}
        value={field}
        change={(next) => change(emptyRule(next, kindOf(next, choices)))}
      />
      <Choice
        label={t("segments.rule.condition")}
        hidden
        options={ops.map((value) => ({ value, name: t(`segments.op.${value}`) }))}
        value={op}
        change={(next) => {
          const fresh = emptyRule(field, kind, next);
          const isAlike =
            isListOp(op) === isListOp(next) && isDaysOp(op) === isDaysOp(next) && !takesNone(op);
          change(isAlike && !takesNone(next) ? { ...fresh, value: rule.value } : fresh);
        }}
      />
      <ValueInput rule={rule} kind={kind} choices={choices} change={change} />
      <Button
        className="quiet rule-remove"
        aria-label={t("segments.rule.remove", { name })}
        onPress={remove}
      >
        <Icon name="x" />
      </Button>
      {fault !== null && (
        <p role="alert" className="rule-fault" dir="auto">
          {t("segments.rule.fault", { reason: fault })}
        </p>
      )}
    </div>
  );
}

interface ValueProps {
  readonly rule: Rule;
  readonly kind: Kind;
  readonly choices: Choices;
  readonly change: (rule: Rule) => void;
}

/**
 * The value with an input for the field's type: a date, a number, yes or no, a choice, or a text with contacts'
 * values.
 */
function ValueInput({ rule, kind, choices, change }: ValueProps) {
  const { field, op, value } = rule;
  const label = t("segments.rule.value");
  const set = (next: unknown): void => change({ ...rule, value: next });
  if (takesNone(op)) return <span className="rule-none" />;
  if (isDaysOp(op) || (kind === "number" && !isListOp(op)))
    return (
      <span className="rule-number">
        <TextInput
          label={label}
          type="number"
          value={textOf(value)}
          onChange={(text) => set(text === "" ? "" : Number(text))}
        />
        {isDaysOp(op) && <span>{t("segments.rule.days")}</span>}
      </span>
    );
  if (kind === "flag" || kind === "boolean")
    return (
      <Choice
        label={label}
        hidden
        options={[
          { value: "true", name: t("segments.yes") },
          { value: "false", name: t("segments.no") },
        ]}
        value={value === true ? "true" : "false"}
        change={(next) => set(next === "true")}
      />
    );
  if (kind === "date")
    return <TextInput label={label} type="date" value={textOf(value)} onChange={set} />;
  const closed =
    kind === "channelType"
      ? CHANNEL_TYPES
      : kind === "choice"
        ? offeredValues(field, choices)
        : null;
  if (closed && isListOp(op))
    return <ManyOf label={label} options={closed} value={value} change={set} />;
  if (closed)
    return (
      <Choice
        label={label}
        hidden
        options={["", ...closed].map((one) => ({
          value: one,
          name: one === "" ? t("segments.rule.choose") : one,
        }))}
        value={textOf(value)}
        change={set}
      />
    );
  return <TextValue rule={rule} label={label} offered={offeredValues(field, choices)} set={set} />;
}

function ManyOf({
  label,
  options,
  value,
  change,
}: {
  readonly label: string;
  readonly options: readonly string[];
  readonly value: unknown;
  readonly change: (value: readonly string[]) => void;
}) {
  const chosen = Array.isArray(value) ? value.map(String) : [];
  return (
    <div className="rule-many" role="group" aria-label={label}>
      {options.map((one) => (
        <Tick
          key={one}
          label={<bdi>{one}</bdi>}
          on={chosen.includes(one)}
          change={(on) => change(on ? [...chosen, one] : chosen.filter((other) => other !== one))}
        />
      ))}
    </div>
  );
}

/** A text, or several separated by commas, with contacts' values to press below. */
function TextValue({
  rule: { op, value, field },
  label,
  offered,
  set,
}: {
  readonly rule: Rule;
  readonly label: string;
  readonly offered: readonly string[];
  readonly set: (value: unknown) => void;
}) {
  const isList = isListOp(op);
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const text = isList ? chosen.join(", ") : textOf(value);
  const typed = text.toLowerCase();
  const fitting = offered.filter((one) =>
    isList ? !chosen.includes(one) : one !== text && one.toLowerCase().includes(typed),
  );
  return (
    <div className="rule-text">
      <TextInput
        label={label}
        value={text}
        code={field === "phone" || field === "email"}
        {...(isList && { hint: t("segments.rule.list") })}
        onChange={(next) =>
          set(isList ? next.split(/,\s?|،\s?/).filter((one, at) => one !== "" || at > 0) : next)
        }
        onBlur={() => isList && set(chosen.map((one) => one.trim()).filter((one) => one !== ""))}
      />
      {fitting.length > 0 && (
        <div className="rule-offers">
          {fitting.slice(0, OFFERED).map((one) => (
            <Button
              key={one}
              className="quiet"
              onPress={() => set(isList ? [...chosen, one] : one)}
            >
              <bdi>{one}</bdi>
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
