import { useState } from "react";
import { useNavigate } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import {
  CONVERSATION_STATUSES,
  type ConversationStatus,
} from "../../../../server/src/wire/words.ts";
import { call, type InputOf } from "../../api/call.ts";
import { bootstrapQuery, queryClient } from "../../api/query-client.ts";
import { AskDialog, ConfirmDialog } from "../../kit/dialog.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Choice, TextInput, Tick } from "../../kit/fields.tsx";
import { useCall } from "../../kit/use-call.ts";
import { t } from "../../text/t.ts";
import type { DeskViewJson, ViewFilter } from "../contract.ts";
import { channelWord } from "../list/words.ts";
import { useBootstrap } from "../use-inbox.ts";
import type { OpenedView } from "./open-view.ts";
import "../../settings/saved.css";

/** Minutes that a customer has waited for an answer. */
const WAITS = ["", "15", "60", "240", "1440", "4320"] as const;

/** The form's fields: conversations must have one of the values of each field that has any. */
interface Wanted {
  readonly status: readonly ConversationStatus[];
  readonly assignee: readonly string[];
  readonly label: readonly string[];
  readonly channel: readonly string[];
  readonly unread: boolean;
  readonly failed: boolean;
  readonly unanswered: boolean;
  readonly waiting: (typeof WAITS)[number];
}

function wantedOf(filter: ViewFilter): Wanted {
  const rules = filter.all.flat();
  const valuesOf = (field: "assignee" | "label" | "channel") =>
    rules.flatMap((rule) => (rule.field === field ? rule.any : []));
  const isOn = (field: "unread" | "failed" | "unanswered") =>
    rules.some((rule) => rule.field === field && rule.is);
  const minutes = rules.flatMap((rule) => (rule.field === "waiting" ? [rule.minutes] : []))[0];
  return {
    status: rules.flatMap((rule) => (rule.field === "status" ? rule.any : [])),
    assignee: valuesOf("assignee"),
    label: valuesOf("label"),
    channel: valuesOf("channel"),
    unread: isOn("unread"),
    failed: isOn("failed"),
    unanswered: isOn("unanswered"),
    waiting: WAITS.find((one) => one === String(minutes ?? "")) ?? "",
  };
}

type NewFilter = InputOf<"createView">["body"]["filter"];

function filterOf(wanted: Wanted): NewFilter {
  const rules: NewFilter["all"][number] = [];
  if (wanted.status.length > 0) rules.push({ field: "status", any: [...wanted.status] });
  for (const field of ["assignee", "label", "channel"] as const)
    if (wanted[field].length > 0) rules.push({ field, any: [...wanted[field]] });
  for (const field of ["unread", "failed", "unanswered"] as const)
    if (wanted[field]) rules.push({ field, is: true });
  if (wanted.waiting !== "") rules.push({ field: "waiting", minutes: Number(wanted.waiting) });
  return { all: rules.map((rule) => [rule]) };
}

const NEW: ViewFilter = { all: [[{ field: "status", any: ["open"] }]] };

/** The form of one view. */
export function ViewForm({
  opened: { view, filter },
  close,
}: {
  readonly opened: OpenedView;
  readonly close: () => void;
}) {
  const { member } = useBootstrap();
  const navigate = useNavigate();
  const [name, setName] = useState(view?.name ?? "");
  const [wanted, setWanted] = useState(() => wantedOf(view?.filter ?? filter ?? NEW));
  const [shared, setShared] = useState(false);
  const change = (part: Partial<Wanted>) => setWanted((before) => ({ ...before, ...part }));
  const save = useCall(async () => {
    const body = { name: name.trim(), filter: filterOf(wanted) };
    const { id } = view
      ? await call("updateView", { params: { id: view.id }, body })
      : await call("createView", { body: { ...body, shared } });
    await queryClient.invalidateQueries(bootstrapQuery);
    close();
    void navigate({ to: "/inbox/$view/{-$id}", params: { view: `view-${id}` } });
  });
  return (
    <AskDialog wide title={t(view ? "saved.view.edit" : "saved.view.new")} close={close}>
      <form
        className="saved-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "") save.start();
        }}
      >
        <TextInput
          autoFocus
          isRequired
          label={t("saved.view.name")}
          value={name}
          onChange={setName}
          maxLength={80}
        />
        <Filters wanted={wanted} change={change} />
        {!view && member.role !== "agent" && (
          <Tick label={t("saved.share")} on={shared} change={setShared} />
        )}
        <Failure of={save.failed} />
        <div className="ask-buttons">
          <Button onPress={close}>{t("kit.cancel")}</Button>
          <Button
            type="submit"
            className="primary"
            isDisabled={name.trim() === ""}
            isPending={save.busy}
          >
            {t("kit.save")}
          </Button>
        </div>
      </form>
    </AskDialog>
  );
}

/** The fields of the filter. */
function Filters({
  wanted,
  change,
}: {
  readonly wanted: Wanted;
  readonly change: (part: Partial<Wanted>) => void;
}) {
  const { member, members, labels, channels } = useBootstrap();
  return (
    <>
      <AnyOf
        title={t("saved.view.status")}
        options={CONVERSATION_STATUSES.map((id) => ({ id, name: t(`saved.status.${id}`) }))}
        chosen={wanted.status}
        change={(status) =>
          change({ status: CONVERSATION_STATUSES.filter((one) => status.includes(one)) })
        }
      />
      <AnyOf
        title={t("saved.view.assignee")}
        options={[
          { id: "me", name: t("saved.view.me") },
          { id: "nobody", name: t("saved.view.nobody") },
          ...members
            .filter(({ id, disabled }) => id !== member.id && !disabled)
            .map(({ id, name: called }) => ({ id, name: called })),
        ]}
        chosen={wanted.assignee}
        change={(assignee) => change({ assignee })}
      />
      {labels.length > 0 && (
        <AnyOf
          title={t("saved.view.labels")}
          options={labels.map(({ name: label }) => ({ id: label, name: label }))}
          chosen={wanted.label}
          change={(label) => change({ label })}
        />
      )}
      {channels.length > 1 && (
        <AnyOf
          title={t("saved.view.channels")}
          options={channels.map(({ id, name: called, type }) => ({
            id,
            name: called === "" ? channelWord(type) : called,
          }))}
          chosen={wanted.channel}
          change={(channel) => change({ channel })}
        />
      )}
      <fieldset className="view-rule">
        <legend>{t("saved.view.more")}</legend>
        <div className="view-choices">
          <Tick
            label={t("saved.view.unread")}
            on={wanted.unread}
            change={(unread) => change({ unread })}
          />
          <Tick
            label={t("saved.view.unanswered")}
            on={wanted.unanswered}
            change={(unanswered) => change({ unanswered })}
          />
          <Tick
            label={t("saved.view.failed")}
            on={wanted.failed}
            change={(failed) => change({ failed })}
          />
        </div>
        <Choice
          label={t("saved.view.waiting")}
          options={WAITS.map((value) => ({
            value,
            name: value === "" ? t("saved.view.anyTime") : t(`saved.wait.${value}`),
          }))}
          value={wanted.waiting}
          change={(waiting) => change({ waiting })}
        />
      </fieldset>
    </>
  );
}

/** Any of some values; none chosen: all. */
function AnyOf({
  title,
  options,
  chosen,
  change,
}: {
  readonly title: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: readonly string[];
  readonly change: (chosen: readonly string[]) => void;
}) {
  return (
    <fieldset className="view-rule">
      <legend>{title}</legend>
      <div className="view-choices">
        {options.map(({ id, name }) => (
          <Tick
            key={id}
            label={<bdi>{name}</bdi>}
            on={chosen.includes(id)}
            change={(on) => change(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Asks before a view is deleted. Its conversations stay. */
export function DeleteView({
  view,
  close,
}: {
  readonly view: DeskViewJson;
  readonly close: () => void;
}) {
  const navigate = useNavigate();
  const remove = useCall(async () => {
    await call("deleteView", { params: { id: view.id } });
    close();
    await navigate({ to: "/inbox/$view/{-$id}", params: { view: "mine" } });
    await queryClient.invalidateQueries(bootstrapQuery);
  });
  return (
    <ConfirmDialog
      title={t("saved.view.delete", { name: view.name })}
      verb={t("kit.delete")}
      call={remove}
      close={close}
    >
      <p>{t(view.shared ? "saved.view.delete.shared" : "saved.view.delete.text")}</p>
    </ConfirmDialog>
  );
}
