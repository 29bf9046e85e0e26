import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { useParams } from "@tanstack/react-router";
import { Link } from "react-aria-components";
import { call } from "../api/call.ts";
import { locale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import { AskForm, Field, NewPassword } from "../kit/ask-form.tsx";
import { Entry } from "./entry.tsx";
import { useCall } from "../kit/use-call.ts";

/** A line may end between these parts, not within one. */
const COMMAND = ["parley user", "reset-password ID", "--workspace ID", "--password-stdin"] as const;

/** `/forgot`: asks for a link by mail, or of owners and admins where there is no mail server. */
export function Forgot() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const resets = useQuery({
    queryKey: ["resets"],
    queryFn: ({ signal }) => call("readResets", { signal }),
  });
  const ask = useCall(async (texts: ReadonlyMap<string, string>) => {
    const email = texts.get("email") ?? "";
    await call("askForReset", { body: { email, locale } });
    setSentTo(email);
  });
  const byMail = resets.data?.byMail;
  return (
    <Entry
      title={t("people.forgot")}
      {...(byMail !== undefined &&
        sentTo === null && { intro: t(byMail ? "security.forgot.text" : "people.forgot.text") })}
    >
      {sentTo !== null && (
        <p role="status">
          {t(byMail ? "security.forgot.sent" : "people.forgot.asked", { email: sentTo })}
        </p>
      )}
      {byMail !== undefined && sentTo === null && (
        <AskForm call={ask} verb={t("security.forgot.send")}>
          <Field
            name="email"
            type="email"
            label={t("people.email")}
            autoComplete="username"
            autoFocus
          />
        </AskForm>
      )}
      {byMail === false && (
        <p className="entry-intro">
          {t("people.forgot.sole")}{" "}
          <bdi dir="ltr">
            <code>
              {COMMAND.map((part) => (
                // The space is outside: the line ends at it.
                <Fragment key={part}>
                  <span>{part}</span>{" "}
                </Fragment>
              ))}
            </code>
          </bdi>
        </p>
      )}
      <Link href="/sign-in">{t("people.backToSignIn")}</Link>
    </Entry>
  );
}

/** `/reset/:token`: a password by the link, the first one of a new member or another one. */
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
    <Entry title={t(saved ? "people.passwordSaved" : "people.choosePassword")}>
      {saved ? (
        <p role="status">{t("people.passwordSaved.text")}</p>
      ) : (
        <AskForm
          call={save}
          verb={t("people.savePassword")}
          {...(gone && { failure: t("people.linkGone") })}
        >
          <NewPassword label={t("people.newPassword")} autoFocus />
        </AskForm>
      )}
      <Link href="/sign-in">{t("people.backToSignIn")}</Link>
    </Entry>
  );
}
