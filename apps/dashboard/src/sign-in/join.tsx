import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "@tanstack/react-router";
import { Link } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { t } from "../text/t.ts";
import { AskForm, Field, NewPassword } from "../kit/ask-form.tsx";
import { Entry } from "./entry.tsx";
import { enter } from "../api/entered.ts";
import { SecondStep } from "./second-step.tsx";
import { failureText, useCall } from "../kit/use-call.ts";

/**
 * `/invite/:token`: accepts an invitation, with a new login or the address's present one. The page does not know which:
 * with a copied link no one learns from the server whether an address signs in.
 */
export function Join() {
  const { token } = useParams({ from: "/invite/$token" });
  const [codeNeeded, setCodeNeeded] = useState(false);
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => call("readInvitation", { params: { token }, signal }),
  });
  const join = useCall(async (texts: ReadonlyMap<string, string>) => {
    const { codeNeeded } = await call("useInvitation", {
      params: { token },
      body: { name: texts.get("name") ?? "", password: texts.get("password") ?? "" },
    });
    if (codeNeeded) setCodeNeeded(true);
    else enter("/inbox/mine");
  });
  if (codeNeeded)
    return <SecondStep entered={() => enter("/inbox/mine")} over={() => enter("/sign-in")} />;
  if (invitation.error) {
    const { error } = invitation;
    const gone = error instanceof ApiError && error.code === "NOT_FOUND";
    return (
      <Entry title={t("people.joinAny")}>
        <p role="alert">
          {gone || !(error instanceof ApiError) ? t("people.linkGone") : failureText(error)}
        </p>
        <Link href="/sign-in">{t("people.backToSignIn")}</Link>
      </Entry>
    );
  }
  if (!invitation.data)
    return (
      <Entry title={t("people.joinAny")}>
        <p role="status">{t("kit.loading")}</p>
      </Entry>
    );
  const { workspaceName, email } = invitation.data;
  return (
    <Entry
      title={t("people.join", { workspace: workspaceName })}
      intro={t("people.join.text", { email })}
    >
      <AskForm
        call={join}
        verb={t("people.joinWorkspace")}
        {...(join.failed?.code === "INVALID_CREDENTIALS" && { failure: t("people.join.known") })}
      >
        <Field name="name" label={t("people.yourName")} autoComplete="name" autoFocus />
        <NewPassword label={t("people.password")} hint={t("people.join.password")} />
      </AskForm>
    </Entry>
  );
}
