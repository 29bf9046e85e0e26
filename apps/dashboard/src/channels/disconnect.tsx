import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call, type AnswerOf } from "../api/call.ts";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { refreshChannels } from "./channels-query.ts";
import type { Channel } from "./platforms.ts";

/** Asks before a channel is disconnected, and names what stops with it. */
export function Disconnect({
  channel: { id, name },
  campaigns,
  close,
}: {
  readonly channel: Channel;
  readonly campaigns: AnswerOf<"readChannel">["campaigns"];
  readonly close: () => void;
}) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const end = useCall(async () => {
    await call("disconnectChannel", { params: { id } });
    await refreshChannels(client);
    await navigate({ to: "/settings/channels" });
  });
  return (
    <ConfirmDialog
      title={t("channels.end.title", { name })}
      verb={t("channels.end")}
      call={end}
      close={close}
    >
      <p>{t("channels.end.text")}</p>
      {campaigns.length === 0 ? (
        <p>{t("channels.end.none")}</p>
      ) : (
        <>
          <p>{t("channels.end.campaigns", { count: campaigns.length })}</p>
          <ul className="channel-campaigns">
            {campaigns.map((one) => (
              <li key={one.id}>
                <bdi>{one.name}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  );
}
