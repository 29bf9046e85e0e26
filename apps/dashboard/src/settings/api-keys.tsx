import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Badge } from "../kit/badge.tsx";
import { CopyField } from "../kit/copy.tsx";
import { AskDialog, ConfirmDialog } from "../kit/dialog.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice, TextInput, Tick } from "../kit/fields.tsx";
import { dayOf, distanceOf } from "../kit/format.ts";
import { DataTable } from "../kit/table.tsx";
import { useCall } from "../kit/use-call.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { SettingsPage } from "./settings-page.tsx";

type Listed = AnswerOf<"listKeys">;
type Key = Listed["items"][number];

/** `/settings/api-keys`: the keys with which other programs call. */
export function ApiKeys() {
  const keys = useQuery({
    queryKey: ["keys"],
    queryFn: ({ signal }) => call("listKeys", { signal }),
    throwOnError: failsPage,
  });
  const isTest = useBootstrap().workspace.kind === "test";
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [changing, setChanging] = useState<Key | null>(null);
  if (!keys.data) return <SettingsPage title={t("shell.settings.keys")}>{null}</SettingsPage>;
  const { items } = keys.data;
  const make = (
    <Button className="primary" onPress={() => setMaking(true)}>
      <Icon name="plus" />
      {t("keys.new")}
    </Button>
  );
  return (
    <SettingsPage
      title={t("shell.settings.keys")}
      lead={t(isTest ? "keys.test.lead" : "keys.lead")}
      actions={items.length > 0 && make}
    >
      {items.length === 0 ? (
        <EmptyState title={t("keys.none")} text={t("keys.none.text")}>
          {make}
        </EmptyState>
      ) : (
        <KeyTable keys={items} change={setChanging} revoke={setRevoking} />
      )}
      {isTest && (
        <div className="key-call">
          <CopyField label={t("keys.test.play")} rows={6} value={playACustomer(keys.data.apiUrl)} />
          <p className="hint">{t("keys.test.play.hint")}</p>
        </div>
      )}
      <p className="hint">
        {t("keys.docs")}{" "}
        <a href="/api/docs" target="_blank" rel="noreferrer">
          {t("keys.reference")}
        </a>
      </p>
      {making && (
        <NewKey
          listed={keys.data}
          close={() => setMaking(false)}
          made={() => void keys.refetch()}
        />
      )}
      {changing && (
        <ChangeSends
          apiKey={changing}
          close={() => setChanging(null)}
          done={() => void keys.refetch()}
        />
      )}
      {revoking && (
        <Revoke
          apiKey={revoking}
          close={() => setRevoking(null)}
          done={() => void keys.refetch()}
        />
      )}
    </SettingsPage>
  );
}

/** A call that works when it is pasted, with a key in the place of KEY. */
const playACustomer = (apiUrl: string): string =>
  `curl ${apiUrl}/v1/test/inbound \\
  -H "Authorization: Bearer KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-1" \\
  -d '{"channel":"WHATSAPP","from":"96550001234","text":"Where is my order?"}'`;

function KeyTable({
  keys,
  change,
  revoke,
}: {
  readonly keys: readonly Key[];
  readonly change: (key: Key) => void;
  readonly revoke: (key: Key) => void;
}) {
  return (
    <DataTable
      name={t("shell.settings.keys")}
      rows={keys}
      id={({ id }) => id}
      columns={[
        {
          key: "name",
          name: t("keys.name"),
          cell: ({ name, publicKey }) => (
            <>
              <bdi>{name}</bdi>
              <br />
              <bdi dir="ltr" className="code-small key-public">
                {publicKey}
              </bdi>
            </>
          ),
        },
        {
          key: "scopes",
          name: t("keys.scopes"),
          cell: ({ scopes }) =>
            scopes.length === 0 ? (
              t("keys.scopes.all")
            ) : (
              <ul className="key-scopes">
                {scopes.map((scope) => (
                  <li key={scope} dir="ltr" className="code-small">
                    {scope}
                  </li>
                ))}
              </ul>
            ),
        },
        { key: "sends", name: t("keys.sends.head"), cell: ({ sends }) => t(`keys.sends.${sends}`) },
        {
          key: "used",
          name: t("keys.lastUsed"),
          cell: ({ lastUsedAt }) =>
            lastUsedAt === null ? t("keys.never") : distanceOf(lastUsedAt),
        },
        { key: "state", name: t("keys.state"), cell: (key) => <KeyState of={key} /> },
        {
          key: "actions",
          action: true,
          name: t("saved.actions"),
          cell: (key) =>
            stateOf(key) === "active" && (
              <span className="cell-actions">
                <Button
                  aria-label={t("keys.change.named", { name: key.name })}
                  onPress={() => change(key)}
                >
                  {t("keys.change")}
                </Button>
                <Button
                  aria-label={t("keys.revoke.named", { name: key.name })}
                  onPress={() => revoke(key)}
                >
                  {t("keys.revoke")}
                </Button>
              </span>
            ),
        },
      ]}
    />
  );
}

function stateOf({ revokedAt, expiresAt }: Key): "active" | "revoked" | "expired" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? "expired" : "active";
}

function KeyState({ of: key }: { readonly of: Key }) {
  const state = stateOf(key);
  if (state !== "active") return <Badge>{t(`keys.state.${state}`)}</Badge>;
  return (
    <Badge tone="ok">
      {key.expiresAt === null
        ? t("keys.state.active")
        : t("keys.state.until", { day: dayOf(key.expiresAt) })}
    </Badge>
  );
}

const LIVES = [
  { value: "none", days: null },
  { value: "30", days: 30 },
  { value: "90", days: 90 },
  { value: "365", days: 365 },
] as const;

/** Creates a key, and then shows its secret once. */
function NewKey({
  listed,
  close,
  made,
}: {
  readonly listed: Listed;
  readonly close: () => void;
  readonly made: () => void;
}) {
  const [bearer, setBearer] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [full, setFull] = useState<"all" | "some">("all");
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [sends, setSends] = useState<Key["sends"]>("approve");
  const [life, setLife] = useState<(typeof LIVES)[number]["value"]>("none");
  const make = useCall(async () => {
    const days = LIVES.find(({ value }) => value === life)?.days ?? null;
    const answer = await call("createKey", {
      body: {
        name: name.trim(),
        scopes: full === "all" ? [] : [...scopes],
        sends,
        ...(days !== null && {
          expiresAt: new Date(Date.now() + days * 24 * 3600 * 1000).toISOString(),
        }),
      },
    });
    setBearer(answer.bearer);
    made();
  });
  if (bearer !== null) return <Secret bearer={bearer} apiUrl={listed.apiUrl} close={close} />;
  return (
    <AskDialog title={t("keys.new")} close={close} submit={() => make.start()}>
      <TextInput
        label={t("keys.name")}
        hint={t("keys.name.hint")}
        value={name}
        onChange={setName}
        autoFocus
      />
      <Choice
        label={t("keys.scopes")}
        value={full}
        change={setFull}
        options={[
          { value: "all", name: t("keys.scopes.all") },
          { value: "some", name: t("keys.scopes.some") },
        ]}
      />
      {full === "some" && (
        <fieldset className="tick-list key-ticks">
          <legend className="visually-hidden">{t("keys.scopes")}</legend>
          {listed.scopes.toSorted().map((scope) => (
            <Tick
              key={scope}
              label={<bdi dir="ltr">{scope}</bdi>}
              on={scopes.includes(scope)}
              change={(on) =>
                setScopes(on ? [...scopes, scope] : scopes.filter((one) => one !== scope))
              }
            />
          ))}
        </fieldset>
      )}
      <SendsChoice value={sends} change={setSends} />
      <Choice
        label={t("keys.expires")}
        value={life}
        change={setLife}
        options={LIVES.map(({ value, days }) => ({
          value,
          name: days === null ? t("keys.expires.never") : t("keys.expires.days", { count: days }),
        }))}
      />
      <Failure of={make.failed} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button
          className="primary"
          isDisabled={name.trim() === "" || (full === "some" && scopes.length === 0)}
          isPending={make.busy}
          type="submit"
        >
          {t("keys.create")}
        </Button>
      </div>
    </AskDialog>
  );
}

function SendsChoice({
  value,
  change,
}: {
  readonly value: Key["sends"];
  readonly change: (value: Key["sends"]) => void;
}) {
  return (
    <Choice
      label={t("keys.sends")}
      value={value}
      change={change}
      options={(["approve", "ask", "free"] as const).map((one) => ({
        value: one,
        name: t(`keys.sends.${one}`),
      }))}
    />
  );
}

/** Changes who decides on what an assistant sends with a key. */
function ChangeSends({
  apiKey: { id, name, sends: before },
  close,
  done,
}: {
  readonly apiKey: Key;
  readonly close: () => void;
  readonly done: () => void;
}) {
  const [sends, setSends] = useState(before);
  const save = useCall(async () => {
    await call("setKeySends", { params: { id }, body: { sends } });
    done();
    close();
  });
  return (
    <AskDialog title={t("keys.change.title", { name })} close={close} submit={() => save.start()}>
      <p>{t("keys.change.text")}</p>
      <SendsChoice value={sends} change={setSends} />
      <Failure of={save.failed} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button
          className="primary"
          isDisabled={sends === before}
          isPending={save.busy}
          type="submit"
        >
          {t("kit.save")}
        </Button>
      </div>
    </AskDialog>
  );
}

/** The new key, with a call that works when it is pasted. */
function Secret({
  bearer,
  apiUrl,
  close,
}: {
  readonly bearer: string;
  readonly apiUrl: string;
  readonly close: () => void;
}) {
  return (
    <AskDialog title={t("keys.made")} wide close={close}>
      <p>{t("keys.made.text")}</p>
      <CopyField label={t("keys.secret")} value={bearer} />
      <CopyField
        label={t("keys.try")}
        rows={3}
        value={`curl ${apiUrl}/v1/contacts -H "Authorization: Bearer ${bearer}"`}
      />
      <div className="ask-buttons">
        <Button className="primary" onPress={close}>
          {t("keys.stored")}
        </Button>
      </div>
    </AskDialog>
  );
}

function Revoke({
  apiKey: { id, name },
  close,
  done,
}: {
  readonly apiKey: Key;
  readonly close: () => void;
  readonly done: () => void;
}) {
  const revoke = useCall(async () => {
    await call("revokeKey", { params: { id } });
    done();
    close();
  });
  return (
    <ConfirmDialog
      title={t("keys.revoke.title", { name })}
      verb={t("keys.revoke")}
      call={revoke}
      keeps
      close={close}
    >
      <p>{t("keys.revoke.text")}</p>
    </ConfirmDialog>
  );
}
