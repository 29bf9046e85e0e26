import { Menu, MenuItem, Popover, Separator } from "react-aria-components";
import type { Floating } from "../../kit/on-demand.tsx";
import { t } from "../../text/t.ts";
import type { ListKey } from "../../desk/store/listing.ts";

const ORDERS = ["newest", "oldest", "waiting"] as const;

/** Which conversations of the view are shown, and what becomes a view of its own. */
export function FilterMenu({
  floating,
  unread,
  own,
  choose,
}: {
  readonly floating: Floating;
  readonly unread: boolean;
  /** The member may change the view. */
  readonly own: boolean;
  readonly choose: (key: string) => void;
}) {
  return (
    <Popover {...floating} trigger="MenuTrigger">
      <Menu
        autoFocus
        aria-label={t("inbox.filter")}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[unread ? "unread" : "all"]}
        onAction={(key) => choose(String(key))}
        onClose={() => floating.onOpenChange(false)}
      >
        <MenuItem id="all">{t("inbox.filter.all")}</MenuItem>
        <MenuItem id="unread">{t("inbox.filter.unread")}</MenuItem>
        <Separator />
        <MenuItem id="save">{t("saved.view.save")}</MenuItem>
        {own && <MenuItem id="change">{t("saved.view.change")}</MenuItem>}
        {own && (
          <MenuItem id="remove" className="react-aria-MenuItem destroys">
            {t("saved.view.remove")}
          </MenuItem>
        )}
      </Menu>
    </Popover>
  );
}

/** In which order the list is. */
export function SortMenu({
  floating,
  order,
  choose,
}: {
  readonly floating: Floating;
  readonly order: ListKey["order"];
  readonly choose: (order: ListKey["order"]) => void;
}) {
  return (
    <Popover {...floating} trigger="MenuTrigger">
      <Menu
        autoFocus
        aria-label={t("inbox.sort")}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[order]}
        onAction={(key) => choose(ORDERS.find((one) => one === key) ?? "newest")}
        onClose={() => floating.onOpenChange(false)}
      >
        {ORDERS.map((one) => (
          <MenuItem key={one} id={one}>
            {t(`inbox.sort.${one}`)}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}
