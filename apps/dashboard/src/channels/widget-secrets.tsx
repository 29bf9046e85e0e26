import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { CopyField } from "../kit/copy.tsx";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";

/** The secret that signs a site's users, and the tokens of its visitors: both can be generated anew. */
export function WidgetSecrets({ id }: { readonly id: string }) {
  const [asking, ask] = useState<"identity" | "visitors" | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [reset, setReset] = useState(false);
  const rotate = useCall(async () => {
    const body = { rotateIdentitySecret: true };
    setSecret((await call("changeWebChannel", { params: { id }, body })).identitySecret);
    ask(null);
  });
  const forget = useCall(async () => {
    await call("changeWebChannel", { params: { id }, body: { rotateVisitorTokens: true } });
    setReset(true);
    ask(null);
  });
  const close = () => ask(null);
  return (
    <Part title={t("channels.web.secrets")}>
      <p>{t("channels.web.identity.text")}</p>
      {secret !== null && (
        <>
          <CopyField label={t("channels.identity")} value={secret} />
          <p className="hint">{t("channels.identity.once")}</p>
        </>
      )}
      <div>
        <Button onPress={() => ask("identity")}>{t("channels.web.identity.new")}</Button>
      </div>
      <p>{t("channels.web.visitors.text")}</p>
      {reset && <p role="status">{t("channels.web.visitors.done")}</p>}
      <div>
        <Button onPress={() => ask("visitors")}>{t("channels.web.visitors")}</Button>
      </div>
      {asking === "identity" && (
        <ConfirmDialog
          title={t("channels.web.identity.ask")}
          verb={t("channels.web.identity.new")}
          call={rotate}
          close={close}
        >
          <p>{t("channels.web.identity.warn")}</p>
        </ConfirmDialog>
      )}
      {asking === "visitors" && (
        <ConfirmDialog
          title={t("channels.web.visitors.ask")}
          verb={t("channels.web.visitors")}
          call={forget}
          close={close}
        >
          <p>{t("channels.web.visitors.text")}</p>
        </ConfirmDialog>
      )}
    </Part>
  );
}
