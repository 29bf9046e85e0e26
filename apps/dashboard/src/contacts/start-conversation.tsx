import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { TemplateChoice } from "../inbox/composer/send-template.tsx";
import { uuid7 } from "../api/uuid7.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import type { Contact } from "./person.ts";

/** Begins a conversation with a template, on a WhatsApp channel, and opens it. */
export function StartConversation({
  contact,
  close,
}: {
  readonly contact: Contact;
  readonly close: () => void;
}) {
  const { channels } = useBootstrap();
  const navigate = useNavigate();
  const able = channels.filter(({ type }) => type === "WHATSAPP");
  const [channelId, setChannelId] = useState(able[0]?.id ?? "");
  // The same on each try, so that nothing is sent twice.
  const [clientId, setClientId] = useState(() => uuid7(Date.now()));
  const send = useCall(async (templateId: string, variables: readonly string[]) => {
    const { row } = await call("startConversation", {
      params: { id: contact.id },
      body: { clientId, channelId, templateId, variables: [...variables] },
      idempotencyKey: clientId,
    });
    close();
    await navigate({ to: "/inbox/$view/{-$talk}", params: { view: "all", talk: row.id } });
  });
  const unable =
    contact.phone === null
      ? t("contacts.start.noPhone")
      : able.length === 0
        ? t("contacts.start.noChannel")
        : null;
  return (
    <AskDialog title={t("contacts.startConversation")} wide close={close}>
      {unable === null ? (
        <>
          {contact.optedOut && <p className="contact-note">{t("contacts.start.optedOut")}</p>}
          {able.length > 1 && (
            <Choice
              label={t("contacts.start.channel")}
              value={channelId}
              options={able.map(({ id, name }) => ({
                value: id,
                name: name || t("channels.type.WHATSAPP"),
              }))}
              change={setChannelId}
            />
          )}
          <Failure of={send.failed} />
          <TemplateChoice
            key={channelId}
            queryKey={["first-templates", channelId]}
            load={(signal) =>
              call("listFirstTemplates", {
                params: { id: contact.id },
                query: { channelId },
                signal,
              })
            }
            busy={send.busy}
            onCancel={close}
            onSend={({ body: { templateId, variables } }) => {
              // A refused one may be changed and sent as another message.
              if (send.failed) setClientId(uuid7(Date.now()));
              send.start(templateId, variables);
            }}
          />
        </>
      ) : (
        <>
          <p>{unable}</p>
          <div className="ask-buttons">
            <Button onPress={close}>{t("kit.close")}</Button>
          </div>
        </>
      )}
    </AskDialog>
  );
}
