import { useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { AskDialog, ConfirmDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { momentOf } from "../kit/format.ts";
import { Facts, Part } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { useCall } from "../kit/use-call.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { Deliveries } from "./deliveries.tsx";
import { SettingsPage } from "./settings-page.tsx";
import {
  EndpointState,
  endpointsQuery,
  KindChoice,
  ShowSecret,
  type Endpoint,
} from "./webhooks.tsx";

/** `/settings/webhooks/ID`: one receiver, its deliveries and its answers. */
export function Webhook() {
  const { id } = useParams({ from: "/members/settings/webhooks/$id" });
  const cache = useQueryClient();
  const endpoint = useQuery({
    queryKey: ["endpoint", id],
    queryFn: ({ signal }) => call("readWebhookEndpoint", { params: { id }, signal }),
    throwOnError: failsPage,
  });
  const [asking, setAsking] = useState<
    "edit" | "disable" | "delete" | "rotate" | "rotate-now" | null
  >(null);
  const [secret, setSecret] = useState<string | null>(null);
  // The next action waits for the endpoint, and not for its deliveries.
  const changed = async () => {
    void cache.invalidateQueries({ queryKey: ["endpoints"] });
    void cache.invalidateQueries({ queryKey: ["deliveries", id] });
    await endpoint.refetch();
  };
  const test = useCall(async () => {
    await call("testWebhookEndpoint", { params: { id } });
    await cache.invalidateQueries({ queryKey: ["deliveries", id] });
  });
  const turn = useCall(async (enabled: boolean) => {
    await call("switchEndpoint", { params: { id }, body: { enabled } });
    setAsking(null);
    await changed();
  });
  const { data } = endpoint;
  if (!data) return <PageLate />;
  const off = data.disabledAt !== null;
  return (
    <SettingsPage
      title={data.name ?? t("keys.endpoint")}
      lead={<bdi dir="ltr">{data.url}</bdi>}
      back={{ href: "/settings/webhooks", name: t("shell.settings.webhooks") }}
      actions={
        <>
          <Button {...next(!off)} isPending={test.busy} onPress={() => test.start()}>
            {t("keys.endpoint.test")}
          </Button>
          <Button onPress={() => setAsking("edit")}>{t("kit.edit")}</Button>
          {off ? (
            <Button {...next(off)} isPending={turn.busy} onPress={() => turn.start(true)}>
              {t("keys.endpoint.enable")}
            </Button>
          ) : (
            <Button onPress={() => setAsking("disable")}>{t("keys.endpoint.disable")}</Button>
          )}
          <Button className="quiet destroys" onPress={() => setAsking("delete")}>
            <Icon name="trash" />
            {t("keys.endpoint.delete")}
          </Button>
        </>
      }
    >
      <Failure of={test.failed ?? (off ? turn.failed : null)} />
      <Part title={t("keys.state")}>
        <EndpointFacts of={data} />
        <div className="page-actions">
          <Button onPress={() => setAsking("rotate")}>{t("keys.endpoint.rotate")}</Button>
          <Button onPress={() => setAsking("rotate-now")}>{t("keys.endpoint.rotate.now")}</Button>
        </div>
      </Part>
      <Deliveries endpointId={id} off={off} />
      {asking === "edit" && (
        <EditEndpoint endpoint={data} close={() => setAsking(null)} saved={changed} />
      )}
      {asking === "disable" && (
        <DisableEndpoint
          url={data.url}
          call={{ ...turn, start: () => turn.start(false) }}
          close={() => setAsking(null)}
        />
      )}
      {asking === "delete" && <DeleteEndpoint endpoint={data} close={() => setAsking(null)} />}
      {(asking === "rotate" || asking === "rotate-now") && (
        <RotateSecret
          id={id}
          now={asking === "rotate-now"}
          close={() => setAsking(null)}
          rotated={async (fresh) => {
            setSecret(fresh);
            setAsking(null);
            await changed();
          }}
        />
      )}
      {secret !== null && (
        <ShowSecret
          secret={secret}
          close={() => setSecret(null)}
          {...(data.secretTakesOverAt !== null && {
            text: t("keys.endpoint.secret.soon", { at: momentOf(data.secretTakesOverAt) }),
          })}
        />
      )}
    </SettingsPage>
  );
}

/** The look of the one button that is the next step: of an endpoint that is off, to enable it. */
const next = (is: boolean) => (is ? { className: "primary" } : {});

/** What the page says of the endpoint: its state, its events and which secret signs. */
function EndpointFacts({ of: endpoint }: { readonly of: AnswerOf<"readWebhookEndpoint"> }) {
  const { disabledBy, events, secretTakesOverAt } = endpoint;
  return (
    <Facts
      of={[
        [t("keys.state"), <EndpointState key="state" of={endpoint} />],
        ...(disabledBy === null
          ? []
          : [[t("keys.endpoint.reason"), t(`keys.endpoint.off.${disabledBy}`)] as const]),
        [
          t("keys.endpoint.events"),
          events.length === 0 ? (
            t("keys.endpoint.events.all")
          ) : (
            <bdi key="events" dir="ltr">
              {events.join(", ")}
            </bdi>
          ),
        ],
        [
          t("keys.secret"),
          secretTakesOverAt === null
            ? t("keys.endpoint.secret.kept")
            : t("keys.endpoint.secret.soon", { at: momentOf(secretTakesOverAt) }),
        ],
      ]}
    />
  );
}

/** Asks before the endpoint gets nothing any more. */
function DisableEndpoint({
  url,
  call: disable,
  close,
}: {
  readonly url: string;
  readonly call: Parameters<typeof ConfirmDialog>[0]["call"];
  readonly close: () => void;
}) {
  return (
    <ConfirmDialog
      title={t("keys.endpoint.disable.title")}
      verb={t("keys.endpoint.disable")}
      call={disable}
      close={close}
    >
      <p>
        <bdi dir="ltr">{url}</bdi>
      </p>
      <p>{t("keys.endpoint.disable.stops")}</p>
      <p>{t("keys.endpoint.disable.kept")}</p>
    </ConfirmDialog>
  );
}

/** Asks before the endpoint is deleted, with what waits for it. */
function DeleteEndpoint({
  endpoint: { id, name, url },
  close,
}: {
  readonly endpoint: Endpoint;
  readonly close: () => void;
}) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const remove = useCall(async () => {
    await call("deleteWebhookEndpoint", { params: { id } });
    await navigate({ to: "/settings/webhooks" });
    cache.removeQueries({ queryKey: ["endpoint", id] });
    await cache.invalidateQueries({ queryKey: ["endpoints"] });
  });
  return (
    <ConfirmDialog
      title={t("keys.endpoint.delete.title")}
      verb={t("keys.endpoint.delete")}
      call={remove}
      close={close}
    >
      <p>
        {name !== null && (
          <>
            <bdi>{name}</bdi>
            {" · "}
          </>
        )}
        <bdi dir="ltr">{url}</bdi>
      </p>
      <p>{t("keys.endpoint.delete.stops")}</p>
      <p>{t("keys.endpoint.delete.final")}</p>
    </ConfirmDialog>
  );
}

/** Asks before the endpoint gets a new secret, which signs from tomorrow on or at once. */
function RotateSecret({
  id,
  now,
  close,
  rotated,
}: {
  readonly id: string;
  readonly now: boolean;
  readonly close: () => void;
  readonly rotated: (secret: string) => Promise<void>;
}) {
  const rotate = useCall(async () => {
    const { secret } = await call("rotateWebhookSecret", { params: { id }, body: { now } });
    await rotated(secret);
  });
  return (
    <ConfirmDialog
      title={t("keys.endpoint.rotate.title")}
      verb={t(now ? "keys.endpoint.rotate.now" : "keys.endpoint.rotate")}
      call={rotate}
      mild={!now}
      close={close}
    >
      <p>{t(now ? "keys.endpoint.rotate.now.text" : "keys.endpoint.rotate.text")}</p>
    </ConfirmDialog>
  );
}

function EditEndpoint({
  endpoint,
  close,
  saved,
}: {
  readonly endpoint: Endpoint;
  readonly close: () => void;
  readonly saved: () => Promise<void>;
}) {
  const { data } = useQuery(endpointsQuery);
  const [url, setUrl] = useState("");
  const [name, setName] = useState(endpoint.name ?? "");
  const [events, setEvents] = useState<readonly string[] | null>(
    endpoint.events.length === 0 ? null : endpoint.events,
  );
  const save = useCall(async () => {
    await call("updateEndpoint", {
      params: { id: endpoint.id },
      // The address is not shown whole, so an empty field leaves it as it is.
      body: {
        events: [...(events ?? [])],
        ...(name.trim() !== (endpoint.name ?? "") && { name }),
        ...(url.trim() !== "" && { url: url.trim() }),
      },
    });
    await saved();
    close();
  });
  return (
    <AskDialog title={t("keys.endpoint.edit")} close={close} submit={() => save.start()}>
      <TextInput
        label={t("keys.endpoint.url.new")}
        hint={t("keys.endpoint.url.keep")}
        placeholder={endpoint.url}
        code
        value={url}
        onChange={setUrl}
      />
      <TextInput
        label={t("keys.endpoint.name")}
        hint={t("keys.endpoint.name.hint")}
        maxLength={80}
        value={name}
        onChange={setName}
      />
      <KindChoice kinds={data?.kinds ?? []} chosen={events} change={setEvents} />
      <Failure of={save.failed} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button
          className="primary"
          isDisabled={events?.length === 0}
          isPending={save.busy}
          type="submit"
        >
          {t("kit.save")}
        </Button>
      </div>
    </AskDialog>
  );
}
