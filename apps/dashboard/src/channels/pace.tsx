import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Button, Form } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";

/** The most that all campaigns on a number together may send. */
export function Pace({
  id,
  pace: { most, ceiling },
}: {
  readonly id: string;
  readonly pace: AnswerOf<"readChannel">["pace"];
}) {
  const client = useQueryClient();
  const [text, setText] = useState(most === null ? "" : String(most));
  const [fault, setFault] = useState("");
  const [saved, setSaved] = useState(false);
  const save = useCall(async (value: number | null) => {
    await call("setChannelPace", { params: { id }, body: { most: value } });
    setSaved(true);
    await client.invalidateQueries({ queryKey: ["channels", id] });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSaved(false);
    const digits = text.replaceAll(/[\s,.]/g, "");
    const rate = digits === "" ? null : Number(digits);
    const fits = rate === null || (/^\d{2,7}$/.test(digits) && rate >= 10 && rate <= 1_000_000);
    setFault(fits ? "" : t("channels.pace.fault"));
    if (fits) save.start(rate);
  };
  return (
    <Part title={t("channels.part.pace")}>
      <p>{t("channels.pace.text")}</p>
      {ceiling !== null && (
        <p className="channel-note">{t("channels.pace.ceiling", { count: count(ceiling) })}</p>
      )}
      <Failure of={save.failed} />
      {saved && !save.failed && <p role="status">{t("kit.saved")}</p>}
      <Form className="channel-line" validationBehavior="aria" onSubmit={submit}>
        <TextInput
          name="most"
          label={t("channels.pace.most")}
          hint={t("channels.pace.hint")}
          value={text}
          onChange={(value) => {
            setFault("");
            setText(value);
          }}
          fault={fault === "" ? undefined : fault}
          inputMode="numeric"
          code
        />
        <Button type="submit" isPending={save.busy}>
          {t("channels.pace.save")}
        </Button>
      </Form>
    </Part>
  );
}
