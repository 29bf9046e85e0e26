import { Button, Toolbar } from "react-aria-components";
import { t } from "../../text/t.ts";
import type { Selection } from "../list/selection.ts";
import type { Change } from "../../desk/store/inbox-work.ts";
import type { ListKey } from "../../desk/store/listing.ts";
import { useBootstrap, useCounts, useInbox, useList } from "../../desk/use-inbox.ts";
import { ask, type Asked, type Target } from "./ask.ts";

/** The actions on the selected conversations. */
export function BulkBar(props: { listKey: ListKey; selection: Selection; more: boolean }) {
  const { listKey, selection, more } = props;
  const { work } = useInbox();
  const { role } = useBootstrap().member;
  const shown = useList(listKey).ids.length;
  const count = useCounts()[listKey.view] ?? shown;
  const target: Target = selection.isAll ? { all: listKey, count } : { ids: [...selection.ids] };
  const change = (what: Change) => {
    selection.clear();
    if ("all" in target) void work.changeAll(target.all, what);
    else void work.change(target.ids, what);
  };
  const open = (kind: Asked["kind"], at: Element) =>
    ask({ kind, ...target, at, done: selection.clear });
  const reopens = listKey.view === "resolved" || listKey.view === "snoozed";
  return (
    <Toolbar className="bulk-bar" aria-label={t("inbox.bulk")}>
      <span className="bulk-count" role="status">
        {selection.isAll
          ? t("inbox.bulk.allSelected")
          : t("inbox.bulk.selected", { count: selection.ids.size })}
      </span>
      {/* Over 200 at once is for admins. */}
      {more && !selection.isAll && (role !== "agent" || count <= 200) && (
        <Button className="pill" onPress={selection.selectAll}>
          {t("inbox.bulk.all")}
        </Button>
      )}
      <Button className="pill" data-asks="assign" onPress={({ target: at }) => open("assign", at)}>
        {t("inbox.assign")}
      </Button>
      <Button className="pill" data-asks="labels" onPress={({ target: at }) => open("labels", at)}>
        {t("inbox.labels")}
      </Button>
      <Button className="pill" data-asks="snooze" onPress={({ target: at }) => open("snooze", at)}>
        {t("inbox.snooze")}
      </Button>
      <Button className="pill" onPress={() => change({ status: reopens ? "open" : "resolved" })}>
        {reopens ? t("inbox.reopen") : t("inbox.resolve")}
      </Button>
      <Button className="pill" onPress={selection.clear}>
        {t("inbox.bulk.clear")}
      </Button>
    </Toolbar>
  );
}
