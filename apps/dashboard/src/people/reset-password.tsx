import { useState } from "react";
import { useParams } from "@tanstack/react-router";
import { Link } from "react-aria-components";
import { call } from "../api/call.ts";
import { t } from "../text/t.ts";
import { AskForm, Entry, NewPassword } from "./entry.tsx";
import { useCall } from "../kit/use-call.ts";

/** `/forgot`: who hands out links for a new password. */
export function Forgot() {
  return (
    <Entry title={t("people.forgot")} intro={t("people.forgot.text")}>
      <Link href="/sign-in">{t("people.backToSignIn")}</Link>
    </Entry>
  );
}

/** `/reset/:token`: a new password, by the link. */
export function ResetPassword() {
  const { token } = useParams({ from: "/reset/$token" });
  const [saved, setSaved] = useState(false);
  const save = useCall(async (texts: ReadonlyMap<string, string>) => {
    await call("useResetLink", {
      params: { token },
      body: { password: texts.get("password") ?? "" },
    });
    setSaved(true);
  });
  const gone = save.failed?.code === "NOT_FOUND";
  return (
    <Entry title={t("people.newPassword")}>
      {saved ? (
        <p role="status">{t("people.passwordSaved")}</p>
      ) : (
        <AskForm
          call={save}
          verb={t("people.savePassword")}
          {...(gone && { failure: t("people.linkGone") })}
        >
          <NewPassword label={t("people.newPassword")} />
        </AskForm>
      )}
      <Link href="/sign-in">{t("people.backToSignIn")}</Link>
    </Entry>
  );
}
