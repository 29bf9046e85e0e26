import { useState } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover, Toolbar } from "react-aria-components";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import type { JobAction, JobInput, Target } from "./bulk-target.ts";
import type { Attribute } from "./rules.ts";

/** The actions on the selected contacts: the ticked ones, or all that the filter names. */
export function BulkBar({
  selected,
  filter,
  total,
  attributes,
  wholePage,
  clear,
}: {
  readonly selected: ReadonlySet<string>;
  readonly filter: NonNullable<JobInput["filter"]>;
  /** As it is shown; null: not known. */
  readonly total: string | null;
  readonly attributes: readonly Attribute[];
  readonly wholePage: boolean;
  readonly clear: () => void;
}) {
  // Ticking or unticking afterwards means the ticked ones again.
  const [whole, setWhole] = useState<ReadonlySet<string> | null>(null);
  const isWhole = whole === selected;
  const [action, setAction] = useState<JobAction | null>(null);
  const target: Target = isWhole ? { filter } : { ids: [...selected] };
  return (
    <Toolbar className="contacts-bulk" aria-label={t("contacts.bulk")}>
      <span role="status">
        {isWhole
          ? t("contacts.bulk.whole", { total: total ?? "" })
          : t("contacts.bulk.selected", { count: selected.size })}
      </span>
      {wholePage && !isWhole && total !== null && (
        <Button className="quiet" onPress={() => setWhole(selected)}>
          {t("contacts.bulk.selectWhole", { total })}
        </Button>
      )}
      <Button onPress={() => setAction("tag")}>
        <Icon name="tag" />
        {t("contacts.bulk.tag")}
      </Button>
      <Button onPress={() => setAction("untag")}>{t("contacts.bulk.untag")}</Button>
      <Button onPress={() => setAction("opt_out")}>{t("contacts.bulk.opt_out")}</Button>
      <MenuTrigger>
        <Button aria-label={t("contacts.bulk.more")}>
          <Icon name="ellipsis" />
        </Button>
        <Popover placement="bottom end">
          <Menu aria-label={t("contacts.bulk.more")}>
            <MenuItem onAction={() => setAction("set_attribute")}>
              {t("contacts.bulk.set_attribute")}
            </MenuItem>
            <MenuItem onAction={() => setAction("opt_in")}>{t("contacts.bulk.opt_in")}</MenuItem>
            <MenuItem className="react-aria-MenuItem destroys" onAction={() => setAction("delete")}>
              {t("contacts.bulk.delete")}
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      <Button className="quiet" onPress={clear}>
        {t("contacts.bulk.clear")}
      </Button>
      {action !== null && (
        <BulkDialog
          action={action}
          target={target}
          attributes={attributes}
          close={() => setAction(null)}
          started={() => {
            setAction(null);
            clear();
          }}
        />
      )}
    </Toolbar>
  );
}
