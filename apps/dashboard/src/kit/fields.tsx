import { useId, type ReactNode } from "react";
import {
  Checkbox,
  Input,
  Label,
  Switch,
  TextArea,
  TextField,
  type TextFieldProps,
} from "react-aria-components";
import { FieldFoot } from "./field-foot.tsx";
import "./fields.css";

/** One text with its label above, and its hint and its fault below. `rows`: several lines. `code`: left to right. */
export function TextInput({
  label,
  hint,
  rows,
  code = false,
  placeholder,
  fault,
  ...rest
}: Omit<TextFieldProps, "children"> & {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly rows?: number;
  readonly code?: boolean;
  readonly placeholder?: string;
  /** Its fault, until the page removes it; without it, the form's `validationErrors`. */
  readonly fault?: string | undefined;
}) {
  const input = {
    dir: code ? "ltr" : "auto",
    ...(placeholder !== undefined && { placeholder }),
  };
  return (
    <TextField {...rest} {...(fault !== undefined && { isInvalid: true })}>
      <Label>{label}</Label>
      {rows === undefined ? <Input {...input} /> : <TextArea {...input} rows={rows} />}
      <FieldFoot hint={hint} fault={fault} />
    </TextField>
  );
}

/** One of several: the browser's own list, which works on phones and with screen readers. */
export function Choice<const Value extends string>({
  label,
  options,
  value,
  change,
  name,
  hidden = false,
  disabled = false,
  hint,
}: {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly value: Value;
  readonly change: (value: Value) => void;
  readonly name?: string;
  /** The label is for screen readers only. */
  readonly hidden?: boolean;
  readonly disabled?: boolean;
  /** What it is for, below it. */
  readonly hint?: string;
}) {
  const hintId = useId();
  const choice = (
    <label className="choice">
      <span className={hidden ? "visually-hidden" : undefined}>{label}</span>
      <select
        name={name}
        value={value}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : hintId}
        onChange={({ currentTarget }) => {
          const chosen = options.find((one) => one.value === currentTarget.value);
          if (chosen) change(chosen.value);
        }}
      >
        {options.map((one) => (
          <option key={one.value} value={one.value}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  );
  if (hint === undefined) return choice;
  return (
    <div className="choice">
      {choice}
      <p id={hintId} className="hint">
        {hint}
      </p>
    </div>
  );
}

/** On or off, at once. */
export function Toggle({
  label,
  on,
  change,
  disabled = false,
}: {
  readonly label: string;
  readonly on: boolean;
  readonly change: (on: boolean) => void;
  readonly disabled?: boolean;
}) {
  return (
    <Switch className="toggle" isSelected={on} isDisabled={disabled} onChange={change}>
      <span className="toggle-track" aria-hidden="true" />
      {label}
    </Switch>
  );
}

/** A box to tick, as part of a form. */
export function Tick({
  label,
  on,
  change,
}: {
  readonly label: ReactNode;
  readonly on: boolean;
  readonly change: (on: boolean) => void;
}) {
  return (
    <Checkbox className="tick" isSelected={on} onChange={change}>
      <span className="tick-box" aria-hidden="true" />
      <span>{label}</span>
    </Checkbox>
  );
}
