import { lazy, Suspense, useState } from "react";
import { Link } from "react-aria-components";
import { call } from "../api/call.ts";
import { t } from "../text/t.ts";
import { AskForm, Field } from "../kit/ask-form.tsx";
import { Entry } from "./entry.tsx";
import { enter, hasEnded, nextAddress } from "../api/entered.ts";
import { useCall } from "../kit/use-call.ts";

/** Loaded for those who have it: most sign in without. */
const SecondStep = lazy(async () => ({ default: (await import("./second-step.tsx")).SecondStep }));

/** `/sign-in`: address and password, with two-factor a code, then the requested page. */
export function SignIn() {
  const [codeNeeded, setCodeNeeded] = useState(false);
  const signIn = useCall(async (texts: ReadonlyMap<string, string>) => {
    const opened = await call("signIn", {
      body: { email: texts.get("email") ?? "", password: texts.get("password") ?? "" },
    });
    if ("codeNeeded" in opened) setCodeNeeded(true);
    else enter(nextAddress());
  });
  if (codeNeeded)
    return (
      <Suspense>
        <SecondStep entered={() => enter(nextAddress())} over={() => setCodeNeeded(false)} />
      </Suspense>
    );
  return (
    <Entry title={t("people.signIn")} {...(hasEnded() && { intro: t("people.ended") })}>
      <AskForm call={signIn} verb={t("people.signIn")}>
        <Field
          name="email"
          type="email"
          label={t("people.email")}
          autoComplete="username"
          autoFocus
        />
        <Field
          name="password"
          type="password"
          label={t("people.password")}
          autoComplete="current-password"
        />
      </AskForm>
      <Link href="/forgot">{t("people.forgot")}</Link>
    </Entry>
  );
}
