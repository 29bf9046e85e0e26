import { useQueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { Failure } from "../kit/failure.tsx";
import { Choice } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { useMay } from "../kit/use-may.ts";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";

const PROPOSED = 5;
const CHOICES: readonly number[] = [3, PROPOSED, 10, 20];

/** How many passcodes one number may get in ten minutes. Owners change it. */
export function OtpLimit({ perNumber }: { readonly perNumber: number | null }) {
  const client = useQueryClient();
  const save = useCall(async (next: number | null) => {
    await call("setOtpLimit", { body: { perNumber: next } });
    await client.invalidateQueries({ queryKey: ["sms"] });
  });
  const owner = useMay("setOtpLimit");
  const known = perNumber === null || CHOICES.includes(perNumber) ? [] : [perNumber];
  const nameOf = (n: number) =>
    t(n === PROPOSED ? "sms.otpLimit.proposed" : "sms.otpLimit.most", { count: count(n) });
  return (
    <Part title={t("sms.otpLimit")}>
      <p>{t("sms.otpLimit.text")}</p>
      <Failure of={save.failed} />
      <Choice
        label={t("sms.otpLimit.label")}
        value={perNumber === null ? "" : String(perNumber)}
        options={[
          { value: "", name: t("sms.otpLimit.none") },
          ...[...CHOICES, ...known].map((n) => ({ value: String(n), name: nameOf(n) })),
        ]}
        disabled={!owner || save.busy}
        change={(value) => save.start(value === "" ? null : Number(value))}
        {...(!owner && { hint: t("sms.otpLimit.owner") })}
      />
    </Part>
  );
}
