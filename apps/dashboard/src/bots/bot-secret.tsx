import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { CopyField } from "../kit/copy.tsx";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { momentOf } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import { Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { readAgain, type Bot } from "./bots-query.ts";
import "./flow.css";

/** What signs the calls of a bot to other systems: made and replaced here, shown once. */
export function BotSecret({ bot: { id, secretMadeAt } }: { readonly bot: Bot }) {
  const may = useMay("makeBotSecret");
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const make = useCall(async () => {
    const made = await call("makeBotSecret", { params: { id } });
    setSecret(made.secret);
    setAsking(false);
    await readAgain();
  });
  const isFirst = secretMadeAt === null;
  return (
    <Part title={t("flow.secret")}>
      <p className="hint">{t("flow.secret.hint")}</p>
      {secret !== null && (
        <>
          <CopyField label={t("flow.secret")} value={secret} />
          <p role="status">{t("flow.secret.made")}</p>
        </>
      )}
      {secret === null && (
        <p>
          {isFirst
            ? t("flow.secret.none")
            : t("flow.secret.since", { when: momentOf(secretMadeAt) })}
        </p>
      )}
      {may && (
        <Button
          className="button flow-add"
          isPending={make.busy}
          // A first one ends nothing, so no question is asked.
          onPress={() => (isFirst ? make.start() : setAsking(true))}
        >
          <Icon name="key-round" />
          {t(isFirst ? "flow.secret.make" : "flow.secret.replace")}
        </Button>
      )}
      {!isAsking && <Failure of={make.failed} />}
      {isAsking && (
        <ConfirmDialog
          title={t("flow.secret.ask")}
          verb={t("flow.secret.replace")}
          call={make}
          close={() => setAsking(false)}
        >
          <p>{t("flow.secret.ask.text")}</p>
        </ConfirmDialog>
      )}
    </Part>
  );
}
