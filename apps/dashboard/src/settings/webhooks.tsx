import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { Badge } from "../kit/badge.tsx";
import { CopyField } from "../kit/copy.tsx";
import { AskDialog } from "../kit/dialog.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice, TextInput, Tick } from "../kit/fields.tsx";
import { DataTable } from "../kit/table.tsx";
import { useCall } from "../kit/use-call.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { SettingsPage } from "./settings-page.tsx";

export type Endpoint = AnswerOf<"readWebhookEndpoint">;

/** The receivers and all kinds of events; both pages of webhooks read them. */
export const endpointsQuery = {
  queryKey: ["endpoints"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call("listEndpoints", { signal }),
} as const;

/** `/settings/webhooks`: the addresses that events are sent to. */
export function Webhooks() {
  const endpoints = useQuery({ ...endpointsQuery, throwOnError: failsPage });
  const [adding, setAdding] = useState(false);
  const items = endpoints.data?.items;
  const add = (
    <Button className="primary" onPress={() => setAdding(true)}>
      <Icon name="plus" />
      {t("keys.endpoint.new")}
    </Button>
  );
  return (
    <SettingsPage
      title={t("shell.settings.webhooks")}
      lead={t("keys.webhooks.lead")}
      actions={items?.length !== 0 && add}
    >
      {items?.length === 0 && (
        <EmptyState title={t("keys.endpoints.none")} text={t("keys.endpoints.none.text")}>
          {add}
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <DataTable
          name={t("shell.settings.webhooks")}
          rows={items}
          id={({ id }) => id}
          href={({ id }) => `/settings/webhooks/${id}`}
          columns={[
            {
              key: "url",
              name: t("keys.endpoint.url"),
              cell: ({ url }) => <bdi dir="ltr">{url}</bdi>,
            },
            ...(items.some(({ name }) => name !== null)
              ? [
                  {
                    key: "name",
                    name: t("keys.endpoint.name"),
                    cell: ({ name }: Endpoint) => <bdi>{name}</bdi>,
                  },
                ]
              : []),
            {
              key: "events",
              name: t("keys.endpoint.events"),
              cell: ({ events }) =>
                events.length === 0
                  ? t("keys.endpoint.events.all")
                  : t("keys.endpoint.events.some", { count: events.length }),
            },
            {
              key: "state",
              name: t("keys.state"),
              cell: (endpoint) => <EndpointState of={endpoint} />,
            },
          ]}
        />
      )}
      <p className="hint">
        {t("keys.webhooks.docs")}{" "}
        <a href="/docs/guides/receiving-webhooks" target="_blank" rel="noreferrer">
          {t("keys.webhooks.guide")}
        </a>
      </p>
      {adding && endpoints.data && (
        <NewEndpoint
          kinds={endpoints.data.kinds}
          close={() => setAdding(false)}
          made={() => void endpoints.refetch()}
        />
      )}
    </SettingsPage>
  );
}

/** Whether an endpoint is served, fails, or is disabled. */
export function EndpointState({
  of: { disabledAt, failures },
}: {
  readonly of: Pick<Endpoint, "disabledAt" | "failures">;
}) {
  if (disabledAt !== null) return <Badge tone="bad">{t("keys.endpoint.off")}</Badge>;
  if (failures > 0)
    return <Badge tone="warn">{t("keys.endpoint.failing", { count: failures })}</Badge>;
  return <Badge tone="ok">{t("keys.endpoint.on")}</Badge>;
}

/** The kinds of events for an endpoint: all, or the ticked ones. */
export function KindChoice({
  kinds,
  chosen,
  change,
}: {
  readonly kinds: readonly string[];
  /** Empty: all. */
  readonly chosen: readonly string[] | null;
  readonly change: (chosen: readonly string[] | null) => void;
}) {
  return (
    <>
      <Choice
        label={t("keys.endpoint.events")}
        value={chosen === null ? "all" : "some"}
        change={(value) => change(value === "all" ? null : [])}
        options={[
          { value: "all", name: t("keys.endpoint.events.all") },
          { value: "some", name: t("keys.endpoint.events.choose") },
        ]}
      />
      {chosen === null && <p className="hint">{t("keys.endpoint.events.optIn")}</p>}
      {chosen !== null && (
        <fieldset className="tick-list">
          <legend className="visually-hidden">{t("keys.endpoint.events")}</legend>
          {kinds.map((kind) => (
            <Tick
              key={kind}
              label={<bdi dir="ltr">{kind}</bdi>}
              on={chosen.includes(kind)}
              change={(on) => change(on ? [...chosen, kind] : chosen.filter((one) => one !== kind))}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

function NewEndpoint({
  kinds,
  close,
  made,
}: {
  readonly kinds: readonly string[];
  readonly close: () => void;
  readonly made: () => void;
}) {
  const [url, setUrl] = useState("");
  const [name, setName] = useState("");
  const [events, setEvents] = useState<readonly string[] | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const create = useCall(async () => {
    const answer = await call("createEndpoint", {
      body: { url: url.trim(), name, events: [...(events ?? [])] },
    });
    setSecret(answer.secret);
    made();
  });
  if (secret !== null) return <ShowSecret secret={secret} close={close} />;
  return (
    <AskDialog title={t("keys.endpoint.new")} close={close} submit={() => create.start()}>
      <TextInput
        label={t("keys.endpoint.url")}
        hint={t("keys.endpoint.url.hint")}
        placeholder="https://shop.example.com/webhooks/parley"
        code
        value={url}
        onChange={setUrl}
        autoFocus
      />
      <TextInput
        label={t("keys.endpoint.name")}
        hint={t("keys.endpoint.name.hint")}
        maxLength={80}
        value={name}
        onChange={setName}
      />
      <KindChoice kinds={kinds} chosen={events} change={setEvents} />
      <Failure of={create.failed} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button
          className="primary"
          isDisabled={url.trim() === "" || events?.length === 0}
          isPending={create.busy}
          type="submit"
        >
          {t("keys.endpoint.add")}
        </Button>
      </div>
    </AskDialog>
  );
}

/** The secret of an endpoint, shown once. */
export function ShowSecret({
  secret,
  text = t("keys.endpoint.secret.text"),
  close,
}: {
  readonly secret: string;
  readonly text?: string;
  readonly close: () => void;
}) {
  return (
    <AskDialog title={t("keys.endpoint.secret")} close={close}>
      <p>{text}</p>
      <CopyField label={t("keys.secret")} value={secret} />
      <div className="ask-buttons">
        <Button className="primary" onPress={close}>
          {t("keys.stored")}
        </Button>
      </div>
    </AskDialog>
  );
}
