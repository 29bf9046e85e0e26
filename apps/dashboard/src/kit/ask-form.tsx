import type { FormEvent, ReactNode } from "react";
import { Button, Form, Input, Label, TextField, type TextFieldProps } from "react-aria-components";
import { t } from "../text/t.ts";
import { FieldFoot } from "./field-foot.tsx";
import { failureText, faultsOf, textsOf, type AskedCall } from "./use-call.ts";
import "./ask-form.css";

/** A form of texts with one button. `call` gets the texts by the names of the fields. */
export function AskForm({
  call,
  verb,
  failure,
  cancel,
  children,
}: {
  readonly call: AskedCall<readonly [texts: ReadonlyMap<string, string>]>;
  readonly verb: string;
  /** Replaces the text of a failure. */
  readonly failure?: string;
  /** Of a form in a dialog: leaves it. */
  readonly cancel?: () => void;
  readonly children: ReactNode;
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    call.start(textsOf(event.currentTarget));
  };
  return (
    <Form className="ask-form" validationErrors={faultsOf(call.failed)} onSubmit={submit}>
      {call.failed && (
        <p role="alert" className="ask-failed">
          {failure ?? failureText(call.failed)}
          {call.failed.requestId !== null && call.failed.status >= 500 && (
            <small>{t("kit.requestId", { id: call.failed.requestId })}</small>
          )}
        </p>
      )}
      {children}
      <div className="ask-buttons">
        {cancel && <Button onPress={cancel}>{t("kit.cancel")}</Button>}
        <Button type="submit" className="primary" isPending={call.busy}>
          {verb}
        </Button>
      </div>
    </Form>
  );
}

/** One field of a form, with its label above, and a hint or its fault below. */
export function Field({
  label,
  hint,
  ...rest
}: Omit<TextFieldProps, "children"> & { readonly label: string; readonly hint?: string }) {
  return (
    <TextField isRequired {...rest}>
      <Label>{label}</Label>
      <Input />
      <FieldFoot hint={hint} />
    </TextField>
  );
}

/** A password that is being chosen. */
export function NewPassword({
  label,
  hint = t("people.password.hint"),
  autoFocus = false,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly autoFocus?: boolean;
}) {
  return (
    <Field
      name="password"
      type="password"
      label={label}
      autoComplete="new-password"
      autoFocus={autoFocus}
      hint={hint}
      validate={(given) => (given.length < 10 ? t("people.password.short") : null)}
    />
  );
}
