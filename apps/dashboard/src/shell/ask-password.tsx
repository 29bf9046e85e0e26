import { call } from "../api/call.ts";
import { AskForm, Field } from "../kit/ask-form.tsx";
import { useCall } from "../kit/use-call.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { t } from "../text/t.ts";

/** The dialog that asks for the password before acts for which an unlocked screen is not enough. */
export function AskPassword({ settle }: { readonly settle: (given: boolean) => void }) {
  const prove = useCall(async (texts: ReadonlyMap<string, string>) => {
    await call("proveAgain", { body: { password: texts.get("password") ?? "" } });
    settle(true);
  });
  return (
    <AskDialog title={t("security.prove")} close={() => settle(false)}>
      <p>{t("security.prove.text")}</p>
      <AskForm
        call={prove}
        cancel={() => settle(false)}
        verb={t("security.prove.go")}
        {...(prove.failed?.code === "INVALID_CREDENTIALS" && {
          failure: t("security.prove.wrong"),
        })}
      >
        <Field
          name="password"
          type="password"
          label={t("people.password")}
          autoComplete="current-password"
          autoFocus
        />
      </AskForm>
    </AskDialog>
  );
}
