import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { AskForm, Field } from "../kit/ask-form.tsx";
import { Entry } from "./entry.tsx";

/**
 * Asks for the code of the app, or for a recovery code, after the password. `over`: the password must be given
 * again.
 */
export function SecondStep({
  entered,
  over,
}: {
  readonly entered: () => void;
  readonly over: () => void;
}) {
  const [byPaper, setByPaper] = useState(false);
  return (
    <Entry
      title={t(byPaper ? "security.recoveryCode" : "security.code.title")}
      intro={t(byPaper ? "security.recoveryCode.text" : "security.code.text")}
    >
      {/* What was said of a code of the app says nothing of a recovery code. */}
      <CodeForm key={String(byPaper)} byPaper={byPaper} entered={entered} />
      <div className="entry-more">
        <Button onPress={() => setByPaper(!byPaper)}>
          {t(byPaper ? "security.useApp" : "security.useRecovery")}
        </Button>
        <Button onPress={over}>{t("security.again")}</Button>
      </div>
    </Entry>
  );
}

function CodeForm({
  byPaper,
  entered,
}: {
  readonly byPaper: boolean;
  readonly entered: () => void;
}) {
  const [refused, setRefused] = useState(0);
  const verify = useCall(async (texts: ReadonlyMap<string, string>) => {
    const code = texts.get("code") ?? "";
    try {
      await call("verifyCode", { body: byPaper ? { recoveryCode: code } : { code } });
    } catch (error) {
      setRefused(refused + 1);
      throw error;
    }
    entered();
  });
  const code = verify.failed?.code;
  return (
    <AskForm
      // After a wrong code the field is empty, and has the focus.
      key={refused}
      call={verify}
      verb={t("security.verify")}
      {...(code === "INVALID_CREDENTIALS" && {
        failure: t(byPaper ? "security.recoveryCode.wrong" : "security.code.wrong"),
      })}
      {...(code === "UNAUTHENTICATED" && { failure: t("security.code.over") })}
    >
      <Field
        name="code"
        label={t(byPaper ? "security.recoveryCode" : "security.code")}
        autoComplete="one-time-code"
        inputMode={byPaper ? "text" : "numeric"}
        autoFocus
      />
    </AskForm>
  );
}
