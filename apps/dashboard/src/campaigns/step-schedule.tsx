import { useSuspenseQuery } from "@tanstack/react-query";
import { Input, Label, RadioGroup, TextField } from "react-aria-components";
import { TextInput, Toggle } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { RadioLine } from "../kit/radios.tsx";
import { t } from "../text/t.ts";
import { keyOf } from "./form.ts";
import { choicesQuery } from "./queries.ts";
import type { StepProps } from "./wizard.tsx";

/** When it is sent, at which times of the day, and how fast. */
export function ScheduleStep({ form, change }: StepProps) {
  const { ways } = useSuspenseQuery(choicesQuery).data;
  const usual = ways.find((one) => keyOf(one) === form.way)?.usualRate;
  const rate = Number(form.rate);
  return (
    <Part title={t("campaigns.step.schedule")}>
      <RadioGroup
        className="campaign-radios"
        aria-label={t("campaigns.when.ask")}
        value={form.when}
        onChange={(when) => change({ when: when === "at" ? "at" : "now" })}
      >
        <RadioLine value="now">{t("campaigns.when.now")}</RadioLine>
        <RadioLine value="at">{t("campaigns.when.at")}</RadioLine>
      </RadioGroup>
      {form.when === "at" && (
        <>
          <TextField
            className="react-aria-TextField campaign-short"
            value={form.at}
            onChange={(at) => change({ at: at.slice(0, 16) })}
          >
            <Label>{t("campaigns.when.time", { zone: form.timeZone })}</Label>
            <Input type="datetime-local" dir="ltr" />
          </TextField>
          <Toggle
            label={t("campaigns.localTime")}
            on={form.localTime}
            change={(localTime) => change({ localTime })}
          />
          {form.localTime && <p className="hint">{t("campaigns.localTime.hint")}</p>}
        </>
      )}
      <Toggle label={t("campaigns.quiet")} on={form.quiet} change={(quiet) => change({ quiet })} />
      {form.quiet && (
        <>
          <div className="campaign-pair">
            <TextField value={form.quietFrom} onChange={(quietFrom) => change({ quietFrom })}>
              <Label>{t("campaigns.quiet.from")}</Label>
              <Input type="time" dir="ltr" />
            </TextField>
            <TextField value={form.quietUntil} onChange={(quietUntil) => change({ quietUntil })}>
              <Label>{t("campaigns.quiet.until")}</Label>
              <Input type="time" dir="ltr" />
            </TextField>
          </div>
          <p className="hint">{t("campaigns.quiet.hint")}</p>
        </>
      )}
      <TextInput
        className="react-aria-TextField campaign-short"
        label={t("campaigns.pace")}
        code
        inputMode="numeric"
        value={form.rate}
        {...(usual !== undefined && { placeholder: String(usual) })}
        hint={
          usual !== undefined && rate > usual
            ? t("campaigns.pace.over", { usual: count(usual) })
            : usual !== undefined && t("campaigns.pace.hint", { usual: count(usual) })
        }
        onChange={(value) => change({ rate: value.replaceAll(/\D/g, "") })}
      />
      <TextInput
        className="react-aria-TextField campaign-short"
        label={t("campaigns.replyDays")}
        hint={t("campaigns.replyDays.hint")}
        code
        inputMode="numeric"
        value={String(form.replyDays)}
        onChange={(value) =>
          change({ replyDays: Math.min(30, Math.max(1, Number(value.replaceAll(/\D/g, "")) || 1)) })
        }
      />
    </Part>
  );
}
