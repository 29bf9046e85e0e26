import { Link } from "react-aria-components";
import { useQuery } from "@tanstack/react-query";
import type { AnswerOf } from "../api/call.ts";
import { CopyField } from "../kit/copy.tsx";
import { Icon } from "../kit/icon.tsx";
import { Page, Part } from "../kit/page.tsx";
import { t } from "../text/t.ts";
import { channelQuery } from "./channels-query.ts";
import { Guide } from "./guide.tsx";
import type { Channel } from "./platforms.ts";
import { Problems } from "./problems.tsx";
import "./channels.css";

/** How often the page looks while it waits for the first call. */
const LOOK_MS = 2_000;

/** The result of a connect: what is left to do at the platform, and, live, whether its first call came. */
export function Connected({
  made,
  verifyToken,
  back,
}: {
  readonly made: AnswerOf<"connectChannel">;
  readonly verifyToken: string;
  readonly back: { readonly href: string; readonly name: string };
}) {
  const { data } = useQuery({
    ...channelQuery(made.id),
    refetchInterval: ({ state: { data: now } }) =>
      now?.channel.lastWebhookAt && !now.templates?.due ? false : LOOK_MS,
  });
  const channel = data?.channel ?? made;
  const { name, type } = channel;
  const ready = channel.problems.every(({ kind }) => kind !== "error" && kind !== "not_set_up");
  return (
    <Page
      narrow
      back={back}
      title={ready ? t("channels.made", { name }) : t("channels.made.trouble", { name })}
      {...(ready && {
        lead: entersByHand(channel) ? t("channels.made.text") : t("channels.made.set"),
      })}
    >
      <Problems of={channel.problems} />
      {type === "WEB" ? (
        data?.web && <NewWindow made={made} script={data.web.scriptTag} />
      ) : (
        <>
          {channel.hookUrl !== null && (
            <Part title={t("channels.step.webhook")}>
              <Guide path={`channels.hook.${type}`} advice={`channels.hook.${type}.then`} />
              {entersByHand(channel) && (
                <>
                  <CopyField label={t("channels.hook")} value={channel.hookUrl} />
                  {type !== "TIKTOK" && (
                    <CopyField label={t("channels.field.verifyToken")} value={verifyToken} />
                  )}
                </>
              )}
            </Part>
          )}
          {data?.templates && <TemplatesRead of={data.templates} />}
          <FirstCall channel={channel} />
        </>
      )}
      <p className="channel-buttons">
        <Link className="button" href={`/settings/channels/${channel.id}`}>
          {t("channels.openChannel")}
        </Link>
      </p>
    </Page>
  );
}

/** We tell Telegram our address, and TikTok when the app's id is known; at the others a person enters it. */
const entersByHand = ({ type, settings, hookUrl }: Channel): boolean =>
  hookUrl !== null && type !== "TELEGRAM" && settings["appId"] === undefined;

function FirstCall({ channel }: { readonly channel: Channel }) {
  const polled = channel.hookUrl === null;
  const came = channel.lastWebhookAt !== null;
  return (
    <Part title={t("channels.lastCall")}>
      <p className="channel-wait" role="status" data-came={came || undefined}>
        {came ? <Icon name="circle-check" /> : !polled && <span className="channel-pulse" />}
        {came ? t("channels.wait.came") : polled ? t("channels.wait.polled") : t("channels.wait")}
      </p>
      {!came && !polled && <p>{t("channels.wait.text")}</p>}
      <p>
        <Link href={`/inbox/channel-${channel.id}`}>{t("channels.openInbox")}</Link>
      </p>
    </Part>
  );
}

type Templates = NonNullable<AnswerOf<"readChannel">["templates"]>;

/** The account's templates: that they are being read, then how many there are. */
function TemplatesRead({ of: { due, count, readAt } }: { readonly of: Templates }) {
  // They could not be read: the problems above name the reason.
  if (!due && readAt === null) return null;
  return (
    <Part title={t("shell.templates")}>
      <p className="channel-wait" role="status" data-came={!due || undefined}>
        {due ? <span className="channel-pulse" /> : <Icon name="circle-check" />}
        {due ? t("channels.templates.reading") : t("channels.templates.read", { count })}
      </p>
      {!due && (
        <p>
          <Link href="/templates">{t("channels.templates.open")}</Link>
        </p>
      )}
    </Part>
  );
}

function NewWindow({
  made,
  script,
}: {
  readonly made: AnswerOf<"connectChannel">;
  readonly script: string;
}) {
  return (
    <Part title={t("channels.web.embed")}>
      <p>{t("channels.web.snippet.text")}</p>
      <CopyField label={t("channels.web.snippet")} value={script} rows={2} />
      {made.identitySecret !== null && (
        <>
          <CopyField label={t("channels.identity")} value={made.identitySecret} />
          <p className="hint">{t("channels.identity.once")}</p>
        </>
      )}
      <p>
        <Link className="primary" href={`/settings/channels/${made.id}/widget`}>
          {t("channels.design")}
        </Link>
      </p>
    </Part>
  );
}
