import { useState } from "react";
import { useNavigate } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { CONVERSATION_STATUSES } from "../../../../server/src/wire/words.ts";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { bootstrapQuery, queryClient } from "../../api/query-client.ts";
import { ChangedMeanwhile, useVersion } from "../../kit/changed-meanwhile.tsx";
import { AskDialog, ConfirmDialog } from "../../kit/dialog.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Choice, TextInput, Tick } from "../../kit/fields.tsx";
import { useCall } from "../../kit/use-call.ts";
import { Icon } from "../../kit/icon.tsx";
import { formatLocale } from "../../text/locale.ts";
import { t, type PlainKey } from "../../text/t.ts";
import type { Bootstrap, DeskViewJson, ViewFilter, ViewRule } from "../../api/shapes.ts";
import { channelWord } from "../../kit/words.ts";
import { useBootstrap } from "../../desk/use-inbox.ts";
import { openView, type OpenedView } from "../../desk/open-view.ts";
import {
  anyOf,
  beginRule,
  filterOf,
  goneOf,
  LISTS,
  MARKS,
  put,
  WAITS,
  wantedOf,
  type Wanted,
} from "./view-rules.ts";
import "./view-form.css";

const NEW: ViewFilter = { all: [[{ field: "status", any: ["open"] }]] };

/** The form of one view. */
export function ViewForm({
  opened: { view, filter },
  close,
}: {
  readonly opened: OpenedView;
  readonly close: () => void;
}) {
  const bootstrap = useBootstrap();
  const { member } = bootstrap;
  const navigate = useNavigate();
  const [name, setName] = useState(view?.name ?? "");
  const [wanted, setWanted] = useState(() => wantedOf(view?.filter ?? filter ?? NEW));
  const [shared, setShared] = useState(false);
  const change = (part: Partial<Wanted>) => setWanted((before) => ({ ...before, ...part }));
  const say = (rule: ViewRule) => setWanted((before) => put(before, rule));
  const version = useVersion(view?.etag);
  const save = useCall(async (over?: string) => {
    const body = { name: name.trim(), filter: filterOf(wanted) };
    const { id } = view
      ? await version.guard(
          (ifMatch) => call("updateView", { params: { id: view.id }, body, ifMatch }),
          over,
        )
      : await call("createView", { body: { ...body, shared } });
    await queryClient.invalidateQueries(bootstrapQuery);
    close();
    void navigate({ to: "/inbox/$view/{-$talk}", params: { view: `view-${id}` } });
  });
  return (
    <AskDialog wide title={t(view ? "saved.view.edit" : "saved.view.new")} close={close}>
      <form
        className="view-form"
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
        {LISTS.filter(
          // Nobody chooses among one channel.
          (field) =>
            field !== "channel" || bootstrap.channels.length > 1 || wanted.channel.length > 0,
        ).map((field) => (
          <AnyOf
            key={field}
            field={field}
            chosen={wanted[field]}
            bootstrap={bootstrap}
            change={(values) => say(anyOf(field, values))}
          />
        ))}
        <More wanted={wanted} say={say} change={change} />
        {wanted.groups.map((group, at) => (
          <Group
            // Groups have no ids: a group is its place.
            // oxlint-disable-next-line react/no-array-index-key
            key={at}
            group={group}
            bootstrap={bootstrap}
            change={(next) =>
              change({
                groups:
                  next.length === 0 ? wanted.groups.toSpliced(at, 1) : wanted.groups.with(at, next),
              })
            }
          />
        ))}
        <Button
          className="quiet view-add"
          onPress={() => change({ groups: [...wanted.groups, [beginRule("unread")]] })}
        >
          {t("saved.view.addGroup")}
        </Button>
        {!view && member.role !== "agent" && (
          <Tick label={t("saved.share")} on={shared} change={setShared} />
        )}
        <ChangedMeanwhile version={version} save={save} load={() => openNow(view?.id)} />
        <Failure of={version.other === null ? save.failed : null} />
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

/** Opens the form of a view as it is by now. */
async function openNow(id: string | undefined): Promise<void> {
  const { views } = await queryClient.fetchQuery({ ...bootstrapQuery, staleTime: 0 });
  const now = views.find((one) => one.id === id);
  if (!now) throw new ApiError({ code: "NOT_FOUND", status: 404 });
  openView({ kind: "form", view: now });
}

/** What each kind of condition is called. */
const FIELDS = {
  status: "saved.view.status",
  assignee: "saved.view.assignee",
  label: "saved.view.labels",
  channel: "saved.view.channels",
  unread: "saved.view.unread",
  unanswered: "saved.view.unanswered",
  failed: "saved.view.failed",
  waiting: "saved.view.waiting",
} as const satisfies Record<ViewRule["field"], PlainKey>;
const KINDS = [...LISTS, ...MARKS, "waiting"] as const;
type ListField = (typeof LISTS)[number];

const waits = () => WAITS.map((value) => ({ value, name: t(`saved.wait.${value}`) }));

/** The values that a condition may name. What was chosen and is no longer there can still be taken out. */
function optionsOf(
  field: ListField,
  bootstrap: Bootstrap,
  chosen: readonly string[],
): readonly { readonly id: string; readonly name: string }[] {
  const { member, members, labels, channels } = bootstrap;
  switch (field) {
    case "status":
      return CONVERSATION_STATUSES.map((id) => ({ id, name: t(`saved.status.${id}`) }));
    case "assignee":
      return [
        { id: "me", name: t("saved.view.me") },
        { id: "nobody", name: t("saved.view.nobody") },
        ...members.filter(
          ({ id, disabled }) => chosen.includes(id) || (id !== member.id && !disabled),
        ),
        ...goneOf(field, chosen, bootstrap).map((id) => ({ id, name: t("saved.view.goneMember") })),
      ];
    case "label": {
      // A label that is gone still has its name.
      const known = labels.map(({ name }) => name);
      return [...new Set([...known, ...chosen])].map((id) => ({ id, name: id }));
    }
    case "channel":
      return [
        ...channels.map(({ id, name, type }) => ({
          id,
          name: name === "" ? channelWord(type) : name,
        })),
        ...goneOf(field, chosen, bootstrap).map((id) => ({
          id,
          name: t("saved.view.goneChannel"),
        })),
      ];
  }
}

/** A fieldset of boxes to tick: any of some values; none: all. */
function AnyOf({
  field,
  chosen,
  bootstrap,
  change,
  hidden = false,
}: {
  readonly field: ListField;
  readonly chosen: readonly string[];
  readonly bootstrap: Bootstrap;
  readonly change: (chosen: readonly string[]) => void;
  /** Its name stands before it already. */
  readonly hidden?: boolean;
}) {
  const options = optionsOf(field, bootstrap, chosen);
  if (options.length === 0) return null;
  return (
    <fieldset className="view-rule">
      <legend className={hidden ? "visually-hidden" : undefined}>{t(FIELDS[field])}</legend>
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

/** Conditions that are met or not: marks of a conversation, and how long its customer has waited. */
function More({
  wanted,
  say,
  change,
}: {
  readonly wanted: Wanted;
  readonly say: (rule: ViewRule) => void;
  readonly change: (part: Partial<Wanted>) => void;
}) {
  return (
    <fieldset className="view-rule">
      <legend>{t("saved.view.more")}</legend>
      <div className="view-choices">
        {MARKS.map((field) => (
          <Tick
            key={field}
            label={t(FIELDS[field])}
            on={wanted[field]}
            change={(is) => say({ field, is })}
          />
        ))}
      </div>
      <Choice
        label={t("saved.view.waiting")}
        options={[{ value: "", name: t("saved.view.anyTime") }, ...waits()]}
        value={wanted.waiting}
        change={(waiting) => change({ waiting })}
      />
    </fieldset>
  );
}

/** Conditions of which at least one has to fit. Without its last one the group goes. */
function Group({
  group,
  bootstrap,
  change,
}: {
  readonly group: readonly ViewRule[];
  readonly bootstrap: Bootstrap;
  readonly change: (group: readonly ViewRule[]) => void;
}) {
  return (
    <fieldset className="view-rule view-group">
      <legend>{t("saved.view.group")}</legend>
      {group.map((rule, at) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className="view-condition">
          <Choice
            hidden
            label={t("saved.view.condition")}
            options={KINDS.map((value) => ({ value, name: t(FIELDS[value]) }))}
            value={rule.field}
            change={(field) => change(group.with(at, beginRule(field)))}
          />
          <Values
            rule={rule}
            bootstrap={bootstrap}
            change={(next) => change(group.with(at, next))}
          />
          <Button
            className="quiet"
            aria-label={t("saved.view.removeCondition")}
            onPress={() => change(group.toSpliced(at, 1))}
          >
            <Icon name="x" />
          </Button>
        </div>
      ))}
      <Button className="quiet" onPress={() => change([...group, beginRule("unread")])}>
        {t("saved.view.or")}
      </Button>
    </fieldset>
  );
}

const minutesLong = new Intl.NumberFormat(formatLocale, {
  style: "unit",
  unit: "minute",
  unitDisplay: "long",
});

/** What a condition asks of its field. */
function Values({
  rule,
  bootstrap,
  change,
}: {
  readonly rule: ViewRule;
  readonly bootstrap: Bootstrap;
  readonly change: (rule: ViewRule) => void;
}) {
  const label = t(FIELDS[rule.field]);
  if ("any" in rule)
    return (
      <AnyOf
        hidden
        field={rule.field}
        chosen={rule.any}
        bootstrap={bootstrap}
        change={(values) => change(anyOf(rule.field, values))}
      />
    );
  if ("is" in rule)
    return (
      <Choice
        hidden
        label={label}
        options={[
          { value: "yes", name: t("saved.view.yes") },
          { value: "no", name: t("saved.view.no") },
        ]}
        value={rule.is ? "yes" : "no"}
        change={(value) => change({ ...rule, is: value === "yes" })}
      />
    );
  const minutes = String(rule.minutes);
  const known = waits().map(({ value, name }) => ({ value: String(value), name }));
  const other = known.some(({ value }) => value === minutes)
    ? []
    : [{ value: minutes, name: minutesLong.format(rule.minutes) }];
  return (
    <Choice
      hidden
      label={label}
      options={[...known, ...other]}
      value={minutes}
      change={(value) => change({ ...rule, minutes: Number(value) })}
    />
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
    await navigate({ to: "/inbox/$view/{-$talk}", params: { view: "mine" } });
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
