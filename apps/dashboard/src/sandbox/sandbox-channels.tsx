import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf, type InputOf } from "../api/call.ts";
import { bootstrapQuery } from "../api/query-client.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Badge } from "../kit/badge.tsx";
import { ChannelGlyph } from "../kit/channel-glyph.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";

type List = AnswerOf<"listPhones">;
type Kind = InputOf<"addSandboxChannel">["body"]["type"];

const KINDS = ["WHATSAPP", "INSTAGRAM", "MESSENGER", "TELEGRAM", "TIKTOK", "WEB", "SMS"] as const;

/** The sandbox channels of the workspace: play, add, and repair after a fault. */
export function SandboxChannels({
  list,
  chosen,
  choose,
}: {
  readonly list: List;
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
}) {
  const client = useQueryClient();
  const { channels } = useBootstrap();
  const mayRepair = useMay("repairSandboxChannel");
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["phones"] }),
      client.invalidateQueries({ queryKey: ["channels"] }),
      client.invalidateQueries({ queryKey: bootstrapQuery.queryKey }),
    ]);
  const repair = useCall(async (id: string) => {
    await call("repairSandboxChannel", { params: { id } });
    await refresh();
  });
  const faulty = (id: string) => channels.find((one) => one.id === id)?.status === "error";
  return (
    <Part title={t("sandbox.channels")}>
      <Failure of={repair.failed} />
      <ul className="sandbox-list">
        {list.phones.map(({ id, type, name }) => (
          <li key={id}>
            <button
              type="button"
              className="sandbox-choose"
              aria-pressed={id === chosen}
              onClick={() => choose(id)}
            >
              <ChannelGlyph type={type} />
              <bdi>{name}</bdi>
            </button>
            {faulty(id) && <Badge tone="bad">{t("channels.status.error")}</Badge>}
            {faulty(id) && mayRepair && (
              <Button
                aria-label={t("sandbox.repair.of", { name })}
                isPending={repair.busy}
                onPress={() => repair.start(id)}
              >
                {t("sandbox.repair")}
              </Button>
            )}
          </li>
        ))}
        {list.pages.map(({ id, name, page }) => (
          <li key={id}>
            <a className="sandbox-choose" href={page} target="_blank" rel="noopener noreferrer">
              <ChannelGlyph type="WEB" />
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
      <AddChannel list={list} done={refresh} />
    </Part>
  );
}

/** Adds a channel of a kind that is not there yet. */
function AddChannel({
  list,
  done,
}: {
  readonly list: List;
  readonly done: () => Promise<unknown>;
}) {
  const may = useMay("addSandboxChannel");
  const there = new Set<Kind>([
    ...list.phones.map(({ type }) => type),
    ...(list.pages.length > 0 ? (["WEB"] as const) : []),
  ]);
  const rest = KINDS.filter((one) => !there.has(one));
  const [kind, setKind] = useState<Kind | undefined>(undefined);
  const next = rest.find((one) => one === kind) ?? rest[0];
  const add = useCall(async (type: Kind) => {
    await call("addSandboxChannel", { body: { type } });
    await done();
  });
  if (!may || next === undefined) return null;
  const full = add.failed?.status === 402;
  return (
    <div className="sandbox-add">
      <Failure of={add.failed} {...(full && { text: t("sandbox.full") })} />
      <Choice
        label={t("sandbox.addChannel")}
        value={next}
        change={setKind}
        options={rest.map((value) => ({
          value,
          name: value === "SMS" ? t("sms.title") : t(`channels.type.${value}`),
        }))}
      />
      <Button isPending={add.busy} onPress={() => add.start(next)}>
        {t("kit.add")}
      </Button>
      {next === "SMS" && <p className="hint">{t("sandbox.addSms")}</p>}
    </div>
  );
}
