import { Icon, type IconName } from "../../kit/icon.tsx";
import { t } from "../../text/t.ts";
import { ask } from "../actions/ask.ts";
import type { DeskRow } from "../../api/shapes.ts";
import { useBootstrap, useInbox } from "../../desk/use-inbox.ts";

/**
 * What can be done with a conversation from its row: shown under the mouse alone, over the row's end, so that nothing in
 * it moves. The keys do the same for the row with the focus, and screen readers have the selection's bar and the
 * conversation, so these buttons are for neither.
 */
export function RowActions({ row }: { row: DeskRow }) {
  const { work } = useInbox();
  const { member } = useBootstrap();
  const ids = [row.id];
  const isResolved = row.status === "resolved";
  return (
    <div className="row-actions" aria-hidden="true">
      {row.assigneeId !== member.id && (
        <RowAction
          icon="user-plus"
          name={t("inbox.keys.assignMe")}
          act={() => void work.change(ids, { assigneeId: member.id })}
        />
      )}
      <RowAction
        icon="alarm-clock"
        name={t("inbox.snooze")}
        act={(at) => ask({ kind: "snooze", ids, at })}
      />
      <RowAction
        icon={isResolved ? "inbox" : "check"}
        name={t(isResolved ? "inbox.reopen" : "inbox.resolve")}
        act={() => void work.change(ids, { status: isResolved ? "open" : "resolved" })}
      />
    </div>
  );
}

function RowAction(props: {
  readonly icon: IconName;
  readonly name: string;
  readonly act: (at: Element) => void;
}) {
  const { icon, name, act } = props;
  return (
    <button
      type="button"
      tabIndex={-1}
      title={name}
      // The focus stays where it is.
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ currentTarget }) => act(currentTarget)}
    >
      <Icon name={icon} />
    </button>
  );
}
