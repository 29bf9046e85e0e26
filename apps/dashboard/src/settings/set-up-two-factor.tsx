import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { CopyField } from "../kit/copy.tsx";
import { Failure } from "../kit/failure.tsx";
import { useCall } from "../kit/use-call.ts";
import { AskForm, Field } from "../kit/ask-form.tsx";
import { t } from "../text/t.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import "./security.css";

/** Two-factor in three steps: scan, type the first code, save the recovery codes. `done`: they are saved. */
export function SetUpTwoFactor({
  email,
  switchedOn,
  done,
}: {
  readonly email: string;
  /** The codes count from now on; the recovery codes are still on the screen. */
  readonly switchedOn?: () => void;
  readonly done: () => void;
}) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const proposed = useQuery({
    queryKey: ["two-factor-proposal"],
    queryFn: () => call("proposeTwoFactor"),
    // Each call gives a new secret: one that was scanned must not change.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnMount: false,
  });
  const finish = useCall(async (texts: ReadonlyMap<string, string>) => {
    const code = texts.get("code") ?? "";
    const proposal = proposed.data?.proposal ?? "";
    const on = await call("switchOnTwoFactor", { body: { proposal, code } });
    setCodes(on.recoveryCodes);
    switchedOn?.();
  });
  if (codes)
    return (
      <>
        <p role="status">{t("security.twoFactor.isOn")}</p>
        <RecoveryCodes codes={codes} email={email} done={done} />
      </>
    );
  if (proposed.error instanceof ApiError) return <Failure of={proposed.error} />;
  if (!proposed.data) return <p role="status">{t("kit.loading")}</p>;
  const { picture, secret } = proposed.data;
  const wrong = finish.failed?.details.some(({ path }) => path === "code");
  return (
    <div className="two-factor">
      <p>{t("security.twoFactor.scan")}</p>
      <img
        className="two-factor-picture"
        alt={t("security.twoFactor.picture")}
        src={`data:image/svg+xml,${encodeURIComponent(picture)}`}
        width={196}
        height={196}
      />
      <CopyField label={t("security.twoFactor.secret")} value={secret} rows={1} />
      <p>{t("security.twoFactor.first")}</p>
      <AskForm
        call={finish}
        verb={t("security.twoFactor.finish")}
        {...(wrong && { failure: t("security.code.wrong") })}
      >
        <Field
          name="code"
          label={t("security.code")}
          autoComplete="one-time-code"
          inputMode="numeric"
        />
      </AskForm>
    </div>
  );
}
