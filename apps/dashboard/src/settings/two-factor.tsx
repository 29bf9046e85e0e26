import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { Badge } from "../kit/badge.tsx";
import { AskDialog, ConfirmDialog } from "../kit/dialog.tsx";
import { useCall } from "../kit/use-call.ts";
import { AskForm, Field } from "../kit/ask-form.tsx";
import { t } from "../text/t.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SettingsPart } from "./settings-page.tsx";
import { SetUpTwoFactor } from "./set-up-two-factor.tsx";
import "./security.css";

type Asking = "set-up" | "off" | "renew" | null;

/** Two-factor of the member's own account: on, off, and codes in case the phone is lost. */
export function TwoFactor({ email }: { readonly email: string }) {
  const [asking, setAsking] = useState<Asking>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const state = useQuery({
    queryKey: ["two-factor"],
    queryFn: ({ signal }) => call("readTwoFactor", { signal }),
    throwOnError: failsPage,
  });
  const settled = async () => {
    setAsking(null);
    await state.refetch();
  };
  const switchOff = useCall(async (texts: ReadonlyMap<string, string>) => {
    const given = texts.get("code") ?? "";
    // A recovery code has letters.
    const body = /\p{L}/u.test(given) ? { recoveryCode: given } : { code: given };
    await call("switchOffTwoFactor", { body });
    // When the workspace requires it, the next page leads to the set-up.
    if (state.data?.required) location.assign("/two-factor");
    else await settled();
  });
  const renew = useCall(async () => {
    setCodes((await call("renewRecoveryCodes")).recoveryCodes);
    await settled();
  });
  const { on, recoveryCodes, required } = state.data ?? {};
  return (
    <SettingsPart
      title={t("security.twoFactor")}
      actions={
        on !== undefined && (
          <Badge tone={on ? "ok" : "plain"}>
            {t(on ? "security.twoFactor.on" : "security.twoFactor.off")}
          </Badge>
        )
      }
    >
      <p>
        {t("security.twoFactor.text")} {required && t("security.twoFactor.required")}
      </p>
      {codes && <RecoveryCodes codes={codes} email={email} done={() => setCodes(null)} />}
      {on === true && asking !== "set-up" && (
        <>
          <p>{t("security.twoFactor.left", { count: recoveryCodes ?? 0 })}</p>
          <div className="codes-actions">
            <Button onPress={() => setAsking("renew")}>{t("security.twoFactor.renew")}</Button>
            <Button onPress={() => setAsking("off")}>{t("security.twoFactor.switchOff")}</Button>
          </div>
        </>
      )}
      {on === false && asking !== "set-up" && (
        <div>
          <Button className="primary" onPress={() => setAsking("set-up")}>
            {t("security.twoFactor.switchOn")}
          </Button>
        </div>
      )}
      {asking === "set-up" && (
        <SetUpTwoFactor
          email={email}
          switchedOn={() => void state.refetch()}
          done={() => setAsking(null)}
        />
      )}
      {asking === "off" && (
        <AskDialog title={t("security.twoFactor.switchOff.title")} close={() => setAsking(null)}>
          <p>{t("security.twoFactor.switchOff.text")}</p>
          {required && <p>{t("security.twoFactor.switchOff.required")}</p>}
          <AskForm
            call={switchOff}
            cancel={() => setAsking(null)}
            verb={t("security.twoFactor.switchOff")}
            {...(switchOff.failed?.code === "INVALID_CREDENTIALS" && {
              failure: t("security.code.wrong"),
            })}
          >
            <Field
              name="code"
              label={t("security.twoFactor.switchOff.code")}
              autoComplete="one-time-code"
              autoFocus
            />
          </AskForm>
        </AskDialog>
      )}
      {asking === "renew" && (
        <ConfirmDialog
          title={t("security.twoFactor.renew.title")}
          verb={t("security.twoFactor.renew")}
          call={renew}
          close={() => setAsking(null)}
        >
          <p>{t("security.twoFactor.renew.text")}</p>
        </ConfirmDialog>
      )}
    </SettingsPart>
  );
}
