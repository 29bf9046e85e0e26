import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { CopyField } from "../kit/copy.tsx";
import { Failure } from "../kit/failure.tsx";
import { dayOf, distanceOf, momentOf } from "../kit/format.ts";
import { Facts, Page, Part } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { channelQuery, channelsQuery, refreshChannels } from "./channels-query.ts";
import { Disconnect } from "./disconnect.tsx";
import { Guide } from "./guide.tsx";
import { Pace } from "./pace.tsx";
import { fieldName, type Channel } from "./platforms.ts";
import { ChannelState, Problems } from "./problems.tsx";
import { Rename, Replace } from "./replace.tsx";
import { TestResult, type Tested } from "./test-result.tsx";
import "./channels.css";

const back = () => ({ href: "/settings/channels", name: t("shell.settings.channels") });

/** `/settings/channels/:id`: an account's state, its values, its pace, and disconnecting it. */
export function ChannelPage() {
  const { id } = useParams({ from: "/members/settings/channels/$id" });
  const { data } = useQuery({ ...channelQuery(id), refetchInterval: 10_000 });
  if (!data) return <PageLate />;
  return data.channel.status === "disconnected" ? (
    <Gone channel={data.channel} />
  ) : (
    <Connected of={data} />
  );
}

function Gone({ channel: { name, type } }: { readonly channel: Channel }) {
  return (
    <Page narrow title={name} back={back()} lead={t("channels.ended")}>
      <p>
        <Link className="primary" href={`/settings/channels/connect?type=${type.toLowerCase()}`}>
          {t("channels.reconnect")}
        </Link>
      </p>
    </Page>
  );
}

type Asking = "rename" | "replace" | "disconnect" | null;

function Connected({ of: detail }: { readonly of: AnswerOf<"readChannel"> }) {
  const { channel, pace, campaigns, templates, web } = detail;
  const { id, name, type } = channel;
  const client = useQueryClient();
  const form = useQuery(channelsQuery).data?.forms.find((one) => one.type === type);
  const [asking, ask] = useState<Asking>(null);
  const [tested, setTested] = useState<Tested | null>(null);
  const [said, setSaid] = useState("");
  const test = useCall(async () => {
    setSaid("");
    setTested({ ...(await call("testChannel", { params: { id } })), name, type });
    await refreshChannels(client);
  });
  const close = () => ask(null);
  const changed = async (words: string) => {
    close();
    setTested(null);
    setSaid(words);
    await refreshChannels(client);
  };
  return (
    <Page
      narrow
      title={name}
      back={back()}
      lead={t(`channels.type.${type}`)}
      actions={
        <>
          <Button onPress={() => ask("rename")}>{t("channels.rename")}</Button>
          <Button className="primary" isPending={test.busy} onPress={() => test.start()}>
            {t("channels.test")}
          </Button>
        </>
      }
    >
      <Failure of={test.failed} />
      {tested && !test.failed && <TestResult of={tested} />}
      {said !== "" && (
        <p role="status" className="channel-good">
          {said}
        </p>
      )}
      <Part title={t("channels.part.state")} actions={<ChannelState channel={channel} />}>
        <Problems of={channel.problems} />
        {channel.problems.length === 0 && <p>{t("channels.part.good")}</p>}
        {channel.throttledUntil !== null && (
          <p>{t("channels.throttled", { time: momentOf(channel.throttledUntil) })}</p>
        )}
        {type !== "WEB" && <StateFacts of={channel} />}
      </Part>
      {web && <ChatWindow id={id} scriptTag={web.scriptTag} />}
      {channel.hookUrl !== null && !channel.sandbox && <Hook type={type} url={channel.hookUrl} />}
      {type !== "WEB" && (
        <Part
          title={t("channels.part.account")}
          actions={
            !channel.sandbox && (
              <Button onPress={() => ask("replace")}>{t("channels.replace")}</Button>
            )
          }
        >
          <AccountFacts of={channel} />
        </Part>
      )}
      {templates && (
        <p>
          <Link href="/templates">{t("channels.templates")}</Link>
        </p>
      )}
      {(type === "WHATSAPP" || type === "TELEGRAM") && <Pace key={pace.most} id={id} pace={pace} />}
      <Part title={t("channels.part.end")}>
        <p>{t("channels.end.text")}</p>
        <div>
          <Button className="danger" onPress={() => ask("disconnect")}>
            {t("channels.end")}
          </Button>
        </div>
      </Part>
      {asking === "rename" && <Rename channel={channel} close={close} done={changed} />}
      {asking === "replace" && form && (
        <Replace channel={channel} form={form} close={close} done={changed} />
      )}
      {asking === "disconnect" && (
        <Disconnect channel={channel} campaigns={campaigns} close={close} />
      )}
    </Page>
  );
}

/** The tag that brings the chat window into a site, and the way to its designer. */
function ChatWindow({ id, scriptTag }: { readonly id: string; readonly scriptTag: string }) {
  return (
    <Part title={t("channels.part.window")}>
      <p>{t("channels.web.snippet.text")}</p>
      <CopyField label={t("channels.web.snippet")} value={scriptTag} rows={2} />
      <p>
        <Link className="primary" href={`/settings/channels/${id}/widget`}>
          {t("channels.design")}
        </Link>
      </p>
    </Part>
  );
}

/** The address at which the platform calls us, and where to enter it there. */
function Hook({ type, url }: { readonly type: Channel["type"]; readonly url: string }) {
  return (
    <Part title={t("channels.part.hook")}>
      <CopyField label={t("channels.hook")} value={url} />
      {type !== "TELEGRAM" && type !== "WEB" && (
        <>
          <p className="hint">{t("channels.hook.keep")}</p>
          <Guide path={`channels.hook.${type}`} advice={`channels.hook.${type}.then`} />
        </>
      )}
    </Part>
  );
}

function StateFacts({ of: channel }: { readonly of: Channel }) {
  const { lastWebhookAt, syncedAt, tokenEndsAt, createdAt } = channel;
  const ago = (at: string | null) =>
    at === null ? t("channels.never") : `${distanceOf(at)} · ${momentOf(at)}`;
  return (
    <Facts
      of={[
        [t("channels.fact.last"), ago(lastWebhookAt)],
        [t("channels.fact.asked"), ago(syncedAt)],
        [
          t("channels.fact.ends"),
          tokenEndsAt === null ? t("channels.fact.ends.never") : ago(tokenEndsAt),
        ],
        [t("channels.fact.since"), dayOf(createdAt)],
      ]}
    />
  );
}

function AccountFacts({ of: { account, settings, apiUrl } }: { readonly of: Channel }) {
  const code = (value: string) => <bdi dir="ltr">{value}</bdi>;
  return (
    <Facts
      of={[
        [t("channels.fact.account"), code(account)],
        ...Object.entries(settings)
          .filter(([name]) => name !== "polling")
          .map(([name, value]) => [fieldName(name), code(value)] as const),
        [t("channels.fact.api"), apiUrl === null ? t("channels.fact.api.own") : code(apiUrl)],
      ]}
    />
  );
}
