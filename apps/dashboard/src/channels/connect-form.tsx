import { useState, type FormEvent } from "react";
import { Button, Form } from "react-aria-components";
import { Failure } from "../kit/failure.tsx";
import { Part } from "../kit/page.tsx";
import type { AskedCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { channelFaults, faultNames, platformWords } from "./faults.ts";
import { Guide } from "./guide.tsx";
import { fieldTexts, STEPS, type ChannelForm, type ChannelType } from "./platforms.ts";
import { PlatformWords } from "./problems.tsx";
import { useFaults } from "./use-faults.ts";
import { Advanced, ValueFields, type Values } from "./value-fields.tsx";

/** The steps of a connect. The last one asks the platform; a refused value leads back to its step. */
export function ConnectForm({
  type,
  form,
  values,
  change,
  call,
}: {
  readonly type: ChannelType;
  readonly form: ChannelForm;
  readonly values: Values;
  readonly change: (name: string, value: string) => void;
  readonly call: AskedCall<readonly []>;
}) {
  const steps = STEPS[type];
  const [chosen, choose] = useState(0);
  const { faults, setFaults, mended } = useFaults(call.failed, channelFaults);
  const [failed, setFailed] = useState(call.failed);
  if (failed !== call.failed) {
    // The answer came: back to the step of the first value that it names.
    setFailed(call.failed);
    const named = call.failed?.details[0]?.path ?? "";
    const at = steps.findIndex((one) => fieldsOf(one).includes(named));
    if (at >= 0) choose(at);
  }
  const step = steps[chosen];
  if (!step) return null;
  const last = chosen === steps.length - 1;
  const needed = (name: string) =>
    name === "name" || form.fields.some((one) => one.name === name && one.required);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const empty = step.fields.filter((name) => needed(name) && (values[name] ?? "").trim() === "");
    const wrong = step.fields.filter((name) => !empty.includes(name) && !fits(form, name, values));
    if (empty.length + wrong.length > 0) {
      setFaults({
        ...Object.fromEntries(empty.map((name) => [name, t("channels.fault.required")])),
        ...Object.fromEntries(wrong.map((name) => [name, t("channels.fault.format")])),
      });
      return;
    }
    if (last) call.start();
    else choose(chosen + 1);
  };
  const advanced = step.advanced ?? [];
  const parts = {
    form,
    values,
    faults,
    change(name: string, value: string) {
      mended(name);
      change(name, value);
    },
  };
  return (
    <>
      <ol className="channel-steps" aria-label={t("channels.steps")}>
        {steps.map((one, index) => (
          <li key={one.title} aria-current={index === chosen ? "step" : undefined}>
            <button type="button" disabled={index > chosen} onClick={() => choose(index)}>
              <span aria-hidden="true">{index + 1}</span>
              {t(one.title)}
            </button>
          </li>
        ))}
      </ol>
      <ConnectFailure call={call} />
      <Part title={t(step.title)}>
        <Guide path={step.path} advice={step.advice} />
        <Form className="channel-form" validationBehavior="aria" onSubmit={submit}>
          <ValueFields names={step.fields} {...parts} />
          {advanced.length > 0 && (
            <Advanced open={advanced.some((name) => name in faults)}>
              <ValueFields names={advanced} {...parts} />
            </Advanced>
          )}
          <div className="channel-buttons">
            {chosen > 0 && <Button onPress={() => choose(chosen - 1)}>{t("kit.back")}</Button>}
            <Button type="submit" className="primary" isPending={call.busy}>
              {call.busy ? t("channels.checking") : last ? t("channels.check") : t("channels.next")}
            </Button>
          </div>
        </Form>
      </Part>
    </>
  );
}

/** Whether a value has the form of such a value. An empty one is no fault of its form. */
function fits(form: ChannelForm, name: string, values: Values): boolean {
  const value = (values[name] ?? "").trim();
  const { pattern = null } = form.fields.find((one) => one.name === name) ?? {};
  // Lines are joined before the server judges them.
  if (value === "" || pattern === null || fieldTexts(name)?.as === "lines") return true;
  return new RegExp(pattern).test(value);
}

const fieldsOf = ({ fields, advanced = [] }: (typeof STEPS)[ChannelType][number]) => [
  ...fields,
  ...advanced,
];

/** The text for a refused connect or change: the name of the value, and the platform's words. */
export function ConnectFailure({ call }: { readonly call: AskedCall<readonly []> }) {
  const { failed } = call;
  if (failed === null) return null;
  if (failed.code === "CHANNEL_LIMIT_REACHED")
    return <Failure of={failed} text={t("channels.fault.plan")} />;
  if (failed.code !== "VALIDATION_FAILED") return <Failure of={failed} />;
  const words = platformWords(failed);
  return (
    <div role="alert" className="failure">
      <p>
        {words === null ? t("kit.error.validation") : t("channels.fault.refused")}{" "}
        <strong>{faultNames(failed)}</strong>
      </p>
      {words !== null && <PlatformWords words={words} />}
    </div>
  );
}
