import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Button, Form } from "react-aria-components";
import type { ApiError } from "../api/api-error.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { PlatformWords } from "./problems.tsx";
import { smsErrorText } from "./sms-texts.ts";
import { useFaults } from "./use-faults.ts";

const readFault = (error: ApiError | null): Record<string, string> =>
  error?.code === "VALIDATION_FAILED" ? { to: t("sms.error.INVALID_NUMBER") } : {};

/** One real SMS, which verifies the account. One that `waits` replaces the account in use. */
export function SmsTest({ waits }: { readonly waits: boolean }) {
  const client = useQueryClient();
  const [to, setTo] = useState("");
  const [result, setResult] = useState<(AnswerOf<"testSms"> & { replaced: boolean }) | null>(null);
  const send = useCall(async () => {
    setResult(null);
    const answer = await call("testSms", { body: { to: to.trim() } });
    setResult({ ...answer, replaced: waits });
    await client.invalidateQueries({ queryKey: ["sms"] });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (to.trim() !== "") send.start();
  };
  const wrong = send.failed?.code === "VALIDATION_FAILED";
  const { faults, mended } = useFaults(send.failed, readFault);
  return (
    <Part title={t("sms.test")}>
      <p>{t("sms.test.text")}</p>
      {!wrong && send.failed?.code !== "CONFLICT" && <Failure of={send.failed} />}
      {send.failed?.code === "CONFLICT" && <Failure of={send.failed} text={t("sms.changed")} />}
      {result?.sent && (
        <p role="status" className="channel-good">
          {result.replaced ? t("sms.next.tested") : t("sms.test.sent")}
        </p>
      )}
      {result && !result.sent && (
        <div role="alert" className="failure">
          <p>
            <strong>{t("sms.test.refused")}.</strong> {smsErrorText(result.errorCode)}
          </p>
          {result.error && <PlatformWords words={result.error} />}
        </div>
      )}
      <Form className="channel-line" validationBehavior="aria" onSubmit={submit}>
        <TextInput
          name="to"
          type="tel"
          code
          label={t("sms.test.to")}
          hint={t("sms.test.to.hint")}
          value={to}
          onChange={(text) => {
            mended("to");
            setTo(text);
          }}
          fault={faults["to"]}
        />
        <Button type="submit" className="primary" isPending={send.busy}>
          {t("sms.test.send")}
        </Button>
      </Form>
    </Part>
  );
}
