import { Link } from "react-aria-components";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call, type AnswerOf } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { ChannelGlyph } from "../kit/channel-glyph.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Page } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { channelsQuery, refreshChannels } from "./channels-query.ts";
import { ConnectForm } from "./connect-form.tsx";
import { Connected } from "./connected.tsx";
import { PLATFORMS, typeOf, type ChannelType } from "./platforms.ts";
import type { Values } from "./value-fields.tsx";
import "./channels.css";

/** Random, of 144 bits, in characters that every platform accepts. */
function newVerifyToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll(/[+/]/g, "-");
}

/** `/settings/channels/connect`: connects an account step by step; `?type=whatsapp` begins with its first values. */
export function ConnectChannel() {
  const { type: named } = useSearch({ from: "/members/settings/channels/connect" });
  const type = typeOf(named);
  const navigate = useNavigate();
  const list = useQuery(channelsQuery);
  const isTest = useBootstrap().workspace.kind === "test";
  const choose = (chosen: ChannelType) =>
    void navigate({ to: "/settings/channels/connect", search: { type: chosen.toLowerCase() } });
  const back = { href: "/settings/channels", name: t("shell.settings.channels") };
  if (!list.data) return <PageLate />;
  if (isTest)
    return (
      <Page narrow back={back} title={t("channels.connect")}>
        <EmptyState title={t("channels.testOnly")} text={t("channels.testOnly.text")}>
          <Link href="/sandbox">{t("sandbox.title")}</Link>
        </EmptyState>
      </Page>
    );
  const { limit, taken } = list.data;
  if (limit !== null && taken >= limit && type === undefined)
    return (
      <Page narrow back={back} title={t("channels.connect")}>
        <EmptyState title={t("sandbox.full")} text={t("channels.full", { limit })} />
      </Page>
    );
  return type === undefined ? (
    <Page narrow back={back} title={t("channels.connect")} lead={t("channels.choose")}>
      <Platforms choose={choose} />
    </Page>
  ) : (
    <ConnectOne key={type} type={type} known={list.data} />
  );
}

function Platforms({ choose }: { readonly choose: (type: ChannelType) => void }) {
  return (
    <>
      <ul className="channel-platforms">
        {PLATFORMS.map((type) => (
          <li key={type}>
            <button type="button" className="channel-platform" onClick={() => choose(type)}>
              <ChannelGlyph type={type} />
              <strong>{t(`channels.type.${type}`)}</strong>
              <span>{t(`channels.about.${type}`)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="channel-sandbox">
        <Link href="/sandbox">{t("channels.trySandbox")}</Link> {t("channels.trySandbox.text")}
      </p>
    </>
  );
}

type Made = AnswerOf<"connectChannel">;

function ConnectOne({
  type,
  known,
}: {
  readonly type: ChannelType;
  readonly known: AnswerOf<"listChannels">;
}) {
  const [values, setValues] = useState<Values>(() => ({
    name: t(`channels.type.${type}`),
    verifyToken: newVerifyToken(),
    polling: type === "TELEGRAM" && !known.reachable ? "true" : "",
  }));
  const [made, setMade] = useState<Made | null>(null);
  const form = known.forms.find((one) => one.type === type);
  const connect = useCall(async () => {
    const names = form?.fields.map(({ name }) => name) ?? [];
    const { name = "", apiUrl = "" } = values;
    const fields = Object.fromEntries(
      names.flatMap((one) => {
        const value = (values[one] ?? "").trim();
        return value === "" ? [] : [[one, value]];
      }),
    );
    const answer = await call("connectChannel", {
      body: { type, name, fields, ...(apiUrl.trim() !== "" && { apiUrl: apiUrl.trim() }) },
    });
    setMade(answer);
    await refreshChannels(queryClient);
  });
  if (!form) return null;
  const title = `${t("channels.connect")}: ${t(`channels.type.${type}`)}`;
  if (made)
    return (
      <Connected
        made={made}
        verifyToken={values["verifyToken"] ?? ""}
        back={{ href: "/settings/channels", name: t("shell.settings.channels") }}
      />
    );
  return (
    <Page
      narrow
      title={title}
      back={{ href: "/settings/channels/connect", name: t("channels.choose") }}
    >
      <ConnectForm
        type={type}
        form={form}
        values={values}
        change={(name, value) => setValues((now) => ({ ...now, [name]: value }))}
        call={connect}
      />
    </Page>
  );
}
