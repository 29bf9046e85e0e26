import { useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { NotFound } from "../shell/page-failed.tsx";
import { t } from "../text/t.ts";
import { AskForm, Field, NewPassword } from "../kit/ask-form.tsx";
import { Entry } from "./entry.tsx";
import { enter } from "../api/entered.ts";
import { useCall } from "../kit/use-call.ts";

/** `/setup`: the first workspace and its owner, while no one can sign in. The link that the server prints has the code. */
export function SetUp() {
  const state = useQuery({ queryKey: ["setup"], queryFn: () => call("readSetUp") });
  const setUp = useCall(async (texts: ReadonlyMap<string, string>) => {
    await call("setUp", {
      body: {
        workspaceName: texts.get("workspaceName") ?? "",
        name: texts.get("name") ?? "",
        email: texts.get("email") ?? "",
        password: texts.get("password") ?? "",
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        code: texts.get("code") ?? "",
      },
    });
    enter("/inbox/mine");
  });
  if (state.data?.needed === false) return <NotFound />;
  return (
    <Entry title={t("people.setup")} intro={t("people.setup.text")}>
      <AskForm
        call={setUp}
        verb={t("people.create")}
        {...(setUp.failed?.code === "NOT_FOUND" && { failure: t("people.setup.wrongCode") })}
      >
        {state.data?.withCode === true && (
          <Field
            name="code"
            label={t("people.setup.code")}
            hint={t("people.setup.code.hint")}
            defaultValue={location.hash.slice(1)}
            autoComplete="off"
            dir="ltr"
          />
        )}
        <Field
          name="workspaceName"
          label={t("people.workspaceName")}
          autoComplete="organization"
          autoFocus
        />
        <Field name="name" label={t("people.yourName")} autoComplete="name" />
        <Field name="email" type="email" label={t("people.email")} autoComplete="username" />
        <NewPassword label={t("people.password")} />
      </AskForm>
    </Entry>
  );
}
